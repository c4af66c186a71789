// The files of the pages, embedded by the build from src/view/pages/, and what report.html makes of them: one
// script of all modules, and one style sheet.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace assay {

struct PageFile {
  std::string_view name;  // "main.js"
  std::string_view text;
};
std::span<const PageFile> PageFiles();

// The modules that `main.js` imports, each behind those that it imports itself, without their words for that.
// Browsers import nothing into a page of a file.
std::string JoinedScript(std::span<const PageFile> files);
// The sheets in the order in which the page names them.
std::string JoinedStyle(std::span<const PageFile> files);

}  // namespace assay

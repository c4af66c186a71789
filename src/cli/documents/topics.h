// The pages of docs/ that the program carries, and the rows of theirs that say what an error means.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct Topic {
  std::string_view name;  // of the page, without .md
  std::string_view help;  // one line
};
std::span<const Topic> TopicTable();
// With .md or docs/ as well, and the last part of a path alone; null if there is none.
const Topic* FindTopic(std::string_view name);

struct FoundHeading {
  std::string heading;
  std::string_view topic;
};
// The first headings of all pages that contain the word, in any case.
std::vector<FoundHeading> FindHeadings(std::string_view word, std::size_t most);

std::string TextOf(const Topic& topic);  // Markdown

// A code in brackets behind a message, the class of an error, or an exit code.
struct ErrorMeaning {
  std::string code;
  std::string means;   // Markdown
  std::string remedy;  // Markdown; "" where nothing is to be done
  std::string_view topic;
};
// All rows of errors.md, then the exit codes of cli.md; a row of several codes is several.
std::vector<ErrorMeaning> ErrorMeanings();

}  // namespace assay

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
const Topic* FindTopic(std::string_view name);  // with .md or docs/ as well; null if there is none

std::string TextOf(const Topic& topic);         // Markdown

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

// Splits a prompt into words as a shell does, and picks those that look like paths or local:// and file://
// addresses.
#include "agent/web/local_targets.h"

#include <algorithm>

#include "agent/limits.h"
#include "base/text/shell_words.h"
#include "corpus/index/words.h"

namespace assay {

namespace {

constexpr std::string_view kMarksBehindTargets = ".,;:!?)]}>\"'";
constexpr std::string_view kTargetStarts[] = {"local://", "file://", "/", "~/", "./"};

// Where quotes are not paired, the words between blanks, quotes and all.
std::vector<std::string> WordsOf(std::string_view prompt) {
  if (Result<std::vector<std::string>> words = SplitWords(prompt)) return std::move(*words);
  std::vector<std::string> words;
  const std::string line = CollapseBlanks(prompt);
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// The target that a word names; "" if it names none.
std::string_view TargetOf(std::string_view word) {
  while (!word.empty() && kMarksBehindTargets.find(word.back()) != std::string_view::npos)
    word.remove_suffix(1);
  const bool starts_so = std::any_of(std::begin(kTargetStarts), std::end(kTargetStarts),
                                     [word](std::string_view start) { return word.starts_with(start); });
  const bool is_drive = word.size() > 1 && word[1] == ':';
  return starts_so || is_drive ? word : std::string_view();
}

}  // namespace

std::vector<std::string> LocalTargets(std::string_view prompt) {
  std::vector<std::string> targets;
  for (const std::string& word : WordsOf(prompt)) {
    const std::string_view target = TargetOf(word);
    if (target.empty() || std::find(targets.begin(), targets.end(), target) != targets.end()) continue;
    targets.emplace_back(target);
    if (targets.size() == limits::kPromptTargetsMax) break;
  }
  return targets;
}

std::string RedactLocalTargets(std::string_view prompt) {
  std::string kept;
  for (const std::string& word : WordsOf(prompt)) {
    if (word.empty() || !TargetOf(word).empty()) continue;
    if (!kept.empty()) kept += ' ';
    kept += word;
  }
  return kept;
}

}  // namespace assay

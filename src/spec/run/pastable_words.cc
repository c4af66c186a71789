// Splits the words, keeps those of a table, hides secrets, and quotes them again.
#include "spec/run/pastable_words.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/text/ascii.h"
#include "base/text/shell_words.h"
#include "spec/exchange/keyed_headers.h"

namespace assay {

namespace {

enum class Takes { kNothing, kText, kModel };

struct PastableOption {
  std::string_view name;
  Takes takes = Takes::kText;
};

// All that a store may have people paste; whatever else shapes a run is said again by who runs it.
constexpr PastableOption kPastable[] = {
    {"-m", Takes::kModel},
    {"--model", Takes::kModel},
    {"--judge", Takes::kModel},
    {"--embedder", Takes::kModel},
    {"--filter"},
    {"--limit"},
    {"--data"},
    {"--where"},
    {"--sample"},
    {"--sample-seed"},
    {"--attempts"},
    {"--max-tokens"},
    {"--select"},
    {"--run"},
    {"--compat"},
    {"-r"},
    {"--run-label"},
    {"--votes"},
    {"--eval-method"},
    {"--config"},
    {"--tests"},
    {"--prompts", Takes::kModel},
    {"--providers", Takes::kModel},
    {"--var"},
    {"--grader", Takes::kModel},
    {"--filter-first-n"},
    {"--filter-range"},
    {"--filter-pattern"},
    {"--filter-metadata"},
    {"--filter-providers"},
    {"--filter-prompts"},
    {"--prompt-prefix"},
    {"--prompt-suffix"},
    {"--responses"},
    {"--fixtures"},
    {"--dataset"},
    {"--mock-web"},
    {"--turn-time"},
    {"--turn-tokens"},
    {"--turn-usd"},
    {"--pass-at"},
    {"--pass-at-k"},
    {"--pass-attempts"},
    {"--until"},
    {"--within"},
    {"--promise"},
    {"--order-seed"},
    {"--look-every"},
    {"--fail-under"},
    {"--pass-rate"},
    {"--failed-exit-code"},
    {"--fail-on-regression"},
    {"--delta"},
    {"--fail-on-flip"},
    {"--max-flips"},
    {"--max-errors"},
    {"--known-flaky"},
    {"--pair"},
    {"--early", Takes::kNothing},
    {"--by-question", Takes::kNothing},
    {"--accept-partial", Takes::kNothing},
    {"--strict-programs", Takes::kNothing},
    {"--no-memo", Takes::kNothing},
    {"--json-judges", Takes::kNothing},
    {"--require-executive-summary", Takes::kNothing},
    {"--skip-executive-summary", Takes::kNothing},
    {"--fixtures-strict", Takes::kNothing},
    {"--skip-code", Takes::kNothing},
    {"--weighted", Takes::kNothing},
    {"--no-weights", Takes::kNothing},
    {"--offline", Takes::kNothing},
    {"--fresh", Takes::kNothing},
};

// A program of the shell's, or a server of somebody's choice.
bool IsModelOfElsewhere(std::string_view value) {
  const std::string low = AsciiLower(value);
  return low.find("exec:") != std::string::npos || low.find("://") != std::string::npos;
}

struct ChosenWords {
  std::vector<std::string> words;
  std::vector<std::string> left_out;  // names of options
};

// "-m" of "-mID"; only what looks like an option's name is named.
void LeaveOut(std::string_view name, ChosenWords& kept) {
  if (!name.starts_with("--")) name = name.substr(0, 2);
  const bool is_name = std::all_of(name.begin(), name.end(), [](char c) {
    return c == '-' || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
  kept.left_out.emplace_back(is_name ? name : "others");
}

void KeepFile(const std::string& word, ChosenWords& kept) {
  kept.words.push_back(word.starts_with('-') ? "./" + word : word);
}

// words[at] begins with a dash; the place behind it and what belongs to it.
std::size_t TakeOption(const std::vector<std::string>& words, std::size_t at, ChosenWords& kept) {
  const std::string& word = words[at];
  const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
  const std::string name = word.substr(0, equals);
  const auto row = std::find_if(std::begin(kPastable), std::end(kPastable),
                                [&name](const PastableOption& each) { return each.name == name; });
  std::size_t next = at + 1;
  if (row != std::end(kPastable) && row->takes == Takes::kNothing && equals == std::string::npos) {
    kept.words.push_back(name);
    return next;
  }
  std::optional<std::string> value;
  if (equals != std::string::npos) {
    value = word.substr(equals + 1);
  } else if (next < words.size() && !words[next].starts_with('-')) {
    value = words[next++];
  }
  const bool is_kept = row != std::end(kPastable) && row->takes != Takes::kNothing && value &&
                       !value->starts_with('-') &&
                       !(row->takes == Takes::kModel && IsModelOfElsewhere(*value));
  if (!is_kept) {
    LeaveOut(name, kept);
    return next;
  }
  kept.words.push_back(name);
  kept.words.push_back(*value);
  return next;
}

std::string Pastable(const std::string& word) { return QuoteWord(WithoutCredentials(word)); }

std::string PastableList(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + Pastable(word);
  return out;
}

ChosenWords Chosen(std::string_view words) {
  ChosenWords kept;
  const Result<std::vector<std::string>> split = SplitWords(words);
  if (!split) {
    KeepFile(std::string(words), kept);
    return kept;
  }
  for (std::size_t at = 0; at < split->size();) {
    // A run's words begin with its file.
    if (at == 0 || !(*split)[at].starts_with('-')) {
      KeepFile((*split)[at++], kept);
    } else {
      at = TakeOption(*split, at, kept);
    }
  }
  return kept;
}

}  // namespace

std::string PastableWords(std::string_view words) { return PastableList(Chosen(words).words); }

std::string PastableFile(std::string_view words) {
  const ChosenWords kept = Chosen(words);
  return kept.words.empty() ? std::string() : Pastable(kept.words.front());
}

std::string OwnWords(std::string_view words) {
  const Result<std::vector<std::string>> split = SplitWords(words);
  return split ? PastableList(*split) : PastableWords(words);
}

std::string WithoutStopping(std::string_view words) {
  constexpr std::string_view kStopping[] = {"--until", "--within", "--promise", "--order-seed",
                                            "--look-every"};
  const Result<std::vector<std::string>> split = SplitWords(words);
  if (!split) return std::string(words);
  std::string kept;
  for (std::size_t at = 0; at < split->size(); ++at) {
    const std::string& word = (*split)[at];
    const std::size_t equals = word.find('=');
    const bool stops =
        std::find(std::begin(kStopping), std::end(kStopping), word.substr(0, equals)) != std::end(kStopping);
    if (!stops) kept += (kept.empty() ? "" : " ") + QuoteWord(word);
    if (stops && equals == std::string::npos) ++at;
  }
  return kept;
}

std::vector<std::string> LeftOutOptions(std::string_view words) {
  std::vector<std::string> names = Chosen(words).left_out;
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::string LeftOutNote(const std::vector<std::string>& options) {
  if (options.empty()) return {};
  std::string list;
  for (const std::string& name : options) list += (list.empty() ? "" : ", ") + name;
  return fmt::format(
      "note: the store names more options, which grant or send something: {}; add those that you want\n",
      list);
}

}  // namespace assay

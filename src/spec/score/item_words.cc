// Words items, and picks the most telling reason of a score.
#include "spec/score/item_words.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/text/utf8.h"
#include "spec/suite/check.h"

namespace assay {

std::string PointText(const Check& check) {
  const bool has_arguments = check.text != fmt::format("Function: {}(undefined)", check.kind);
  return has_arguments ? check.text : check.kind;
}

std::string FoundText(const ScoreItem& item) {
  return item.given ? fmt::format("given: “{}”", *item.given) : item.found;
}

std::string BlankLine(const ScoreItem& blank) {
  const std::string what =
      blank.given ? fmt::format("response string: {}, ans: {}", *blank.given, blank.against) : blank.found;
  return (blank.share == 1 ? "matched: " : "unmatched: ") + what;
}

namespace {

constexpr std::size_t kPartsTold = 3;
constexpr std::size_t kPartBytesMax = 200;

std::string_view Trimmed(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first == std::string_view::npos ? std::string_view()
                                         : line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
}

// "AssertionError: 3 != 2", "TypeError [ERR_X]": how programs end that say what went wrong.
bool NamesError(std::string_view line) {
  const std::size_t end = line.find_first_of(": [(");
  const std::string_view word = line.substr(0, end);
  return word.ends_with("Error") || word.ends_with("Exception");
}

// What a program printed comes to: the last line that names an error, else the last one.
std::string LastWord(std::string_view text) {
  std::string_view last;
  std::string_view error;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = Trimmed(text.substr(0, end));
    if (!line.empty()) last = line;
    if (NamesError(line)) error = line;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (error.empty()) error = last;
  // Python's own exceptions, as InfiBench words them: "failed: <class 'AssertionError'> 3 != 2".
  constexpr std::string_view kClass = "failed: <class '";
  const std::size_t end = error.starts_with(kClass) ? error.find("'>") : std::string_view::npos;
  if (end == std::string_view::npos) return std::string(CutToBytes(error, kPartBytesMax));
  const std::string_view name = error.substr(kClass.size(), end - kClass.size());
  const std::string_view said = Trimmed(error.substr(end + 2));
  return fmt::format("{}{}{}", name, said.empty() ? "" : ": ", CutToBytes(said, kPartBytesMax));
}

std::string PartReason(const ScoreItem& item) {
  const std::string wanted(CutToBytes(Trimmed(item.wanted), kPartBytesMax));
  if (item.is_unwanted) return wanted + ": should not be there";
  const std::string found = LastWord(FoundText(item));
  if (!found.empty())
    return fmt::format("{}: {}{}", wanted, found, item.sentence.empty() ? "" : "; " + item.sentence);
  return fmt::format("{}: {}", wanted, item.sentence.empty() ? "not found" : item.sentence);
}

std::string MissedParts(const Score& score) {
  std::string text;
  std::size_t missed = 0;
  for (const ScoreItem& item : score.items) {
    if (item.is_alone() || item.is_remark() || item.is_there() || missed++ >= kPartsTold) continue;
    text += (text.empty() ? "" : "; ") + PartReason(item);
  }
  return missed <= kPartsTold ? text : fmt::format("{}; and {} more", text, missed - kPartsTold);
}

// Of several judges the one who thought least of the answer, by name; "" if nobody said why.
std::string HarshestWords(const Check& check, const Score& score) {
  const Evidence* harshest = nullptr;
  for (const Evidence& voice : score.evidence) {
    if (voice.text.empty()) continue;
    const bool is_harsher =
        harshest == nullptr || (check.invert ? voice.value > harshest->value : voice.value < harshest->value);
    if (is_harsher) harshest = &voice;
  }
  return harshest == nullptr ? std::string() : fmt::format("{}: {}", harshest->source, harshest->text);
}

}  // namespace

std::string JudgesWords(const Score& score) {
  std::string words;
  for (const Evidence& voice : score.evidence) {
    if (!voice.text.empty())
      words += fmt::format("{}{}: {}", words.empty() ? "" : "; ", voice.source, voice.text);
  }
  return words;
}

bool MissesPoints(const Score& score) {
  if (score.state != ScoreState::kScored) return score.failed();
  return score.verdict ? !*score.verdict : score.value < score.max;
}

std::string ReasonOf(const Score& score) {
  if (score.failed()) return score.error;
  if (!MissesPoints(score)) return {};
  if (std::string parts = MissedParts(score); !parts.empty()) return parts;
  if (score.evidence.size() == 1 && !score.evidence.front().text.empty()) return score.evidence.front().text;
  const std::string words = score.evidence.size() > 1 ? JudgesWords(score) : std::string();
  return words.empty() ? score.explanation : words;
}

std::string MissedPoint(const Check& check, const Score& score) {
  std::string reason = ReasonOf(score);
  if (const std::string words = HarshestWords(check, score);
      !score.failed() && score.evidence.size() > 1 && !words.empty())
    reason = words;
  const std::string point = (check.invert ? "not: " : "") + PointText(check);
  // What gives 1 is shown in points of 100, as all that people read; other scales are the author's own.
  const double scale = score.max == 1 ? 100 : 1;
  if (reason.empty()) return fmt::format("{:.3g} of {:g}: {}", scale * score.value, scale * score.max, point);
  // Parts say themselves what was wanted.
  const bool has_parts = !score.failed() && !MissedParts(score).empty();
  if (has_parts) return reason;
  const std::size_t end = point.find_last_not_of('.') + 1;
  return fmt::format("{}: {}", point.substr(0, end), reason);
}

}  // namespace assay

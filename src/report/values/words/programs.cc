// Cuts the graded part out of an answer, and shortens outputs that get long.
#include "report/values/words/programs.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "base/text/utf8.h"
#include "report/limits.h"
#include "report/values/json.h"
#include "text/object.h"

namespace assay {

namespace {

// Where it gets long its beginning and its end.
Value OutputText(std::string_view text) {
  if (text.empty()) return Null{};
  if (text.size() <= limits::kShownOutputBytesMax) return std::string(text);
  const std::string_view head = CutToBytes(text, limits::kShownOutputBytesMax / 2);
  std::string_view tail = text.substr(text.size() - limits::kShownOutputBytesMax / 2);
  while (!tail.empty() && (static_cast<unsigned char>(tail.front()) & 0xC0) == 0x80) tail.remove_prefix(1);
  return fmt::format("{}\n… {} bytes are left out …\n{}", head, text.size() - head.size() - tail.size(),
                     tail);
}

Value OutcomeValue(const ProgramOutcome& outcome) {
  constexpr double kUsPerMs = 1e3;
  const ProcessReply& reply = outcome.reply;
  const bool has_run = outcome.error.empty();
  const bool has_status = has_run && !reply.timed_out && reply.signal == 0;
  return Object{
      {"stdout", OutputText(reply.stdout_text)},
      {"stderr", OutputText(reply.stderr_text)},
      {"exit", has_status ? Value(static_cast<double>(reply.exit_code)) : Value(Null{})},
      {"signal", reply.signal != 0 ? Value(static_cast<double>(reply.signal)) : Value(Null{})},
      {"ms", has_run ? Value(static_cast<double>(reply.duration.count()) / kUsPerMs) : Value(Null{})},
      {"sandbox", TextOrNull(reply.sandbox)},
      {"limit", reply.timed_out ? Value("wall time") : TextOrNull(reply.limit)},
      {"error", TextOrNull(outcome.error)}};
}

// The lines of places that follow each other.
class LineCounter {
 public:
  explicit LineCounter(std::string_view text) : text_(text) {}
  Value LineAt(std::size_t place) {
    const std::string_view between = text_.substr(at_, place - at_);
    line_ += static_cast<std::uint64_t>(std::count(between.begin(), between.end(), '\n'));
    at_ = place;
    return CountValue(line_);
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 1;
};

}  // namespace

Value BlockValue(const std::optional<GradedBlock>& block, std::string_view answer) {
  constexpr std::string_view kRules[kBlockRules] = {"all_fenced", "longest_fenced", "bare"};
  if (!block) return Null{};
  std::string text;
  List lines;
  LineCounter counter(answer);
  std::size_t end = 0;
  for (const TextRange& part : block->parts) {
    // Parts follow each other; others are somebody else's work.
    if (part.from < end || part.to <= part.from || part.to > answer.size()) return Null{};
    end = part.to;
    Value first = counter.LineAt(part.from);
    lines.emplace_back(List{std::move(first), counter.LineAt(part.to - 1)});
    text += (text.empty() ? "" : "\n\n") + std::string(answer.substr(part.from, part.to - part.from));
  }
  return Object{{"rule", kRules[static_cast<std::size_t>(block->rule)]},
                {"lines", std::move(lines)},
                {"text", std::move(text)}};
}

Value OutputsValue(const std::vector<ProgramOutcome>& outcomes, CheckIndex check) {
  List list;
  for (const ProgramOutcome& outcome : outcomes) {
    if (outcome.check == check) list.push_back(OutcomeValue(outcome));
  }
  return list;
}

}  // namespace assay

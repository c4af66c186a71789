// Compiles and matches by PCRE2: by its interpreter first, by machine code for searches that take long.
#include "text/python/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/core.h>
#include <pcre2.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <limits>

#include "base/errors/assert.h"
#include "base/limits.h"
#include "base/text/utf8.h"
#include "text/limits.h"
#include "text/python/pattern.h"

namespace assay {

namespace {

constexpr std::uint32_t kOptions = PCRE2_UTF | PCRE2_UCP | PCRE2_DOTALL | PCRE2_MULTILINE |
                                   PCRE2_ALT_CIRCUMFLEX | PCRE2_NEVER_BACKSLASH_C | PCRE2_USE_OFFSET_LIMIT;
constexpr std::uint32_t kGroupsDeepMax = 1'000;  // what the library compiles; pattern.h has the limit

struct FreeCode {
  void operator()(pcre2_code* code) const { pcre2_code_free(code); }
};
struct FreeMatchContext {
  void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
};
struct FreeCompileContext {
  void operator()(pcre2_compile_context* context) const { pcre2_compile_context_free(context); }
};
struct FreeMatchData {
  void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
};
struct FreeStack {
  void operator()(pcre2_jit_stack* stack) const { pcre2_jit_stack_free(stack); }
};

Error TooCostly(std::string_view what) {
  return {.code = ErrorCode::kLimit,
          .message = fmt::format(
              "regex limit: {}; repetitions inside repetitions, such as (a+)+, are the usual cause", what)};
}

// The library's constructors fail only for want of memory.
template <class T>
T* Made(T* object) {
  ASSAY_ASSERT(object != nullptr);
  return object;
}

bool IsEncodingError(int outcome) {
  return outcome <= PCRE2_ERROR_UTF8_ERR1 && outcome >= PCRE2_ERROR_UTF8_ERR21;
}

std::string WellFormed(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCodePoint decoded = DecodeUtf8(text, at);
    const bool is_surrogate = decoded.code_point >= 0xd800 && decoded.code_point <= 0xdfff;
    AppendUtf8(is_surrogate ? 0xfffd : decoded.code_point, out);
    at += decoded.size_bytes;
  }
  return out;
}

constexpr std::chrono::milliseconds kInterpreterTime{20};  // then machine code is made of the pattern
constexpr std::chrono::milliseconds kShortSlice{10};
constexpr std::size_t kFirstSlice = 64;  // bytes of the text at which a match may begin
constexpr std::size_t kSliceGrowth = 4;
// The library's steps at one place of the text; it may look over the whole text in each of them.
constexpr std::uint64_t kFirstBytesLooked = 20'000'000;
constexpr std::uint64_t kFirstStepsMin = 1'000;
constexpr std::uint64_t kFirstStepsMax = 1'000'000;

// One search. The library has no clock and counts steps anew at each place where a match may begin. So the
// places are tried slice by slice, each slice larger while that is cheap; a slice that runs out of steps is
// tried again with more, until the time is spent.
class PatternSearch {
 public:
  PatternSearch(const pcre2_code* code, std::string_view text, std::uint32_t options, CpuBudget& budget)
      : code_(code),
        text_(text),
        options_(options),
        budget_(budget),
        data_(Made(pcre2_match_data_create_from_pattern(code, nullptr))) {
    pcre2_set_heap_limit(context_.get(), static_cast<std::uint32_t>(limits::kRegexMemoryBytesMax >> 10));
    std::uint32_t fixed = 0;
    pcre2_pattern_info(code, PCRE2_INFO_ALLOPTIONS, &fixed);
    is_one_slice_ = ((options | fixed) & PCRE2_ANCHORED) != 0;
    steps_ = std::clamp(kFirstBytesLooked / (text.size() + 1), kFirstStepsMin, kFirstStepsMax);
  }

  // Of a match.
  TextRange range() const {
    const PCRE2_SIZE* places = pcre2_get_ovector_pointer(data_.get());
    return places[0] < places[1] ? TextRange{places[0], places[1]} : TextRange{};
  }

  // Also of one that matches nothing.
  TextRange place() const {
    const PCRE2_SIZE* places = pcre2_get_ovector_pointer(data_.get());
    return {places[0], std::max(places[0], places[1])};
  }

  // Its first group with letters; the match itself where there are no groups.
  std::optional<std::string> FirstGroup() const {
    const std::uint32_t pairs = pcre2_get_ovector_count(data_.get());
    const PCRE2_SIZE* places = pcre2_get_ovector_pointer(data_.get());
    const std::uint32_t first = pairs == 1 ? 0 : 1;
    for (std::uint32_t i = first; i < pairs; ++i) {
      const PCRE2_SIZE from = places[2 * i];
      const PCRE2_SIZE to = places[2 * i + 1];
      if (from != PCRE2_UNSET && from < to) return std::string(text_.substr(from, to - from));
    }
    return pairs <= 2 ? std::optional<std::string>(std::string()) : std::nullopt;
  }

  // What the library says of the text from `from` on; PCRE2_ERROR_MATCHLIMIT once the time is spent.
  int Run(std::size_t from = 0) {
    budget_.Exhausted();  // starts its clock
    std::size_t slice = kFirstSlice;
    for (;;) {
      const std::size_t to = is_one_slice_ ? text_.size() : SliceEnd(from, slice);
      const std::chrono::nanoseconds before = budget_.Spent();
      const int outcome = Try(from, to);
      const std::chrono::nanoseconds took = budget_.Spent() - before;
      if (outcome == PCRE2_ERROR_MATCHLIMIT) {
        if (!AllowMore(took)) return outcome;
        continue;
      }
      if (outcome != PCRE2_ERROR_NOMATCH || to >= text_.size()) return outcome;
      if (budget_.Exhausted()) return PCRE2_ERROR_MATCHLIMIT;
      if (took < kShortSlice) slice *= kSliceGrowth;
      if (took > kShortSlice * kSliceGrowth) slice = std::max(slice / kSliceGrowth, kFirstSlice);
      from = to;
    }
  }

 private:
  std::size_t SliceEnd(std::size_t from, std::size_t size) const {
    std::size_t to = size < text_.size() - from ? from + size : text_.size();
    while (to < text_.size() && (static_cast<unsigned char>(text_[to]) & 0xc0) == 0x80) ++to;
    return to;
  }

  int Try(std::size_t from, std::size_t to) {
    if (budget_.Spent() >= kInterpreterTime) MakeMachineCode();
    pcre2_set_match_limit(context_.get(), static_cast<std::uint32_t>(steps_));
    pcre2_set_offset_limit(context_.get(), to >= text_.size() ? PCRE2_UNSET : to - 1);
    const int outcome =
        pcre2_match(machine_code_ ? machine_code_.get() : code_, reinterpret_cast<PCRE2_SPTR>(text_.data()),
                    text_.size(), from, options_, data_.get(), context_.get());
    options_ |= PCRE2_NO_UTF_CHECK;  // the first look was enough
    return outcome;
  }

  // More steps for the slice that took so long for nothing; false where there is no time for them.
  bool AllowMore(std::chrono::nanoseconds took) {
    constexpr double kDouble = 2;
    constexpr double kLeastGain = 0.25;
    const std::chrono::nanoseconds left = budget_.limit() - budget_.Spent();
    const double gain =
        static_cast<double>(left.count()) / static_cast<double>(std::max<std::int64_t>(took.count(), 1));
    if (left.count() <= 0 || gain < kLeastGain || steps_ == kStepsMost) return false;
    steps_ = std::min(
        steps_ + static_cast<std::uint64_t>(static_cast<double>(steps_) * std::min(gain, kDouble - 1)),
        kStepsMost);
    return true;
  }

  // Of a copy: the pattern is shared by threads. Where there may be no machine code the interpreter goes on.
  void MakeMachineCode() {
    if (was_made_) return;
    was_made_ = true;
    constexpr std::size_t kFirstStack = 64u << 10;
    machine_code_.reset(pcre2_code_copy(code_));
    stack_.reset(pcre2_jit_stack_create(kFirstStack, limits::kRegexMemoryBytesMax, nullptr));
    if (machine_code_ == nullptr || stack_ == nullptr ||
        pcre2_jit_compile(machine_code_.get(), PCRE2_JIT_COMPLETE) != 0) {
      machine_code_.reset();
      return;
    }
    pcre2_jit_stack_assign(context_.get(), nullptr, stack_.get());
  }

  static constexpr std::uint64_t kStepsMost = std::numeric_limits<std::uint32_t>::max();

  const pcre2_code* code_;
  std::string_view text_;
  std::uint32_t options_;
  CpuBudget& budget_;
  std::uint64_t steps_ = 0;
  bool is_one_slice_ = false;
  bool was_made_ = false;
  std::unique_ptr<pcre2_code, FreeCode> machine_code_;
  std::unique_ptr<pcre2_jit_stack, FreeStack> stack_;
  std::unique_ptr<pcre2_match_context, FreeMatchContext> context_{Made(pcre2_match_context_create(nullptr))};
  std::unique_ptr<pcre2_match_data, FreeMatchData> data_;
};

using Found = std::optional<TextRange>;

Error LimitOf(int outcome, const CpuBudget& budget) {
  if (outcome == PCRE2_ERROR_MATCHLIMIT) {
    return TooCostly(fmt::format("no result after {:g} s of computing",
                                 std::chrono::duration<double>(budget.limit()).count()));
  }
  return TooCostly(fmt::format("one search needed more than {} MB", limits::kRegexMemoryBytesMax >> 20));
}

Result<Found> Match(const pcre2_code* code, std::string_view text, std::uint32_t options, CpuBudget& budget) {
  if (text.size() > limits::kReplyBytesMax) {
    return Error{ErrorCode::kLimit,
                 fmt::format("regex limit: the text has more than {} bytes", limits::kReplyBytesMax)};
  }
  PatternSearch search(code, text, options, budget);
  const int outcome = search.Run();
  if (outcome >= 0) return Found(search.range());
  if (IsEncodingError(outcome)) {
    ASSAY_TRY(const Found found, Match(code, WellFormed(text), options, budget));
    return found ? Found(TextRange()) : found;
  }
  if (outcome == PCRE2_ERROR_NOMATCH) return Found();
  return LimitOf(outcome, budget);
}

// Null, and the library's number of the problem, where it cannot compile it.
std::unique_ptr<pcre2_code, FreeCode> CompiledOf(const std::string& translated, int& problem) {
  const std::unique_ptr<pcre2_compile_context, FreeCompileContext> context(
      Made(pcre2_compile_context_create(nullptr)));
  pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
  pcre2_set_parens_nest_limit(context.get(), kGroupsDeepMax);
  PCRE2_SIZE offset = 0;
  return std::unique_ptr<pcre2_code, FreeCode>(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(translated.data()),
                                                             translated.size(), kOptions, &problem, &offset,
                                                             context.get()));
}

// Calls `take` with each match, none within another, until it returns false. kLimit: the text is too long for
// a pattern, or takes too much time.
template <class Take>
Status EachMatch(const pcre2_code* code, std::string_view text, const Take& take) {
  if (text.size() > limits::kReplyBytesMax) {
    return Error{ErrorCode::kLimit,
                 fmt::format("regex limit: the text has more than {} bytes", limits::kReplyBytesMax)};
  }
  const std::string mended = FindInvalidUtf8(text) == std::string_view::npos ? "" : WellFormed(text);
  if (!mended.empty()) text = mended;
  CpuBudget budget(limits::kPatternTime);
  PatternSearch search(code, text, 0, budget);
  for (std::size_t from = 0; from <= text.size();) {
    const int outcome = search.Run(from);
    if (outcome == PCRE2_ERROR_NOMATCH) break;
    if (outcome < 0) return LimitOf(outcome, budget);
    if (!take(search)) break;
    const TextRange place = search.place();
    from = place.empty() ? place.to + std::max(DecodeUtf8(text, place.to).size_bytes, 1u) : place.to;
  }
  return Ok();
}

}  // namespace

struct PythonRegex::Program {
  std::unique_ptr<pcre2_code, FreeCode> code;
};

PythonRegex::PythonRegex() = default;
PythonRegex::~PythonRegex() = default;

Result<std::shared_ptr<const PythonRegex>> PythonRegex::Compile(std::string_view pattern) {
  // Groups repeated inside groups: their copies are more than their texts say.
  constexpr std::size_t kCopiedBytesLeast = 64;
  struct Open final : PythonRegex {};  // make_shared needs a public constructor
  auto regex = std::make_shared<Open>();
  regex->program_ = std::make_unique<Program>();
  int problem = 0;
  for (const std::size_t copied_bytes_max : {kCopiedBytesUsual, kCopiedBytesLeast}) {
    ASSAY_TRY(const std::string translated, TranslatePythonPattern(pattern, copied_bytes_max));
    regex->program_->code = CompiledOf(translated, problem);
    if (regex->program_->code != nullptr) return std::shared_ptr<const PythonRegex>(std::move(regex));
  }
  std::array<PCRE2_UCHAR, 256> reason{};
  pcre2_get_error_message(problem, reason.data(), reason.size());
  return Error{ErrorCode::kLimit, fmt::format("the regular expression is beyond what the engine can do ({})",
                                              reinterpret_cast<const char*>(reason.data()))};
}

Result<bool> PythonRegex::Search(std::string_view text) const {
  CpuBudget budget(limits::kPatternTime);
  return Search(text, budget);
}

Result<bool> PythonRegex::Search(std::string_view text, CpuBudget& budget) const {
  ASSAY_TRY(const Found found, Find(text, budget));
  return found.has_value();
}

Result<std::optional<TextRange>> PythonRegex::Find(std::string_view text) const {
  CpuBudget budget(limits::kPatternTime);
  return Find(text, budget);
}

Result<std::optional<TextRange>> PythonRegex::Find(std::string_view text, CpuBudget& budget) const {
  return Match(program_->code.get(), text, 0, budget);
}

Result<std::size_t> PythonRegex::Count(std::string_view text) const {
  std::size_t count = 0;
  ASSAY_CHECK_OK(EachMatch(program_->code.get(), text, [&count](const PatternSearch&) {
    ++count;
    return true;
  }));
  return count;
}

Result<std::optional<std::string>> PythonRegex::PickMatch(std::string_view text, int select) const {
  std::optional<std::string> picked;
  std::deque<std::optional<std::string>> last;  // from behind, the last ones are kept
  int number = 0;
  ASSAY_CHECK_OK(EachMatch(program_->code.get(), text, [&](const PatternSearch& match) {
    if (select < 0) {
      last.push_back(match.FirstGroup());
      if (last.size() > static_cast<std::size_t>(-select)) last.pop_front();
    } else if (number == select) {
      picked = match.FirstGroup();
    }
    return select < 0 || number++ < select;
  }));
  if (select < 0 && last.size() == static_cast<std::size_t>(-select)) picked = std::move(last.front());
  return picked;
}

Result<std::string> PythonRegex::Without(std::string_view text) const {
  const std::string mended = WellFormed(text);
  const std::string_view whole = mended;
  std::string left;
  std::size_t kept = 0;  // up to where `left` has it
  ASSAY_CHECK_OK(EachMatch(program_->code.get(), whole, [&](const PatternSearch& match) {
    const TextRange place = match.place();
    left.append(whole.substr(kept, place.from - kept));
    kept = place.to;
    return true;
  }));
  return left.append(whole.substr(kept));
}

Result<bool> PythonRegex::FullMatch(std::string_view text) const {
  CpuBudget budget(limits::kPatternTime);
  ASSAY_TRY(const Found found, Match(program_->code.get(), text, PCRE2_ANCHORED | PCRE2_ENDANCHORED, budget));
  return found.has_value();
}

}  // namespace assay

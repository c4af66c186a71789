// Compiling and matching with PCRE2's interpreter, which counts every step; its JIT does not.
#include "text/python/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <fmt/core.h>
#include <pcre2.h>

#include <array>

#include "base/assert.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "text/python/pattern.h"

namespace assay {

namespace {

constexpr std::uint32_t kOptions =
    PCRE2_UTF | PCRE2_UCP | PCRE2_DOTALL | PCRE2_MULTILINE | PCRE2_ALT_CIRCUMFLEX | PCRE2_NEVER_BACKSLASH_C;
constexpr std::size_t kCharactersPerStep = 16;  // scanned by one item, as against tried by backtracking

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

// The library's own match limit starts anew at every position of the text, and scanning is free to it.
// Callouts behind all repetitions (text/python/pattern.h) see both.
struct Steps {
  std::size_t taken = 0;
  PCRE2_SIZE start = 0;
  PCRE2_SIZE position = 0;
};

int CountStep(pcre2_callout_block* block, void* opaque) {
  auto* steps = static_cast<Steps*>(opaque);
  const PCRE2_SIZE from = block->start_match == steps->start ? steps->position : block->start_match;
  const PCRE2_SIZE to = block->current_position;
  steps->taken += 1 + (to > from ? to - from : from - to) / kCharactersPerStep;
  steps->start = block->start_match;
  steps->position = to;
  return steps->taken > limits::kPatternStepsMax ? PCRE2_ERROR_MATCHLIMIT : 0;
}

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

}  // namespace

struct PythonRegex::Program {
  std::unique_ptr<pcre2_code, FreeCode> code;
};

PythonRegex::PythonRegex() = default;
PythonRegex::~PythonRegex() = default;

Result<std::shared_ptr<const PythonRegex>> PythonRegex::Compile(std::string_view pattern) {
  ASSAY_TRY(const std::string translated, TranslatePythonPattern(pattern));
  const std::unique_ptr<pcre2_compile_context, FreeCompileContext> context(
      Made(pcre2_compile_context_create(nullptr)));
  pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
  int problem = 0;
  PCRE2_SIZE offset = 0;
  struct Open final : PythonRegex {};  // make_shared needs a public constructor
  auto regex = std::make_shared<Open>();
  regex->program_ = std::make_unique<Program>();
  std::unique_ptr<pcre2_code, FreeCode>& code = regex->program_->code;
  code.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(translated.data()), translated.size(), kOptions,
                           &problem, &offset, context.get()));
  if (code == nullptr) {
    std::array<PCRE2_UCHAR, 256> reason{};
    pcre2_get_error_message(problem, reason.data(), reason.size());
    return Error{ErrorCode::kLimit,
                 fmt::format("the regular expression is beyond what the engine can do ({})",
                             reinterpret_cast<const char*>(reason.data()))};
  }
  return std::shared_ptr<const PythonRegex>(std::move(regex));
}

Result<bool> PythonRegex::Match(std::string_view text, std::uint32_t options) const {
  if (text.size() > limits::kReplyBytesMax) {
    return Error{ErrorCode::kLimit,
                 fmt::format("regex limit: the text has more than {} bytes", limits::kReplyBytesMax)};
  }
  const std::unique_ptr<pcre2_match_context, FreeMatchContext> context(
      Made(pcre2_match_context_create(nullptr)));
  Steps steps;
  pcre2_set_callout(context.get(), CountStep, &steps);
  pcre2_set_match_limit(context.get(), static_cast<std::uint32_t>(limits::kPatternStepsMax));
  pcre2_set_heap_limit(context.get(), static_cast<std::uint32_t>(limits::kRegexMemoryBytesMax >> 10));
  const std::unique_ptr<pcre2_match_data, FreeMatchData> data(Made(pcre2_match_data_create(1, nullptr)));
  const int outcome = pcre2_match(program_->code.get(), reinterpret_cast<PCRE2_SPTR>(text.data()),
                                  text.size(), 0, options, data.get(), context.get());
  if (outcome >= 0) return true;
  if (IsEncodingError(outcome)) return Match(WellFormed(text), options);
  switch (outcome) {
    case PCRE2_ERROR_NOMATCH:
      return false;
    case PCRE2_ERROR_MATCHLIMIT:
      return TooCostly(fmt::format("no result after {} steps", limits::kPatternStepsMax));
    default:
      return TooCostly(fmt::format("one search needed more than {} MB", limits::kRegexMemoryBytesMax >> 20));
  }
}

Result<bool> PythonRegex::Search(std::string_view text) const { return Match(text, 0); }

Result<bool> PythonRegex::FullMatch(std::string_view text) const {
  return Match(text, PCRE2_ANCHORED | PCRE2_ENDANCHORED);
}

}  // namespace assay

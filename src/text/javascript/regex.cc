// Compiles and searches JavaScript regular expressions by calling QuickJS-ng's libregexp directly.
#include "text/javascript/regex.h"

#include <assay_regexp.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <set>

#include "base/limits.h"
#include "base/text/utf8.h"
#include "text/cpu_budget.h"
#include "text/limits.h"

namespace assay {

namespace {

constexpr std::size_t kCompileStackBytes = 256u << 10;
// The engine asks for memory a few times per group and class; looking at the clock each time would double the
// cost.
constexpr int kAllocationsPerTimeCheck = 64;
constexpr std::size_t kMatchesPerTimeCheck = 64;
// Two pointers a group and up to 255 counters, as the compiled form's one-byte counts allow.
constexpr std::size_t kCapturesMax = 3 * 256;

// What the engine's callbacks need to know about the compilation or search that is running.
struct Guard {
  CpuBudget cpu{limits::kRegexTime};
  const char* stack_top = nullptr;
  int allocations = 0;
  bool out_of_time = false;
};

struct FreeBytes {
  void operator()(std::uint8_t* bytes) const { std::free(bytes); }
};
using Bytecode = std::unique_ptr<std::uint8_t, FreeBytes>;

// The engine reads patterns without the u flag as UTF-16 units, each in its own UTF-8 form (CESU-8).
std::string EnginePattern(std::string_view pattern, bool unicode) {
  if (IsAscii(pattern)) return std::string(pattern);
  const std::u16string units = ToUtf16(pattern);
  if (unicode) return ToUtf8(units);
  std::string out;
  for (const char16_t unit : units) AppendUtf8(unit, out);
  return out;
}

// (?i: and its kin, which the engine knows.
bool HasInlineModifier(std::string_view pattern) {
  bool in_class = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\') {
      ++i;
    } else if (in_class) {
      in_class = c != ']';
    } else if (c == '[') {
      in_class = true;
    } else if (c == '(' && i + 2 < pattern.size() && pattern[i + 1] == '?' &&
               std::string_view("ims-").find(pattern[i + 2]) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

// The same holds for a group name that is used in two alternatives.
bool HasDuplicateName(const std::uint8_t* bytecode) {
  const char* name = lre_get_groupnames(bytecode);
  if (name == nullptr) return false;
  std::set<std::string_view> seen;
  for (int group = 1; group < lre_get_capture_count(bytecode); ++group) {
    const std::string_view text(name);
    if (!text.empty() && !seen.insert(text).second) return true;
    name += text.size() + LRE_GROUP_NAME_TRAILER_LEN;
  }
  return false;
}

Error Invalid(std::string_view reason) {
  return {.code = ErrorCode::kInvalidInput,
          .message = "this is not a JavaScript regular expression: " + std::string(reason)};
}

Error OverLimit(std::string_view what) {
  return {.code = ErrorCode::kLimit, .message = "the regular expression " + std::string(what)};
}

Error SearchLimit(bool is_time) {
  if (is_time) {
    return OverLimit("was still searching after " + std::to_string(limits::kRegexTime.count()) +
                     " ms; repetitions inside repetitions, such as (a+)+, are the usual cause");
  }
  return OverLimit("needed more than " + std::to_string(limits::kRegexMemoryBytesMax >> 20) +
                   " MB for one search; simplify it");
}

// How many bytes of UTF-8 the first UTF-16 units take.
std::size_t BytesOfUnits(std::u16string_view units) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const bool is_pair =
        (units[i] & 0xFC00) == 0xD800 && i + 1 < units.size() && (units[i + 1] & 0xFC00) == 0xDC00;
    bytes += is_pair ? 4 : units[i] < 0x80 ? 1 : units[i] < 0x800 ? 2 : 3;
    if (is_pair) ++i;
  }
  return bytes;
}

// Where each UTF-16 unit of a text stands in it, and its end. Both units of a pair stand where it begins.
std::vector<std::size_t> PlacesOfUnits(std::string_view text) {
  constexpr char32_t kLastOfOneUnit = 0xFFFF;
  std::vector<std::size_t> places;
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCodePoint next = DecodeUtf8(text, at);
    places.insert(places.end(), next.code_point > kLastOfOneUnit ? 2 : 1, at);
    at += next.size_bytes;
  }
  places.push_back(text.size());
  return places;
}

// Turns the engine's places into bytes of the text, in whatever form the subject was searched. It is fast if
// each place that it is asked for stands near the one before.
class BytePlaces {
 public:
  explicit BytePlaces(RegexSubject& subject) : is_ascii_(subject.is_ascii()) {
    if (!is_ascii_) units_ = subject.utf16();
    start_ = reinterpret_cast<const std::uint8_t*>(is_ascii_ ? subject.text().data()
                                                             : static_cast<const void*>(units_.data()));
    // A byte that is no UTF-8 and half of a pair take other sizes than their units do in UTF-8.
    if (!is_ascii_ && FindInvalidUtf8(subject.text()) != std::string_view::npos)
      places_ = PlacesOfUnits(subject.text());
  }

  std::size_t UnitOf(const std::uint8_t* place) const {
    return static_cast<std::size_t>(place - start_) / (is_ascii_ ? 1 : sizeof(char16_t));
  }

  std::size_t ByteOf(std::size_t unit) {
    if (is_ascii_) return unit;
    if (!places_.empty()) return places_[unit];
    // A place within a pair is where the pair begins.
    if (unit > 0 && unit < units_.size() && (units_[unit - 1] & 0xFC00) == 0xD800 &&
        (units_[unit] & 0xFC00) == 0xDC00)
      --unit;
    // A group of a lookbehind stands before its match.
    if (unit < units_before_) {
      bytes_before_ -= BytesOfUnits(units_.substr(unit, units_before_ - unit));
    } else {
      bytes_before_ += BytesOfUnits(units_.substr(units_before_, unit - units_before_));
    }
    units_before_ = unit;
    return bytes_before_;
  }

  TextRange RangeOf(const std::uint8_t* from, const std::uint8_t* to) {
    if (from == nullptr || to == nullptr || to <= from) return {};
    const std::size_t first = ByteOf(UnitOf(from));
    return {first, ByteOf(UnitOf(to))};
  }

 private:
  bool is_ascii_;
  std::u16string_view units_;
  const std::uint8_t* start_ = nullptr;
  std::vector<std::size_t> places_;  // of texts that are no well-formed UTF-8
  std::size_t units_before_ = 0;     // of which it is known how many bytes they are
  std::size_t bytes_before_ = 0;
};

int EngineFlags(JsRegexFlags flags) {
  const auto bits = static_cast<unsigned>(flags);
  int engine = 0;
  if ((bits & static_cast<unsigned>(JsRegexFlags::kIgnoreCase)) != 0) engine |= LRE_FLAG_IGNORECASE;
  if ((bits & static_cast<unsigned>(JsRegexFlags::kUnicode)) != 0) engine |= LRE_FLAG_UNICODE;
  return engine;
}

}  // namespace

// The callbacks that the engine's second copy expects (third_party/quickjs/assay_regexp.h).
extern "C" {

bool lre_check_stack_overflow(void* opaque, std::size_t alloca_size) {
  const auto* guard = static_cast<const Guard*>(opaque);
  const auto* here = static_cast<const char*>(__builtin_frame_address(0));
  return static_cast<std::size_t>(guard->stack_top - here) + alloca_size > kCompileStackBytes;
}

int lre_check_timeout(void* opaque) {
  auto* guard = static_cast<Guard*>(opaque);
  guard->out_of_time = guard->cpu.Exhausted();
  return guard->out_of_time ? 1 : 0;
}

// Refusing memory is also the only way to stop a compilation, which polls no timeout.
void* lre_realloc(void* opaque, void* block, std::size_t size) {
  if (size == 0) {
    std::free(block);
    return nullptr;
  }
  auto* guard = static_cast<Guard*>(opaque);
  if (++guard->allocations % kAllocationsPerTimeCheck == 0) lre_check_timeout(guard);
  if (guard->out_of_time || size > limits::kRegexMemoryBytesMax) return nullptr;
  return std::realloc(block, size);
}

}  // extern "C"

namespace {

// The first of the groups that took part and is not empty, or the match where there are none; more than
// `groups` if there is no such part.
std::size_t FirstGroup(const std::uint8_t* const* captures, std::size_t groups) {
  for (std::size_t group = groups == 0 ? 0 : 1; group <= groups; ++group) {
    const std::uint8_t* from = captures[2 * group];
    if (from != nullptr && captures[2 * group + 1] > from) return group;
  }
  return groups + 1;
}

}  // namespace

bool RegexSubject::is_ascii() {
  if (ascii_ < 0) ascii_ = IsAscii(text_) ? 1 : 0;
  return ascii_ == 1;
}

const std::u16string& RegexSubject::utf16() {
  if (!has_utf16_) utf16_ = ToUtf16(text_);
  has_utf16_ = true;
  return utf16_;
}

struct JsRegex::Program {
  Bytecode bytecode;
  // The ASCII characters that a match can start with; most positions of most texts are passed over by them.
  bool has_starts = false;
  std::array<std::uint8_t, 128> starts{};
};

JsRegex::JsRegex() = default;
JsRegex::~JsRegex() = default;

Result<std::shared_ptr<const JsRegex>> JsRegex::Compile(std::string_view pattern, JsRegexFlags flags,
                                                        InlineModifiers modifiers) {
  if (pattern.size() > limits::kRegexBytesMax) {
    return OverLimit("is longer than " + std::to_string(limits::kRegexBytesMax) + " bytes; shorten it");
  }
  if (modifiers == InlineModifiers::kRefused && HasInlineModifier(pattern)) {
    return Invalid(
        "flags inside the pattern, such as (?i), do not exist; use the function that ignores case");
  }
  const int engine_flags = EngineFlags(flags);
  const std::string text = EnginePattern(pattern, (engine_flags & LRE_FLAG_UNICODE) != 0);
  Guard guard;
  guard.stack_top = static_cast<const char*>(__builtin_frame_address(0));
  guard.cpu.Exhausted();
  std::array<char, 128> reason{};
  int size_bytes = 0;
  Bytecode bytecode(lre_compile(&size_bytes, reason.data(), static_cast<int>(reason.size()), text.c_str(),
                                text.size(), engine_flags, &guard));
  if (guard.out_of_time) return OverLimit("took too long to compile; simplify it");
  if (bytecode == nullptr) return Invalid(reason.data());
  if (HasDuplicateName(bytecode.get())) return Invalid("two groups have the same name");
  struct Open final : JsRegex {};  // make_shared needs a public constructor
  auto regex = std::make_shared<Open>();
  regex->program_ = std::make_unique<Program>(Program{.bytecode = std::move(bytecode)});
  Program& program = *regex->program_;
  program.has_starts = assay_lre_first_ascii(program.bytecode.get(), program.starts.data()) != 0;
  return std::shared_ptr<const JsRegex>(std::move(regex));
}

int JsRegex::Execute(const Program& program, RegexSubject& subject, void* guard, std::uint8_t** captures) {
  const std::uint8_t* bytecode = program.bytecode.get();
  if (!subject.is_ascii()) {
    const std::u16string& units = subject.utf16();
    return lre_exec(captures, bytecode, reinterpret_cast<const std::uint8_t*>(units.data()), 0,
                    static_cast<int>(units.size()), 1, guard);
  }
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(subject.text().data());
  const int count = static_cast<int>(subject.text().size());
  if (!program.has_starts) return lre_exec(captures, bytecode, bytes, 0, count, 0, guard);
  return assay_lre_exec_ascii(captures, bytecode, bytes, 0, count, program.starts.data(), guard);
}

int JsRegex::ExecuteFrom(const Program& program, RegexSubject& subject, std::size_t from, void* guard,
                         std::uint8_t** captures) {
  const bool is_ascii = subject.is_ascii();
  const auto* units = is_ascii ? reinterpret_cast<const std::uint8_t*>(subject.text().data())
                               : reinterpret_cast<const std::uint8_t*>(subject.utf16().data());
  const std::size_t count = is_ascii ? subject.text().size() : subject.utf16().size();
  if (is_ascii && program.has_starts) {
    return assay_lre_exec_ascii(captures, program.bytecode.get(), units, static_cast<int>(from),
                                static_cast<int>(count), program.starts.data(), guard);
  }
  return lre_exec(captures, program.bytecode.get(), units, static_cast<int>(from), static_cast<int>(count),
                  is_ascii ? 0 : 1, guard);
}

Result<bool> JsRegex::Search(RegexSubject& subject) const {
  ASSAY_TRY(const std::optional<TextRange> found, Find(subject));
  return found.has_value();
}

Result<std::optional<TextRange>> JsRegex::Find(RegexSubject& subject) const {
  if (subject.text().size() > limits::kReplyBytesMax) {
    return OverLimit("was given a text of more than " + std::to_string(limits::kReplyBytesMax) + " bytes");
  }
  Guard guard;
  std::array<std::uint8_t*, kCapturesMax> captures;
  const int outcome = Execute(*program_, subject, &guard, captures.data());
  if (outcome == 0) return std::optional<TextRange>();
  if (outcome == 1) return std::optional(BytePlaces(subject).RangeOf(captures[0], captures[1]));
  return SearchLimit(outcome == LRE_RET_TIMEOUT || guard.out_of_time);
}

Result<std::vector<TextRange>> JsRegex::FindAll(RegexSubject& subject) const {
  return FindEach(subject, Taken::kMatch);
}

Result<std::vector<TextRange>> JsRegex::FindAllGroups(RegexSubject& subject) const {
  return FindEach(subject, Taken::kGroup);
}

Result<std::vector<TextRange>> JsRegex::FindEach(RegexSubject& subject, Taken taken) const {
  if (subject.text().size() > limits::kReplyBytesMax) {
    return OverLimit("was given a text of more than " + std::to_string(limits::kReplyBytesMax) + " bytes");
  }
  Guard guard;
  std::array<std::uint8_t*, kCapturesMax> captures;
  BytePlaces places(subject);
  const std::size_t count = subject.is_ascii() ? subject.text().size() : subject.utf16().size();
  const auto groups = static_cast<std::size_t>(lre_get_capture_count(program_->bytecode.get()) - 1);
  std::vector<TextRange> found;
  for (std::size_t from = 0; from <= count;) {
    const int outcome = ExecuteFrom(*program_, subject, from, &guard, captures.data());
    if (outcome == 0) break;
    if (outcome != 1) return SearchLimit(outcome == LRE_RET_TIMEOUT || guard.out_of_time);
    if (found.size() % kMatchesPerTimeCheck == 0 && guard.cpu.Exhausted()) return SearchLimit(true);
    const std::size_t first = places.UnitOf(captures[0]);
    const std::size_t behind = places.UnitOf(captures[1]);
    from = behind > first ? behind : behind + 1;
    const std::size_t part = taken == Taken::kMatch ? 0 : FirstGroup(captures.data(), groups);
    if (part > groups) continue;
    const std::size_t first_byte = places.ByteOf(places.UnitOf(captures[2 * part]));
    found.push_back({first_byte, places.ByteOf(places.UnitOf(captures[2 * part + 1]))});
  }
  return found;
}

}  // namespace assay

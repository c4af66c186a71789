// Reads a judge's reply: finds the classification and the reflection between their tags, and maps the class
// to the scale's score.
#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "base/errors/diagnostics.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "checks/judge/judge.h"
#include "text/javascript/text.h"
#include "text/letters/seen_letters.h"

namespace assay {
namespace {

constexpr std::string_view kClassPrefix = "CLASS_";
constexpr std::string_view kReflectionOpen = "<reflection>";
constexpr std::string_view kReflectionClose = "</reflection>";
constexpr std::string_view kClassOpen = "<classification>";
constexpr std::string_view kClassClose = "</classification>";
constexpr std::string_view kCommentOpen = "<!--";
constexpr std::string_view kCommentClose = "-->";
constexpr std::size_t kFenceMarksMin = 3;   // as CommonMark has it
constexpr std::size_t kFenceIndentMax = 3;  // likewise

constexpr JudgeClass kScale[] = {
    {"CLASS_UTTERLY_UNMET", 0, "the text does the opposite or contradicts the criterion"},
    {"CLASS_UNMET", 0.001, "nothing in the text meets the criterion"},
    {"CLASS_TRACE", 0.125, "a faint hint of it, no more"},
    {"CLASS_SLIGHT", 0.25, "a small part of it"},
    {"CLASS_PARTIAL", 0.375, "clearly some of it, but less than half"},
    {"CLASS_MODERATE", 0.5, "about half of it"},
    {"CLASS_SUBSTANTIAL", 0.625, "rather more than half of it"},
    {"CLASS_MAJOR", 0.75, "most of it, with a gap that matters"},
    {"CLASS_VERY_NEARLY", 0.875, "all but a detail of it"},
    {"CLASS_EXACT", 1, "all of it"},
};

// The text between the first opening tag and the first closing tag behind it.
std::optional<std::string_view> FirstTag(std::string_view text, std::string_view open,
                                         std::string_view close) {
  const std::size_t start = text.find(open);
  if (start == std::string_view::npos) return std::nullopt;
  const std::size_t inside = start + open.size();
  const std::size_t end = text.find(close, inside);
  if (end == std::string_view::npos) return std::nullopt;
  return text.substr(inside, end - inside);
}

// The class that stands between two tags, whatever its case and with or without its prefix.
Result<const JudgeClass*> ClassOf(std::string_view text) {
  std::string name = JsToUpper(JsTrim(text));
  if (!name.starts_with(kClassPrefix)) name.insert(0, kClassPrefix);
  const auto* found = std::find_if(std::begin(kScale), std::end(kScale),
                                   [&name](const JudgeClass& c) { return c.name == name; });
  if (found == std::end(kScale)) return UnreadableReply("a class of the judge's scale (CLASS_EXACT)", text);
  return found;
}

// The line that `rest` begins with, its end included.
std::string_view FirstLine(std::string_view rest) {
  return rest.substr(0, std::min(rest.find('\n'), rest.size() - 1) + 1);
}

// The marks that a line of a fence begins with ("```"); "" if it is none.
std::string_view FenceMarks(std::string_view line) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  line.remove_prefix(indent);
  if (indent > kFenceIndentMax || line.empty() || (line[0] != '`' && line[0] != '~')) return {};
  const std::string_view marks = line.substr(0, std::min(line.find_first_not_of(line[0]), line.size()));
  if (marks.size() < kFenceMarksMin) return {};
  const bool is_inline_code = line[0] == '`' && line.find('`', marks.size()) != std::string_view::npos;
  return is_inline_code ? std::string_view() : marks;
}

bool ClosesFence(std::string_view line, std::string_view opening) {
  const std::string_view marks = FenceMarks(line);
  return marks.starts_with(opening) && JsTrim(line).size() == marks.size();
}

// How many bytes the fence at the start of `rest` has, up to and with the line that closes it; all, if none
// does.
std::size_t FenceSize(std::string_view rest, std::string_view opening) {
  std::size_t end = FirstLine(rest).size();
  while (end < rest.size()) {
    const std::string_view line = FirstLine(rest.substr(end));
    end += line.size();
    if (ClosesFence(line, opening)) break;
  }
  return end;
}

// The reply without a code fence that is put around all of it.
std::string_view WithoutOuterFence(std::string_view text) {
  text = JsTrim(text);
  if (text.empty()) return text;
  const std::string_view first = FirstLine(text);
  const std::string_view opening = FenceMarks(first);
  if (opening.empty() || FenceSize(text, opening) != text.size()) return text;
  const std::size_t last = text.rfind('\n');
  if (last == std::string_view::npos || !ClosesFence(text.substr(last + 1), opening)) return text;
  return text.substr(first.size(), last + 1 - first.size());
}

std::string_view LastLine(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  return text.substr(text.rfind('\n') + 1);  // npos + 1 is 0
}

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// The letters of a class's name without its prefix, as SeenLetters has them, longest first: UTTERLY_UNMET
// holds UNMET.
struct SeenClass {
  std::string letters;
  const JudgeClass* is;
};
const std::vector<SeenClass>& SeenClasses() {
  static const std::vector<SeenClass> kSeen = [] {
    std::vector<SeenClass> seen;
    for (const JudgeClass& each : kScale)
      seen.push_back({SeenLetters(each.name.substr(kClassPrefix.size())), &each});
    std::stable_sort(seen.begin(), seen.end(), [](const SeenClass& a, const SeenClass& b) {
      return a.letters.size() > b.letters.size();
    });
    return seen;
  }();
  return kSeen;
}

// The first class but `own` whose name a reader sees in a text, however it is written; null: none.
const JudgeClass* OtherClassIn(std::string_view text, const JudgeClass* own) {
  const std::string letters = SeenLetters(text);
  for (std::size_t at = 0; at < letters.size();) {
    const std::string_view rest = std::string_view(letters).substr(at);
    const auto& classes = SeenClasses();
    const auto found = std::find_if(classes.begin(), classes.end(),
                                    [rest](const SeenClass& each) { return rest.starts_with(each.letters); });
    if (found == classes.end()) {
      ++at;
    } else if (found->is != own) {
      return found->is;
    } else {
      at += found->letters.size();
    }
  }
  return nullptr;
}

// "</output>" at the start of `rest`: what closes a wrapper around the reply; "" if there is none.
std::string_view ClosingTag(std::string_view rest) {
  if (!rest.starts_with("</")) return {};
  const std::size_t end = rest.find('>');
  if (end == std::string_view::npos) return {};
  const std::string_view name = rest.substr(2, end - 2);
  const bool is_name = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return IsAsciiAlphanumeric(c) || c == '_' || c == '-';
  });
  return is_name ? rest.substr(0, end + 1) : std::string_view();
}

// Goes through a reply once and keeps what stands outside of comments, fences and the reflection. An answer
// that a judge quotes may have written any part of a reply, so all that is left must not say otherwise.
class ReplyReader {
 public:
  explicit ReplyReader(std::string_view text) : text_(text), rest_(WithoutOuterFence(text)) {}

  Result<JudgeVerdict> Read() {
    bool is_line_start = true;
    while (!rest_.empty()) {
      ASSAY_TRY(is_line_start, TakePiece(is_line_start));
    }
    if (!reflection_) return UnreadableReply("a verdict with <reflection>...</reflection>", text_);
    if (!is_given_behind_)
      return UnreadableReply("<classification>...</classification> behind the reflection", text_);
    ASSAY_CHECK_OK(CheckOutside());
    return JudgeVerdict{class_->score, std::string(JsTrim(*reflection_))};
  }

 private:
  // One piece of the rest; whether a line begins behind it.
  Result<bool> TakePiece(bool is_line_start) {
    const std::string_view marks = is_line_start ? FenceMarks(FirstLine(rest_)) : std::string_view();
    if (!marks.empty() && !is_given_behind_) {
      const std::string_view fence = rest_.substr(0, FenceSize(rest_, marks));
      if (!ClosesFence(LastLine(fence), marks)) return UnreadableReply("a code fence that is closed", text_);
      rest_.remove_prefix(fence.size());
      return true;
    }
    if (rest_.starts_with(kCommentOpen)) {
      const std::size_t end = rest_.find(kCommentClose, kCommentOpen.size());
      if (end == std::string_view::npos) return UnreadableReply("a comment that is closed", text_);
      rest_.remove_prefix(end + kCommentClose.size());
    } else if (!reflection_ && rest_.starts_with(kReflectionOpen)) {
      ASSAY_TRY(reflection_, TakeElement(kReflectionOpen, kReflectionClose));
    } else if (rest_.starts_with(kClassOpen)) {
      ASSAY_CHECK_OK(TakeClass());
    } else {
      return TakeText();
    }
    return false;
  }

  // A character; behind the verdict only what nobody sees.
  Result<bool> TakeText() {
    const std::string_view closing = is_given_behind_ ? ClosingTag(rest_) : std::string_view();
    const std::size_t size = closing.empty() ? DecodeUtf8(rest_, 0).size_bytes : closing.size();
    if (is_given_behind_ && closing.empty() && !JsTrim(rest_.substr(0, size)).empty())
      return UnreadableReply("nothing behind </classification>", rest_);
    const bool is_line_end = rest_.front() == '\n';
    rest_.remove_prefix(size);
    return is_line_end;
  }

  // What stands outside of the reflection, in comments and fences too, names no other class in any spelling,
  // and nothing behind it tells of a further reflection.
  Status CheckOutside() const {
    const std::size_t begin = static_cast<std::size_t>(reflection_->data() - text_.data());
    const std::string_view before = text_.substr(0, begin - kReflectionOpen.size());
    const std::string_view behind = text_.substr(begin + reflection_->size() + kReflectionClose.size());
    static const std::string kSeenReflection = SeenLetters("reflection");
    if (SeenLetters(behind).find(kSeenReflection) != std::string::npos)
      return UnreadableReply("one reflection", text_);
    for (const std::string_view part : {before, behind}) {
      if (const JudgeClass* other = OtherClassIn(part, class_); other != nullptr)
        return UnreadableReply(fmt::format("no class but {} outside of the reflection", class_->name), text_);
    }
    return Ok();
  }

  // What stands between the tag that `rest_` begins with and the one that closes it.
  Result<std::string_view> TakeElement(std::string_view open, std::string_view close) {
    const auto inside = FirstTag(rest_, open, close);
    if (!inside) return UnreadableReply(fmt::format("{} behind {}", close, open), text_);
    rest_.remove_prefix(open.size() + inside->size() + close.size());
    return *inside;
  }

  Status TakeClass() {
    const bool is_code = rest_.data() > text_.data() && rest_.data()[-1] == '`';
    if (is_code) return UnreadableReply("a class that is no quotation", text_);
    ASSAY_TRY(const std::string_view name, TakeElement(kClassOpen, kClassClose));
    if (!IsAscii(name)) return UnreadableReply("a class of the judge's scale (CLASS_EXACT)", name);
    ASSAY_TRY(const JudgeClass* found, ClassOf(name));
    if (class_ != nullptr && class_ != found) {
      return Error{ErrorCode::kInvalidInput,
                   fmt::format("expected one class, found {} and {}", class_->name, found->name)};
    }
    class_ = found;
    is_given_behind_ = is_given_behind_ || reflection_.has_value();
    return Ok();
  }

  std::string_view text_;
  std::string_view rest_;
  std::optional<std::string_view> reflection_;
  const JudgeClass* class_ = nullptr;
  bool is_given_behind_ = false;  // a class stands behind the reflection
};

Result<JudgeVerdict> ReadFirstTags(std::string_view text) {
  const auto reflection = FirstTag(text, kReflectionOpen, kReflectionClose);
  if (!reflection) return UnreadableReply("a verdict with <reflection>...</reflection>", text);
  const auto class_text = FirstTag(text, kClassOpen, kClassClose);
  if (!class_text) return UnreadableReply("a verdict with <classification>...</classification>", text);
  ASSAY_TRY(const JudgeClass* found, ClassOf(*class_text));
  return JudgeVerdict{found->score, std::string(JsTrim(*reflection))};
}

// A text without what stands in quotation marks or backticks.
std::string WithoutQuotations(std::string_view text) {
  struct Marks {
    std::string_view open;
    std::string_view close;
  };
  constexpr Marks kMarks[] = {{"\"", "\""}, {"`", "`"}, {"“", "”"}, {"„", "“"}, {"«", "»"}};
  std::string own;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    const auto* marks = std::find_if(std::begin(kMarks), std::end(kMarks),
                                     [rest](const Marks& m) { return rest.starts_with(m.open); });
    const std::size_t close =
        marks == std::end(kMarks) ? std::string_view::npos : rest.find(marks->close, marks->open.size());
    if (close == std::string_view::npos) {
      own += text[at++];
    } else {
      own += ' ';
      at += close + marks->close.size();
    }
  }
  return own;
}

bool IsNameByte(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }

}  // namespace

bool SpeaksAgainst(std::string_view reflection, double score) {
  const std::string own = WithoutQuotations(reflection);
  bool names_other = false;
  for (std::size_t at = 0; at < own.size();) {
    std::size_t end = at;
    while (end < own.size() && IsNameByte(own[end])) ++end;
    std::string_view word = std::string_view(own).substr(at, end - at);
    at = std::max(end, at + 1);
    if (word.starts_with(kClassPrefix)) word.remove_prefix(kClassPrefix.size());
    const auto* named = std::find_if(std::begin(kScale), std::end(kScale), [word](const JudgeClass& c) {
      return c.name.substr(kClassPrefix.size()) == word;
    });
    if (named == std::end(kScale)) continue;
    if (named->score == score) return false;
    names_other = true;
  }
  return names_other;
}

std::span<const JudgeClass> JudgeScale() { return kScale; }

Error UnreadableReply(std::string_view expected, std::string_view found) {
  return {ErrorCode::kInvalidInput, fmt::format("expected {}, found {}", expected, Quoted(found))};
}

std::string AssumedVerdictText(VerdictForm form) {
  const std::string_view best = std::prev(std::end(kScale))->name;
  if (form == VerdictForm::kJson)
    return fmt::format(R"({{"reflection":"assumed","classification":"{}"}})", best);
  return fmt::format("{}assumed{}\n{}{}{}", kReflectionOpen, kReflectionClose, kClassOpen, best, kClassClose);
}

Result<JudgeVerdict> ParseJudgeReply(std::string_view text, JudgeReading reading) {
  if (JsTrim(text).empty()) return UnreadableReply("a judge's verdict", "");
  return reading == JudgeReading::kFirstTags ? ReadFirstTags(text) : ReplyReader(text).Read();
}

}  // namespace assay

// The text families `contains`, `starts_with`, `ends_with`, exact and with any letter case.
//
// JavaScript compares UTF-16 code units; comparing UTF-8 bytes is the same unless the searched text holds
// half of a surrogate pair, which may be found inside a whole one. Letter case goes through toLowerCase() on
// both sides.
#include <optional>
#include <string>

#include "base/text/utf8.h"
#include "checks/text/text_tests.h"
#include "text/javascript/text.h"

namespace assay {
namespace {

enum class Place { kAnywhere, kStart, kEnd };
enum class Letters { kExact, kAnyCase };

// In WTF-8 a lone surrogate is ED A0..BF xx; no other sequence starts so.
bool HasLoneSurrogate(std::string_view text) {
  for (std::size_t i = text.find('\xED'); i != std::string_view::npos; i = text.find('\xED', i + 1)) {
    if (i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) >= 0xA0) return true;
  }
  return false;
}

// In units of the text.
template <Place place, class Text>
TextFound FindIn(const Text& text, const Text& wanted) {
  if constexpr (place == Place::kStart)
    return text.starts_with(wanted) ? TextFound(TextRange{0, wanted.size()}) : TextFound();
  if constexpr (place == Place::kEnd)
    return text.ends_with(wanted) ? TextFound(TextRange{text.size() - wanted.size(), text.size()})
                                  : TextFound();
  const std::size_t at = text.find(wanted);
  return at == Text::npos ? TextFound() : TextFound(TextRange{at, at + wanted.size()});
}

template <Letters letters>
std::string_view Shown(AnswerView& answer) {
  if constexpr (letters == Letters::kAnyCase) return answer.js_lower();
  return answer.text();
}

template <Place place, Letters letters>
Result<TextTest> MakeTest(std::string_view text) {
  std::string wanted = letters == Letters::kAnyCase ? JsToLower(text) : std::string(text);
  if (HasLoneSurrogate(wanted)) {
    return TextTest([wanted = ToUtf16(wanted)](AnswerView& answer) -> Result<TextFound> {
      const std::u16string units = ToUtf16(Shown<letters>(answer));
      const bool is_there =
          FindIn<place>(std::u16string_view(units), std::u16string_view(wanted)).has_value();
      return is_there ? TextFound(TextRange()) : TextFound();
    });
  }
  return TextTest([wanted = std::move(wanted)](AnswerView& answer) -> Result<TextFound> {
    TextFound found = FindIn<place>(Shown<letters>(answer), std::string_view(wanted));
    if (letters == Letters::kAnyCase && found) found = answer.OfLower(*found);
    return found;
  });
}

template <Place place, Letters letters>
constexpr TextFamily kFamily{MakeTest<place, letters>, "a text", nullptr, true};

}  // namespace

const TextFamily kContains = kFamily<Place::kAnywhere, Letters::kExact>;
const TextFamily kIcontains = kFamily<Place::kAnywhere, Letters::kAnyCase>;
const TextFamily kStartsWith = kFamily<Place::kStart, Letters::kExact>;
const TextFamily kIstartsWith = kFamily<Place::kStart, Letters::kAnyCase>;
const TextFamily kEndsWith = kFamily<Place::kEnd, Letters::kExact>;
const TextFamily kIendsWith = kFamily<Place::kEnd, Letters::kAnyCase>;

}  // namespace assay

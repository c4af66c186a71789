// Resolves numeric entities, letters by their names, compatibility forms (UAX 15) and lookalikes (UTS 39) by
// ICU.
#include "text/letters/seen_letters.h"

#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/uspoof.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <unordered_map>

#include "base/text/ascii.h"
#include "base/text/utf8.h"

namespace assay {

namespace {

// "&#85;", "&#x55;": the character, and how many bytes stand for it; 0 where there is none. Entities with
// names are no letters of ASCII.
struct Entity {
  char32_t code_point = 0;
  std::size_t size_bytes = 0;
};
Entity NumericEntity(std::string_view rest) {
  if (!rest.starts_with("&#")) return {};
  const bool is_hex = rest.size() > 2 && (rest[2] == 'x' || rest[2] == 'X');
  const char* begin = rest.data() + (is_hex ? 3 : 2);
  const char* end = rest.data() + rest.size();
  std::uint32_t number = 0;
  const auto [after, error] = std::from_chars(std::min(begin, end), end, number, is_hex ? 16 : 10);
  if (error != std::errc() || after == begin || number > 0x10ffff) return {};
  const bool is_closed = after != end && *after == ';';
  return {number, static_cast<std::size_t>(after - rest.data()) + (is_closed ? 1 : 0)};
}

std::string WithoutEntities(std::string_view text) {
  std::string read;
  for (std::size_t at = 0; at < text.size();) {
    const Entity entity = NumericEntity(text.substr(at));
    if (entity.size_bytes == 0) {
      read += text[at++];
    } else {
      AppendUtf8(entity.code_point, read);
      at += entity.size_bytes;
    }
  }
  return read;
}

// The Latin letter that a name is about: "TAG LATIN SMALL LETTER E", "LATIN LETTER SMALL CAPITAL E",
// "REGIONAL INDICATOR SYMBOL LETTER E", "LATIN CAPITAL LETTER E WITH STROKE"; 0 if there is none.
char LetterOfName(std::string_view name) {
  name = name.substr(0, name.find(" WITH "));
  const std::size_t blank = name.rfind(' ');
  const bool is_one = blank != std::string_view::npos && blank + 2 == name.size();
  return is_one && IsAsciiLetter(name.back()) ? name.back() : '\0';
}

using Looks = std::unordered_map<UChar32, char>;

struct Range {
  UChar32 first, last;
};

// Letters that look like one of ASCII as they are, while their capitals may not: the small "ո" of Armenian.
void AddSkeletons(Looks& looks) {
  constexpr Range kAlphabets[] = {{0x80, 0x2fff}, {0xa4d0, 0xabff}, {0x10280, 0x118ff}};
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<USpoofChecker, void (*)(USpoofChecker*)> checker(uspoof_open(&status), uspoof_close);
  if (U_FAILURE(status)) return;
  for (const Range& range : kAlphabets) {
    for (UChar32 each = range.first; each <= range.last; ++each) {
      if (!u_isalpha(each)) continue;
      const icu::UnicodeString text(each);
      UChar seen[2];
      status = U_ZERO_ERROR;
      const int32_t size =
          uspoof_getSkeleton(checker.get(), 0, text.getBuffer(), text.length(), seen, 2, &status);
      if (U_SUCCESS(status) && size == 1 && seen[0] < 0x80 && IsAsciiLetter(seen[0]))
        looks.emplace(each, static_cast<char>(seen[0]));
    }
  }
}

// Letters that normal forms do not lead to the Latin letter that they look like.
Looks LooksByName() {
  constexpr Range kBeyondScript[] = {{0x249c, 0x24e9}, {0x1f100, 0x1f1ff}, {0xe0041, 0xe007a}};
  constexpr UChar32 kLatinEnd = 0x20000;
  constexpr std::size_t kNameMax = 128;
  Looks looks = {{0x03f2, 'C'}, {0x03f9, 'C'}, {0x20ac, 'E'}, {0x2c88, 'E'}, {0x2c89, 'E'}, {0x2c80, 'A'},
                 {0x2c81, 'A'}, {0x15f4, 'E'}, {0x15e9, 'A'}, {0xa4d5, 'T'}, {0x2020, 'T'}, {0x274c, 'X'}};
  const auto add = [&looks](UChar32 code_point) {
    char name[kNameMax];
    UErrorCode status = U_ZERO_ERROR;
    const int32_t size = u_charName(code_point, U_UNICODE_CHAR_NAME, name, kNameMax, &status);
    if (U_FAILURE(status) || size <= 0) return;
    const char letter = LetterOfName(std::string_view(name, static_cast<std::size_t>(size)));
    if (letter != '\0') looks.emplace(code_point, letter);
  };
  for (UChar32 each = 0x80; each < kLatinEnd; ++each) {
    UErrorCode status = U_ZERO_ERROR;
    if (uscript_getScript(each, &status) == USCRIPT_LATIN) add(each);
  }
  for (const Range& range : kBeyondScript) {
    for (UChar32 each = range.first; each <= range.last; ++each) add(each);
  }
  AddSkeletons(looks);
  return looks;
}

// Before anything else: other tables drop tag characters, and make Greek letters of lunate sigmas.
icu::UnicodeString WithNamedLetters(const icu::UnicodeString& text) {
  static const Looks kLooks = LooksByName();
  icu::UnicodeString read;
  for (int32_t at = 0; at < text.length(); at = text.moveIndex32(at, 1)) {
    const UChar32 each = text.char32At(at);
    const auto found = kLooks.find(each);
    read.append(found == kLooks.end() ? each : static_cast<UChar32>(found->second));
  }
  return read;
}

icu::UnicodeString WithoutForms(const icu::UnicodeString& text) {
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2* forms = unorm2_getNFKCCasefoldInstance(&status);  // drops what has no width
  if (U_FAILURE(status)) return text;
  icu::UnicodeString plain;
  const int32_t capacity = std::min(text.length(), (1 << 26)) * 4 + 64;
  const int32_t size =
      unorm2_normalize(forms, text.getBuffer(), text.length(), plain.getBuffer(capacity), capacity, &status);
  plain.releaseBuffer(U_FAILURE(status) ? 0 : size);
  return U_FAILURE(status) ? text : plain;
}

icu::UnicodeString AsOneSees(const icu::UnicodeString& text) {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<USpoofChecker, void (*)(USpoofChecker*)> looks(uspoof_open(&status), uspoof_close);
  if (U_FAILURE(status)) return text;
  const int32_t size =
      uspoof_getSkeleton(looks.get(), 0, text.getBuffer(), text.length(), nullptr, 0, &status);
  if (status != U_BUFFER_OVERFLOW_ERROR && U_FAILURE(status)) return text;
  status = U_ZERO_ERROR;
  icu::UnicodeString seen;
  const int32_t written = uspoof_getSkeleton(looks.get(), 0, text.getBuffer(), text.length(),
                                             seen.getBuffer(size + 1), size + 1, &status);
  seen.releaseBuffer(U_FAILURE(status) ? 0 : written);
  return U_FAILURE(status) ? text : seen;
}

// Of signs that stand for a letter ("CL4$$"), and of those that look like another one, as the skeleton has
// it; others as they are.
char LetterSeenIn(char c) {
  if (IsAsciiLetter(c) && c != 'I') return c;
  struct Sign {
    char written, seen;
  };
  constexpr Sign kSigns[] = {{'I', 'L'}, {'1', 'L'}, {'|', 'L'}, {'0', 'O'}, {'3', 'E'},
                             {'4', 'A'}, {'@', 'A'}, {'5', 'S'}, {'$', 'S'}, {'7', 'T'}};
  const auto* sign =
      std::find_if(std::begin(kSigns), std::end(kSigns), [c](const Sign& each) { return each.written == c; });
  return sign == std::end(kSigns) ? c : sign->seen;
}

// Marks as the skeleton has them: all kinds of quotation marks are "'" there, angle brackets "<".
constexpr std::string_view kMarks = "<>()[]{}\"'`:=\n\r";

// What is seen, in capitals, of letters and other characters alike.
std::string AsSeen(std::string_view utf8) {
  std::string read = WithoutEntities(utf8);
  if (std::any_of(read.begin(), read.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; })) {
    icu::UnicodeString text = WithoutForms(WithNamedLetters(icu::UnicodeString::fromUTF8(read)));
    text.toUpper(icu::Locale::getRoot());
    read.clear();
    AsOneSees(text).toUTF8String(read);
  }
  for (char& c : read) c = LetterSeenIn(c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
  return read;
}

}  // namespace

std::string SeenLetters(std::string_view utf8) {
  std::string letters = AsSeen(utf8);
  std::erase_if(letters, [](char c) { return !IsAsciiLetter(c); });
  return letters;
}

std::string SeenLettersByMarks(std::string_view utf8) {
  std::string letters;
  for (const char c : AsSeen(utf8)) {
    if (IsAsciiLetter(c)) letters += c;
    if (kMarks.find(c) != std::string_view::npos) letters += '\n';
  }
  return letters;
}

}  // namespace assay

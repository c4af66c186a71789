// Resolves letters by their names, compatibility forms (UAX 15) and lookalikes (UTS 39) by
// ICU.
#include "text/letters/seen_letters.h"

#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/uspoof.h>

#include <algorithm>
#include <memory>
#include <unordered_map>

#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "text/letters/escapes.h"

namespace assay {

namespace {

// The Latin letter that a name is about: "TAG LATIN SMALL LETTER E", "LATIN LETTER SMALL CAPITAL E",
// "REGIONAL INDICATOR SYMBOL LETTER E", "LATIN CAPITAL LETTER E WITH STROKE"; 0 if there is none.
char LetterOfName(std::string_view name) {
  name = name.substr(0, name.find(" WITH "));
  const std::size_t blank = name.rfind(' ');
  const bool is_one = blank != std::string_view::npos && blank + 2 == name.size();
  return is_one && IsAsciiLetter(name.back()) ? name.back() : '\0';
}

using Looks = std::unordered_map<UChar32, char>;

struct LetterRange {
  UChar32 first, last;
};

// Letters that look like one of ASCII as they are, while their capitals may not: the small "ո" of Armenian.
void AddSkeletons(Looks& looks) {
  constexpr LetterRange kAlphabets[] = {{0x80, 0x2fff}, {0xa4d0, 0xabff}, {0x10280, 0x118ff}};
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<USpoofChecker, void (*)(USpoofChecker*)> checker(uspoof_open(&status), uspoof_close);
  if (U_FAILURE(status)) return;
  for (const LetterRange& range : kAlphabets) {
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

// What people write Latin letters with for its looks, upside down too, and no table of Unicode names.
Looks LooksOfOtherSigns() {
  struct Row {
    char letter;
    std::string_view signs;
  };
  constexpr Row kRows[] = {{'A', "ⲀⲁᗩΔΛ₳∆∀卂ᥲ𐌀"},
                           {'B', "ᗷ฿乃"},
                           {'C', "ϲϹᑕᥴ¢₵⊂ɔƆↄ匚𐌂"},
                           {'D', "ᗪ∂刀"},
                           {'E', "€ⲈⲉᗴΣ∃ξ乇𐌄"},
                           {'F', "ᖴ₣ɟℲⅎ千𐌅"},
                           {'G', "Ꮆ"},
                           {'H', "ᕼ卄"},
                           {'I', "工丨𐌉"},
                           {'J', "ᒍ"},
                           {'L', "ᒪᄂ£˥⅂ㄥᥣ⌊𐌋"},
                           {'M', "ᗰ₥爪𐌌"},
                           {'N', "ᑎ₦∩几ᥒИ𐌍"},
                           {'O', "ᗝ⊙○◯⭕ㄖ᥆𐌏"},
                           {'P', "ᑭ₱卩"},
                           {'R', "ᖇЯя尺𐌓"},
                           {'S', "ᔕ₴§Ƨƨ丂⳽𐌔"},
                           {'T', "ꓕ†₮⊥⊤ㄒ丅𐌕"},
                           {'U', "ᑌ∪ㄩ"},
                           {'V', "ᐯᴧ∨√"},
                           {'X', "❌✗✘×᙭乂Ӿӿ𐌗"},
                           {'Y', "¥ㄚ"}};
  Looks looks;
  for (const Row& row : kRows) {
    for (std::size_t at = 0; at < row.signs.size();) {
      const DecodedCodePoint sign = DecodeUtf8(row.signs, at);
      looks.emplace(static_cast<UChar32>(sign.code_point), row.letter);
      at += sign.size_bytes;
    }
  }
  return looks;
}

// Letters that normal forms do not lead to the Latin letter that they look like.
Looks LooksByName() {
  constexpr LetterRange kBeyondScript[] = {{0x249c, 0x24e9}, {0x1f100, 0x1f1ff}, {0xe0041, 0xe007a}};
  constexpr UChar32 kLatinEnd = 0x20000;
  constexpr std::size_t kNameMax = 128;
  Looks looks = LooksOfOtherSigns();
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
  for (const LetterRange& range : kBeyondScript) {
    for (UChar32 each = range.first; each <= range.last; ++each) add(each);
  }
  AddSkeletons(looks);
  return looks;
}

// A sign may be a letter of a word or stand between two: "E" in a circle, "TM" as a trade mark.
constexpr UChar kLoose = 0x1f;

bool IsSign(UChar32 each) {
  constexpr std::uint32_t kLetters = U_GC_L_MASK & ~U_GC_LM_MASK;
  return (U_GET_GC_MASK(each) & (kLetters | U_GC_M_MASK)) == 0 || each == 0xaa || each == 0xba;
}

// The letters that a sign consists of ("Ⅳ", "℡"), each loose; nothing if it has none.
icu::UnicodeString LettersOfSign(UChar32 sign) {
  constexpr int32_t kLettersMax = 32;
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2* forms = unorm2_getNFKCInstance(&status);
  UChar letters[kLettersMax];
  const int32_t size =
      U_FAILURE(status) ? -1 : unorm2_getDecomposition(forms, sign, letters, kLettersMax, &status);
  icu::UnicodeString read;
  if (U_FAILURE(status) || size <= 0 || !std::any_of(letters, letters + size, u_isalpha)) return read;
  for (int32_t i = 0; i < size; ++i) read.append(kLoose).append(letters[i]);
  return read.append(kLoose);
}

// Before anything else: other tables drop tag characters, make Greek letters of lunate sigmas, and a letter
// of the one mark that is a small iota below.
icu::UnicodeString WithNamedLetters(const icu::UnicodeString& text) {
  constexpr UChar32 kIotaBelow = 0x345;
  static const Looks kLooks = LooksByName();
  icu::UnicodeString read;
  for (int32_t at = 0; at < text.length(); at = text.moveIndex32(at, 1)) {
    const UChar32 each = text.char32At(at);
    if (each == kIotaBelow) continue;
    const bool is_sign = each >= 0x80 && IsSign(each);
    const auto found = kLooks.find(each);
    const UChar32 looks = found == kLooks.end() ? each : static_cast<UChar32>(found->second);
    const icu::UnicodeString letters = is_sign && looks == each ? LettersOfSign(each) : icu::UnicodeString();
    if (!letters.isEmpty()) {
      read.append(letters);
    } else if (is_sign && looks != each) {
      read.append(kLoose).append(looks).append(kLoose);
    } else {
      read.append(looks);
    }
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

icu::UnicodeString AsOneSees(const icu::UnicodeString& text, const USpoofChecker* looks) {
  UErrorCode status = U_ZERO_ERROR;
  const int32_t size = uspoof_getSkeleton(looks, 0, text.getBuffer(), text.length(), nullptr, 0, &status);
  if (status != U_BUFFER_OVERFLOW_ERROR && U_FAILURE(status)) return text;
  status = U_ZERO_ERROR;
  icu::UnicodeString seen;
  const int32_t written = uspoof_getSkeleton(looks, 0, text.getBuffer(), text.length(),
                                             seen.getBuffer(size + 1), size + 1, &status);
  seen.releaseBuffer(U_FAILURE(status) ? 0 : written);
  return U_FAILURE(status) ? text : seen;
}

// Skeletons of ASCII would make letters of marks ("|") and digits.
void AppendSeen(const icu::UnicodeString& text, std::string& seen) {
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<USpoofChecker, void (*)(USpoofChecker*)> looks(uspoof_open(&status), uspoof_close);
  for (int32_t at = 0; at < text.length();) {
    const bool is_ascii = text[at] < 0x80;
    int32_t end = at;
    while (end < text.length() && (text[end] < 0x80) == is_ascii) ++end;
    const icu::UnicodeString run = text.tempSubStringBetween(at, end);
    (is_ascii || U_FAILURE(status) ? run : AsOneSees(run, looks.get())).toUTF8String(seen);
    at = end;
  }
}

constexpr std::string_view kMarks = "<>()[]{}\"'`:=\n\r";

}  // namespace

std::string SeenText(std::string_view utf8) {
  std::string seen;
  if (IsAscii(utf8)) {
    seen = utf8;
  } else {
    const std::u16string pairs = ToUtf16(utf8);  // joins halves of a letter that were escaped one by one
    const icu::UnicodeString text(pairs.data(), static_cast<int32_t>(pairs.size()));
    AppendSeen(WithoutForms(WithNamedLetters(text)).toUpper(icu::Locale::getRoot()), seen);
  }
  for (char& c : seen) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (c == 'I') c = 'L';
  }
  return seen;
}

bool EndsClause(std::string_view utf8) {
  std::size_t last = utf8.size();
  while (last > 0 && (static_cast<unsigned char>(utf8[last - 1]) & 0xC0) == 0x80) --last;
  if (last == 0) return false;
  const auto mark = static_cast<UChar32>(DecodeUtf8(utf8, last - 1).code_point);
  return u_hasBinaryProperty(mark, UCHAR_TERMINAL_PUNCTUATION) || u_hasBinaryProperty(mark, UCHAR_S_TERM);
}

char LetterOfSign(char sign) {
  struct Sign {
    char written, seen;
  };
  constexpr Sign kSigns[] = {{'1', 'L'}, {'|', 'L'}, {'0', 'O'}, {'3', 'E'}, {'4', 'A'},
                             {'@', 'A'}, {'5', 'S'}, {'$', 'S'}, {'7', 'T'}};
  const auto* found = std::find_if(std::begin(kSigns), std::end(kSigns),
                                   [sign](const Sign& each) { return each.written == sign; });
  return found == std::end(kSigns) ? '\0' : found->seen;
}

std::string WithShortRuns(std::string_view seen) {
  constexpr std::size_t kSigns = 4;  // of a run
  std::string read;
  std::size_t signs = 0;
  for (std::size_t at = 0; at < seen.size();) {
    const DecodedCodePoint next = DecodeUtf8(seen, at);
    signs = u_isalnum(static_cast<UChar32>(next.code_point)) ? 0 : signs + 1;
    if (signs <= kSigns) read += seen.substr(at, next.size_bytes);
    at += std::max<std::size_t>(next.size_bytes, 1);
  }
  return read;
}

std::string LettersByMarks(std::string_view seen) {
  std::string letters;
  for (const char c : seen) {
    if (IsAsciiLetter(c)) {
      letters += c;
    } else if (const char letter = LetterOfSign(c); letter != '\0') {
      letters += letter;
    } else if (kMarks.find(c) != std::string_view::npos) {
      letters += '\n';
    }
  }
  return letters;
}

std::string SeenLetters(std::string_view utf8) {
  std::string letters = LettersByMarks(SeenText(WithoutEscapes(utf8)));
  std::erase(letters, '\n');
  return letters;
}

}  // namespace assay

// Resolves numeric entities, compatibility forms (UAX 15) and lookalikes (UTS 39) by ICU.
#include "text/letters/seen_letters.h"

#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/unorm2.h>
#include <unicode/uspoof.h>

#include <algorithm>
#include <charconv>
#include <memory>

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

}  // namespace

std::string SeenLetters(std::string_view utf8) {
  std::string read = WithoutEntities(utf8);
  if (std::any_of(read.begin(), read.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; })) {
    icu::UnicodeString text = WithoutForms(icu::UnicodeString::fromUTF8(read));
    text.toUpper(icu::Locale::getRoot());
    read.clear();
    AsOneSees(text).toUTF8String(read);
  }
  std::string letters;
  for (const char c : read) {
    const char capital = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    if (capital == 'I' || capital == '1' || capital == '|') {
      letters += 'L';  // as the skeleton of the others has it
    } else if (capital == '0') {
      letters += 'O';
    } else if (IsAsciiLetter(capital)) {
      letters += capital;
    }
  }
  return letters;
}

}  // namespace assay

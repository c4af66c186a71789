// Turns letters back into the bytes of windows-1252 and looks whether they are UTF-8.
#include "dataset/read/mistaken_letters.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "base/text/utf8.h"
#include "dataset/limits.h"
#include "dataset/read/decode.h"

namespace assay::dataset {

namespace {

constexpr std::string_view kWordEnds = " \t\r\n,;|\"()[]{}";
constexpr std::size_t kWordBytesMax = 60;

// The byte that the letter is in windows-1252; nothing for letters that it does not have.
std::optional<unsigned char> ByteOf(char32_t letter) {
  if (letter < 0x100) return static_cast<unsigned char>(letter);  // C1 controls stand for what it lacks
  for (unsigned byte = 0x80; byte < 0xa0; ++byte) {
    if (WindowsLetter(static_cast<unsigned char>(byte)) == letter) return static_cast<unsigned char>(byte);
  }
  return std::nullopt;
}

// The text as bytes of windows-1252, where these are UTF-8.
std::optional<std::string> AsMeant(std::string_view word) {
  std::string bytes;
  for (std::size_t at = 0; at < word.size();) {
    const DecodedCodePoint letter = DecodeUtf8(word, at);
    const std::optional<unsigned char> byte = ByteOf(letter.code_point);
    if (!byte) return std::nullopt;
    bytes += static_cast<char>(*byte);
    at += std::max<std::size_t>(1, letter.size_bytes);
  }
  const bool is_utf8 = FindInvalidUtf8(bytes) == std::string_view::npos;
  return is_utf8 && bytes.size() < word.size() ? std::optional(bytes) : std::nullopt;
}

// The word around a place.
std::string_view WordAt(std::string_view text, std::size_t at) {
  const std::size_t before = text.find_last_of(kWordEnds, at);
  const std::size_t start = before == std::string_view::npos ? 0 : before + 1;
  const std::size_t end = std::min(text.find_first_of(kWordEnds, at), text.size());
  return text.substr(start, end - start);
}

}  // namespace

std::optional<MistakenLetters> FindMistakenLetters(std::string_view text) {
  // What lower and upper letters with marks, and typographic quotes, become.
  constexpr std::string_view kMarks[] = {"\u00c3", "\u00e2\u20ac"};
  std::optional<MistakenLetters> first;
  for (const std::string_view mark : kMarks) {
    for (std::size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at + 1)) {
      if (first && at >= first->offset) break;
      const std::string_view word = WordAt(text, at);
      std::optional<std::string> meant = word.size() <= kWordBytesMax ? AsMeant(word) : std::nullopt;
      if (!meant) continue;
      first = {static_cast<std::size_t>(word.data() - text.data()), std::string(word), *std::move(meant)};
      break;
    }
  }
  return first;
}

void WarnOfMistakenLetters(FileId file, std::string_view text, const Options& options, Problems& problems) {
  const std::optional<MistakenLetters> found =
      FindMistakenLetters(text.substr(0, limits::kDatasetRowBytesMax));
  if (!found) return;
  const bool is_ours = options.encoding == Encoding::kWindows1252 || options.encoding == Encoding::kLatin1;
  problems.Add({.code = "dataset.letters",
                .message = fmt::format("{} looks like {}, read in a wrong encoding", Quoted(found->word),
                                       Quoted(found->meant)),
                .hint = is_ours ? "the file is UTF-8: remove encoding"
                                : "save the table again from where it came from: a program read it as "
                                  "windows-1252 and wrote what it saw",
                .where = {file, static_cast<std::uint32_t>(found->offset),
                          static_cast<std::uint32_t>(found->word.size())},
                .name = found->word,
                .severity = Severity::kWarning});
}

}  // namespace assay::dataset

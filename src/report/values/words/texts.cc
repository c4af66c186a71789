// Cuts texts at characters.
#include "report/values/words/texts.h"

#include "base/hash.h"
#include "base/text/utf8.h"
#include "report/values/json.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr std::size_t kTitleBytesMax = 160;

bool Continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

std::string_view LastBytes(std::string_view text, std::size_t bytes) {
  std::size_t begin = text.size() - bytes;
  while (begin < text.size() && Continues(text[begin])) ++begin;
  return text.substr(begin);
}

}  // namespace

Value TextValue(std::string_view text, const TextRoom& room) {
  if (text.size() <= room.whole_max) return text;
  return Object{{"bytes", CountValue(text.size())},
                {"head", CutToBytes(text, room.head)},
                {"tail", LastBytes(text, room.tail)},
                {"sha256", Hex(Sha256Of(text))}};
}

std::string TitleOf(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
  line = line.substr(0, line.find_last_not_of(kBlank) + 1);
  const std::string_view cut = CutToBytes(line, kTitleBytesMax);
  return std::string(cut) + (cut.size() < line.size() ? "…" : "");
}

}  // namespace assay

// The ranges of DerivedCoreProperties.txt, Default_Ignorable_Code_Point.
#include "base/text/ignorable.h"

#include <algorithm>
#include <array>

namespace assay {

namespace {

struct Ignorables {
  char32_t first;
  char32_t last;
};

constexpr std::array kIgnorable = {
    Ignorables{0xad, 0xad},       Ignorables{0x34f, 0x34f},    Ignorables{0x61c, 0x61c},
    Ignorables{0x115f, 0x1160},   Ignorables{0x17b4, 0x17b5},  Ignorables{0x180b, 0x180f},
    Ignorables{0x200b, 0x200f},   Ignorables{0x202a, 0x202e},  Ignorables{0x2060, 0x206f},
    Ignorables{0x3164, 0x3164},   Ignorables{0xfe00, 0xfe0f},  Ignorables{0xfeff, 0xfeff},
    Ignorables{0xffa0, 0xffa0},   Ignorables{0xfff0, 0xfff8},  Ignorables{0x1bca0, 0x1bca3},
    Ignorables{0x1d173, 0x1d17a}, Ignorables{0xe0000, 0xe0fff}};

}  // namespace

bool IsDefaultIgnorable(char32_t code_point) {
  return std::any_of(kIgnorable.begin(), kIgnorable.end(), [code_point](const Ignorables& range) {
    return code_point >= range.first && code_point <= range.last;
  });
}

}  // namespace assay

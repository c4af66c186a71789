// Writes one line for each power.
#include "cli/terminal/views/trust_view.h"

#include <fmt/core.h>

#include "engine/words.h"

namespace assay {

std::string PowerLines(const std::vector<Power>& powers) {
  std::string lines;
  for (const Power& power : powers)
    lines += fmt::format("  {}: {}\n", Printable(power.origin), Printable(power.says));
  return lines;
}

}  // namespace assay

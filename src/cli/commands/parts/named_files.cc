// Makes a line for each file, and one for all of them where only the last ones are named.
#include "cli/commands/parts/named_files.h"

#include <fmt/core.h>

#include <span>

#include "engine/words.h"

namespace assay {

namespace {

// The last files are the ones to open: the suite's own summary, then the page for people.
std::vector<std::string> Lines(std::string_view done, std::span<const std::string> paths,
                               const NamedFiles& how, std::string_view which = {}) {
  constexpr std::size_t kNamed = 2;
  const std::size_t unnamed = how.names_all || paths.size() <= kNamed ? 0 : paths.size() - kNamed;
  std::vector<std::string> lines;
  if (unnamed > 0)
    lines.push_back(fmt::format("{} {}{} below {}, among them:", done, Counted(paths.size(), "file"), which,
                                Printable(how.root)));
  for (const std::string& path : paths.subspan(unnamed))
    lines.push_back(fmt::format("{} {}", done, Printable(path)));
  return lines;
}

void Tell(const std::vector<std::string>& lines, Ui& ui) {
  for (const std::string& line : lines) ui.Note(line);
}

}  // namespace

void NameWritten(const std::vector<std::string>& paths, const NamedFiles& how, Ui& ui) {
  Tell(Lines("wrote", paths, how), ui);
}

void NameFiles(const Written& written, const NamedFiles& how, std::vector<OutputText>* said, Ui& ui) {
  const std::span<const std::string> paths = written.paths;
  {
    const OutputRecorder none(ui, nullptr);
    Tell(Lines("found", paths.first(written.found), how), ui);
    Tell(Lines("wrote", paths.subspan(written.found), how, how.is_up_to_date ? " that were not there" : ""),
         ui);
    for (const std::string& path : written.exported) ui.Note(fmt::format("wrote {}", Printable(path)));
  }
  if (said == nullptr) return;
  for (std::string& line : Lines("found", paths, how))
    said->push_back({OutputText::On::kNote, std::move(line)});
}

}  // namespace assay

// RowStream: writes the result files that grow during a run, one line for each graded cell in plan order
// (results.jsonl of research sessions).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/files/out_folder.h"
#include "dialects/dialect.h"
#include "spec/report/cell_grid.h"

namespace assay {

// Whoever reads a file finds a whole prefix of its rows at any time. Of a run that goes on, the rows of
// before stay until as many are written again.
class RowStream {
 public:
  // Everything is borrowed; `folder` is the run's own.
  RowStream(const DialectRows& rows, const Suite& suite, const std::string& folder);
  ~RowStream();
  RowStream(const RowStream&) = delete;
  RowStream& operator=(const RowStream&) = delete;

  // A cell that is graded; others are not looked at.
  void On(const RunEvent& event);
  // The last lines; what kept a line from being written, the first time.
  Status Finish();

 private:
  struct File {
    int descriptor = -1;
    std::size_t lines_before = 0;  // that the file had when it was opened: they are written again beside it
    std::size_t lines = 0;
    std::string path;  // below the folder
    bool is_part = false;
  };

  Status Write(VariantIndex variant, std::string_view line);
  Status Open(VariantIndex variant, File& file);
  Status TakePlace(File& file);

  const DialectRows& rows_;
  const Suite& suite_;
  OutFolder folder_;
  CellGrid grid_;
  CellWalk walk_;
  std::optional<CellIndex> next_;
  std::map<CellIndex, std::pair<VariantIndex, std::string>> held_;  // behind cells that are not graded yet
  std::vector<File> files_;                                         // by variant
  std::optional<Error> failed_;
};

}  // namespace assay

// Files go by their names alone: folders are this machine's.
#include "dialects/rows_from/table_summary.h"

#include "base/files/path_names.h"
#include "text/object.h"

namespace assay {

Value TableSummary(const dataset::Table& table, std::size_t cases) {
  List files;
  for (const dataset::TableFile& file : table.files) files.emplace_back(FileNameOf(file.path));
  const auto number = [](std::size_t count) { return Value(static_cast<double>(count)); };
  return Object{{"files", std::move(files)},
                {"rows", number(table.read_rows + table.blank_rows)},
                {"by_where", number(table.by_where)},
                {"unchosen", number(table.unchosen)},
                {"dropped", number(table.dropped)},
                {"blank", number(table.blank_rows)},
                {"cases", number(cases)},
                {"is_part", When(table.is_part, true)}};
}

}  // namespace assay

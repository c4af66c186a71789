// Gives each row its id, which no selection changes: from `id:`, the column "id", or the row's content.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "dataset/options.h"
#include "dataset/table.h"
#include "text/template/engine.h"

namespace assay::dataset {

// Digits of the content that an id has.
inline constexpr std::size_t kContentDigits = 12;

// The row as canonical JSON, without members that are null.
std::string CanonicalRow(const Map& cells);

// The value of a column as rows of equal ones are found; "null" where the row has none.
std::string CellWords(const Map& cells, std::string_view column, const SourceFiles& sources);

// Whether the row's id, without a template, is the column's, and so written by a person.
bool UsualId(const Row& row, const SourceFiles& sources, std::string& id);
// The template `id:`; null after an error.
std::unique_ptr<const CompiledTemplate> CompileId(const Options& options,
                                                  std::span<const std::string> columns,
                                                  const SourceFiles& sources, Problems& problems);
void TellIdTwice(const Row& row, const Row& first, const SourceFiles& sources, Problems& problems);
void TellIdEmpty(const Row& row, Problems& problems);
// Rows whose id got a number.
void TellNumbered(std::size_t count, const Options& options, Problems& problems);

// Rows that `duplicates: drop` names are taken out.
void GiveIds(const Options& options, const SourceFiles& sources, Table& table, Problems& problems);

// "rows.csv:12", for messages; "" of a row without a place.
std::string PlaceOfRow(const Row& row, const SourceFiles& sources);
// Whether another row may be without the problem: others are the template's fault.
bool DependsOnRow(const TemplateProblem& problem);
// A problem of a template with a row.
Problem RowProblem(const TemplateProblem& problem, const Row& row, Span where, const SourceFiles& sources);

}  // namespace assay::dataset

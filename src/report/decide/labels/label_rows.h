// Reads tables of labels that people gave to answers of a run, or to single points of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "spec/ids.h"
#include "statistics/agreement/draw.h"

namespace assay {

// What a file says of its draw, in the column `draw`: "s0-criterion-5d1c0b9e2f". It says how to draw again,
// and nothing is believed of it.
struct DrawClaim {
  std::uint64_t seed = 0;
  LabelUnit unit = LabelUnit::kAnswer;
  std::string strata;  // the digest of the strata that were drawn from (LabelUnits::StrataDigest)
  friend bool operator==(const DrawClaim&, const DrawClaim&) = default;
};
std::string DrawClaimText(const DrawClaim& claim);

// What a human gave an answer, or one point of it.
struct LabelRow {
  std::size_t line = 0;  // of the file, from 1
  std::string case_id;
  std::string variant_id;
  AttemptIndex attempt = 0;
  std::optional<std::size_t> check;  // index; absent: the whole answer
  double label = 0;
  bool is_skipped = false;                  // who labels cannot tell: `label` says nothing
  std::optional<std::uint64_t> place = {};  // DrawPlace::number: the content that the label is of
  std::optional<DrawClaim> claim = {};
};

// A table with a header line: columns `case`, `variant` and `label`; `attempt` (1 if absent) and `check` (a
// number from 1) may stand beside them, and `unit` and `draw` of a table that was drawn. Lines without a
// label are skipped, other columns are not looked at: the lines of `assay export --to check-csv` or `csv`,
// with a column more. kInvalidInput names the line, and what to write where a label is no number from 0 to 1.
Result<std::vector<LabelRow>> ReadLabels(std::string_view csv);

// The text of the column `unit`; with a letter in front, since spreadsheets round long numbers.
std::string UnitText(std::uint64_t place);

}  // namespace assay

// Reads one case of an InfiBench suite: its YAML, and the texts of all files that it names.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dialects/dialect.h"

namespace assay::infibench {

inline constexpr std::string_view kAddressCode = "infibench.address";

// What the suite says of all of its cases.
struct SuiteDefaults {
  std::string folder;  // of the suite file, with its slash; "" for the current one
  double full_score = 1;
  bool is_full_score_whole = false;  // written without a point
  double null_score = 0;
  std::string escape;                  // of blanks that name none; "" for the check's own
  bool counts_weights = true;          // cases count with the weights of their entries
  std::optional<double> pass_at = {};  // the least score that passes, as the suite says
  std::string qa_system_prompt;        // of cases that are graded by similarity alone; "" for the suite's own
};

// An entry of the suite's `cases`.
struct CaseEntry {
  std::string path;  // as written
  double weight = 1;
  Span span;
};

// Reads the case and everything that it names. Nothing where the file is missing or no YAML: `diagnostics` of
// `input` say why. What is wrong inside `grading` is the business of the checks.
//
// What checks get beside what is written (they read no file):
//   {path: p}          `content`, the file's text (also where a content was written: path wins)
//   prefix_path        `prefix_text`
//   cleanup_path       `cleanup_text`
//   {module, func}     `source`, the text of the module's file
//   any of them        `problem` instead, where the file cannot be read or is no UTF-8
//   unit_test          `case_lang`, the language of the case
std::optional<Case> ReadCase(const CaseEntry& entry, const SuiteDefaults& defaults, const ReadInput& input);

// The same of a case that stands in the suite and that a row of a table has filled in: its question is its
// text `prompt`, and its name is its id. Paths count from the suite's folder.
std::optional<Case> ReadInlineCase(Value fields, const std::string& id, const SuiteDefaults& defaults,
                                   const ReadInput& input);

// A case without answers should not get more points than the best one.
void WarnOfNullScore(double null_score, double full_score, Span where, Diagnostics& diagnostics);

// A text file as Python's text mode reads it: UTF-8, every line end "\n".
Result<std::string> ReadText(FileReader& files, const std::string& path);

}  // namespace assay::infibench

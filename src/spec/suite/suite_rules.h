// What a suite says of its run as a whole: how programs and checks are treated, how scores combine and what
// counts. Dialects choose; most of it is where the tools of a format differ.
#pragma once

#include <string>

namespace assay {

// Which tool's behaviour wins where the format's own text and that tool disagree.
enum class Compat { kNone, kWeval, kAsky, kInfibench, kPromptfoo };

// A named formula of report/table.cc for the checks of an attempt, and one for the attempts of a cell's
// variant.
struct Aggregation {
  std::string formula = "weighted-mean-best-path";
  std::string reduce = "avg";
};

// Between what a cell's score can lie, so that intervals of means end there.
struct ScoreBounds {
  bool are_known = true;  // else a score can be anything
  double low = 0;
  double high = 1;
};

// How the programs that checks run are treated: what the user asked for, and where a format's tools differ
// what the dialect chose.
struct ProgramRules {
  bool strict = false;  // a program passes only if it is proved to have come to its end
  bool memo = true;     // equal programs run once, and answer for all attempts
  // What is not installed fails a program like any other fault of it; else its check is an error.
  bool missing_fails = false;
  bool only_original_languages = false;  // those that the format's own tool runs
  bool shows_tests = true;               // results show a program together with its test
};

// What checks do where the tools of a format differ; the dialect chooses.
struct GradingRules {
  bool nan_is_score = false;       // a number that is NaN is a score, and spreads; else it is an error
  bool python_words = false;       // errors of keywords in the words of the original's exceptions
  bool agreement_by_label = true;  // judges are told apart by their labels; else by their ids
  // Assertions as their own tool has them, with what its users do not mean (checks/promptfoo/assertion.h).
  bool original_accidents = false;
};

// Which part of a judge's reply is its verdict.
enum class JudgeReading {
  kAfterReflection,  // what follows the closed reflection, and nothing that could be meant otherwise
  kFirstTags,        // the first reflection and the first classification, wherever they stand
};

// How much of a run has to succeed for it to count.
struct Completeness {
  bool accepts_partial = false;  // a cell that lacks verdicts counts by those that it has
  bool needs_every_cell = true;  // else a run is done as soon as every variant gave an answer
};

// In which order the cells of a run are begun, and its reports walk.
enum class CellOrder { kByCase, kByVariant };

// Text by which a model's answer says itself that it is an error.
struct ErrorMarker {
  std::string open;
  std::string close;
  std::string fallback;  // the error's message where nothing stands between the two
};

}  // namespace assay

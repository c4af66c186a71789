// Report: a run as its writers see it. Header and variants are values; the cells are a cursor over the store
// in plan order, so that nothing ever holds all of them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/result.h"
#include "spec/ids.h"
#include "spec/report/cell_query.h"
#include "spec/run/step.h"
#include "spec/score/score.h"
#include "text/value.h"

namespace assay {

struct Suite;

struct Cell {
  CaseIndex case_index = 0;
  VariantIndex variant = 0;
  AttemptIndex attempt = 0;
  CellState state = CellState::kUnscored;
  double score = 0;                     // CellOutcome::value
  std::optional<double> partial_score;  // CellOutcome::partial
  AttemptRecord record;
};

// Running means of one variant over its scored cells.
// The criteria of one name (Check::metric): the mean of what cells have of them.
struct NamedMean {
  std::string name;
  double mean = 0;          // a share, 0 to 1
  std::uint64_t cells = 0;  // that have a score of the name
};

struct VariantSummary {
  VariantIndex variant = 0;
  std::uint64_t cells = 0;
  std::uint64_t scored = 0;
  std::uint64_t unscored = 0;
  std::uint64_t errors = 0;
  std::uint64_t skipped = 0;
  std::uint64_t partial = 0;
  // Of scored cells, each case weighted by Case::weight and full_score; with a reducer other than "avg" of
  // the reduced cases. Meaningful if scored > 0.
  double mean = 0;
  std::optional<double> sd;           // sample standard deviation of the cells' scores; absent below two
  std::vector<NamedMean> named = {};  // in the order of the suite's criteria
};

// By how many cells a model was asked, and who answered.
struct ServedCount {
  RequestRole role = RequestRole::kCandidate;
  VariantIndex variant = 0;  // of candidates
  std::string asked;         // "openai:gpt-4o"
  std::string model;         // as the replies name it
  bool is_other = false;     // the names are those of two models
  std::uint64_t cells = 0;
};

struct RunTotals {
  std::uint64_t requests = 0;       // exchanges that this run used, each once
  std::uint64_t requests_sent = 0;  // what this run asked for itself, over all its sittings
  std::uint64_t request_errors = 0;
  UsageByRole usage;                                // of all attempts together
  std::map<std::string, std::uint64_t> unanswered;  // cells without an answer, by the class of their error
  std::uint64_t extracted = 0;                      // cells of whose answer a part was looked for
  std::uint64_t no_answer_found = 0;                // those without such a part
  std::vector<ServedCount> served;                  // as far as replies say it, in the order of the cells
  std::map<std::string, std::uint64_t> recorded;    // replies of recordings, by the name in their keys
  std::uint64_t foreign_replies = 0;  // used, and not made by this user, as the program knows; Fold does not
  // Replies of services and programs that name no model; nothing: nobody asked for them to be counted.
  std::optional<std::uint64_t> unnamed_replies = {};
};

// What a walk needs of each cell. Transcripts are replayed from their exchanges, so reports should not ask
// for more than they show; of a cell without an answer the transcript is there from kScores on.
enum class CellParts {
  kOutcome,  // the state and the score of the cell, no record
  kGrades,   // the record without transcripts: of them only errors and what was told beside the words
  kScores,   // the same, and why there is no answer in full
  kShown,    // of each case and variant, the transcript of the first attempt that has an answer
  kAll,
};

class PairMemo;        // spec/report/pair.h
class CellGatherer;    // spec/report/cell_gatherer.h
struct RunStatistics;  // report/decide/run_statistics.h
struct UntilRun;       // report/decide/until/until_run.h

// The embeddings of one case; an empty vector where there is none.
struct CaseEmbeddings {
  std::vector<double> ideal;
  std::vector<std::vector<double>> answers;  // by variant of the suite: of the first attempt that has one
};

// A table that the dialect itself makes of a run.
struct ReportTable {
  std::string title;
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;  // the first cell of each names it
};

// What a model said of the run as a whole.
struct ClosingSummary {
  struct Part {
    std::string title;  // in the dialect's words: "Key findings"
    std::vector<std::string> items;
  };
  std::string model_id;
  std::string text;         // as it came
  std::vector<Part> parts;  // what the dialect read in it; empty: the text alone is shown
  Value document;           // the same as the dialect's own files have it
};

// What the answer of one attempt took, as its requests tell it.
struct AnswerUse {
  std::uint32_t calls = 0;         // requests
  std::uint32_t tries = 0;         // of all of them
  std::optional<double> ms;        // of all of them; absent: nobody measured
  std::optional<double> first_ms;  // to the first token of the first one
  std::optional<double> usd;       // absent: some price is not known
  Usage usage;
  std::string finish;  // why the last one ended: "stop"; "": nobody said
};

// What a program that a check ran came to.
struct ProgramOutcome {
  CheckIndex check = 0;
  ProcessReply reply;
  std::string error = {};  // why it was not run; "" if it was
};

// What was exchanged for an attempt.
struct Exchanged {
  std::optional<AnswerUse> use = {};          // absent: its answer needed no request
  std::vector<ProgramOutcome> programs = {};  // of its checks, in the order in which they were asked
};

// A document as the run read it.
struct DocumentOfRun {
  std::string text;
  std::vector<std::uint64_t> page_starts;  // bytes of the text; empty: it has no pages
  std::string problem;                     // why there is no text; "" if there is
};

// What the calls of a run came to, in US dollars; those without a known price are in none of these.
struct PaidParts {
  double list = 0;     // had the run asked all of them at list price
  double earlier = 0;  // less what earlier runs had asked
  double found = 0;    // less what providers found in their caches
  double batched = 0;  // less what batches cost less
  std::uint64_t earlier_calls = 0;
  std::int64_t found_tokens = 0;
  std::map<RequestRole, double> by_role = {};  // what is left: the run paid it
};

struct Report {
  const Suite* suite = nullptr;  // borrowed, outlives the report; its cursors may own it
  RunContext run;
  std::vector<VariantSummary> variants;  // in suite order
  RunTotals totals;
  // Of cases without checks of their own, from the first attempt that has any.
  std::map<CaseIndex, std::vector<std::string>> key_points;
  std::vector<ReportTable> tables;        // for pages
  std::optional<ClosingSummary> closing;  // absent: nobody was asked

  // Calls `visit` for every cell of a range in its order, attempt by attempt; stops at the first error.
  using Visitor = std::function<Status(const Cell&)>;
  std::function<Status(const CellRange&, CellParts, const Visitor&)> for_each_cell;
  // The page of cells that are asked for; reads nothing of the others. Null: no run's own report.
  using RowVisitor = std::function<Status(const CellRow&)>;
  std::function<Status(const CellQuery&, const RowVisitor&)> find_cells;
  // What the answers of a range took, cell by cell; those without requests are left out. Null: nobody knows.
  using UseVisitor = std::function<Status(const CellAddress&, const AnswerUse&)>;
  std::function<Status(const CellRange&, const UseVisitor&)> for_each_use;
  // Every cell of a range with all its parts and what was exchanged for it, read once for both. Null: nobody
  // knows more than for_each_cell.
  using AttemptVisitor = std::function<Status(const Cell&, const Exchanged&)>;
  std::function<Status(const CellRange&, const AttemptVisitor&)> for_each_attempt;
  // By its id. Nothing: the run keeps nothing of it. Null: nobody kept any.
  std::function<Result<std::optional<DocumentOfRun>>(std::string_view id)> document_of;
  std::function<Result<PaidParts>()> paid_parts;                   // null: nobody knows prices
  std::function<Result<CaseEmbeddings>(CaseIndex)> embeddings_of;  // null: the run embedded nothing
  std::shared_ptr<PairMemo> pairs;  // what walks over pairs remember; null: nothing
  // What was gathered when all cells went by once, at a run's end; null: whoever needs it walks.
  std::shared_ptr<const CellGatherer> gathered;     // by the run's dialect
  std::shared_ptr<const RunStatistics> statistics;  // for tables, pages and `--json`
  std::shared_ptr<const UntilRun> until;            // of a run that may end early; null: it asks everything
  std::string stopped = {};  // "310 of 1,000 cases (stopped: decided)"; "": no question ended the run early
  // Whether walks have met an answer that another version made and of which it stored no words, so that they
  // are there only as far as this version can tell. Null: no run of ours.
  std::shared_ptr<const bool> part_told;
};

}  // namespace assay

// Score: what one check says of one answer. Six outcome states stay apart from here to the exit code: a score
// (pass or fail by its value), unscored, error, missing, which makes its cell partial, and, for whole cells,
// skipped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/result.h"
#include "spec/exchange/request.h"
#include "spec/score/marks.h"
#include "spec/turn/message.h"
#include "text/value.h"

namespace assay {

// Persisted: do not renumber.
enum class ScoreState : std::uint8_t {
  kScored = 0,
  kUnscored = 1,
  kError = 2,  // the check itself is at fault: an unknown function, wrong arguments, a script that fails
  // There is no verdict at all, for a cause that asking again can mend: judges, a service, the budget, a
  // program's harness.
  kMissing = 3,
};

// One voice behind a score: a judge's verdict.
struct Evidence {
  std::string source;  // "strict(openai:gpt-4o)"
  double value = 0;
  std::string text;
  bool repaired = false;  // the first reply could not be read, and this one was asked for again
  // What a judge that was asked several times gave each time; `value` is their median. Else empty.
  std::vector<double> votes = {};
  std::uint32_t against = 0;  // how many of its votes the words before them speak against
};

// Something that was measured: "rouge1", 0.42.
struct Measure {
  std::string name;
  double value = 0;
};

// One part of what a check looked for, as data: whoever shows it words it.
struct ScoreItem {
  std::string wanted = {};  // what the suite asked for: a text, a rule, the name of a test
  std::string found = {};   // what stood or came in its place; "" if there is nothing to show
  // The part of the answer that stood in its place, where one did; and the one of several alternatives that
  // it was held against last.
  std::optional<std::string> given = {};
  std::string against = {};
  std::string sentence = {};  // what else is to be told, in words; alone: it is no part, but said of them all
  double share = 0;           // how much of what was wanted is there, 0 to 1
  double points = 0;          // what it gave, below 0 where it should not have been there
  double weight = 1;          // what it can give
  std::string program = {};   // what was run; "" if nothing was
  bool is_unwanted = false;   // it should not be there
  std::vector<Measure> measures = {};
  bool is_there() const { return (share == 1) != is_unwanted; }
  bool is_alone() const { return wanted.empty(); }
  // It tells why, and has no part in the points.
  bool is_remark() const { return weight == 0 && points == 0 && !is_unwanted; }
};

struct Score {
  ScoreState state = ScoreState::kUnscored;
  double value = 0;  // kScored: in [0, max]; NaN only where a dialect's compatible mode demands it
  double max = 1;
  std::string explanation;  // why; the dialect's default sentence if empty
  std::string error;        // kError, kMissing: what went wrong; kScored: what did besides (a judge failed)
  std::string grader;       // who scored: "" for a pure check, "consensus(a, b)" for judges
  std::string metric = {};  // the name under which it is told beside others of that name; "": none
  std::vector<Evidence> evidence;
  std::vector<ScoreItem> items;  // where a check looks for several things, or has more to show than a number
  // Stored by EncodeMarks: where in the answer it found what it looked for, and what of it was run.
  std::vector<TextRange> marks = {};
  std::optional<GradedBlock> block = {};  // of programs; of several tests the first one's
  Value remark;                           // what code of the suite's own told of it; undefined if nothing
  bool found_nothing = false;             // the answer has no such part as the check grades
  Value answer;  // [value, max] as code of the suite's own wrote them; older runs: a map for a format's file
  std::optional<bool> verdict =
      {};  // whether the check holds, where it says so itself; else its value decides

  static Score Of(double value);
  static Score Failure(std::string message);
  static Score Missing(std::string message);
  bool failed() const { return state == ScoreState::kError || state == ScoreState::kMissing; }
};

// What a generator tells of an attempt beside what was said.
struct AttemptFacts {
  std::vector<ToolCall> tool_calls;
  std::vector<Value> events;                                 // in the generator's own form, in order
  std::vector<std::pair<std::string, Usage>> usage_by_role;  // "main", "summarizer": roles of the generator
  std::vector<std::pair<std::string, double>> timings_ms;
  Value details;  // a map of what else its dialect shows; undefined if there is nothing
};

// What was said in one attempt.
struct Transcript {
  std::vector<Message> history;  // everything that was sent and answered, system message included
  std::vector<std::uint32_t>
      generated_indices;  // which assistant turns (0-based, fixed ones counted) were generated
  std::vector<std::string> generated_texts;  // the same turns' texts
  std::vector<std::string>
      generated_reasoning;            // and what their models thought before, as far as it is shown
  List citations;                     // what tools of their services found for them (ModelReply::citations)
  std::string answer;                 // the last generated turn, or the last fixed one if none was
  std::optional<std::string> system;  // the system prompt in force; absent: none
  std::string error;                  // why generation failed; "" if it did not
  std::string error_class;            // "refusal", "timeout" (ErrorCodeName); "": none, or not known
  std::string answered_by;            // the fallback that stood in: "openai:gpt-4o"; "": nobody had to
  bool is_cut = false;  // an answer ended where its limit of tokens did, not where the model ended it
  AttemptFacts told;
  // What is graded: the generated turns joined by a blank line, or `answer` if none was generated.
  std::string SubjectText() const;
};

// Who answered a request of an attempt.
struct ServedAs {
  RequestRole role = RequestRole::kCandidate;
  ServedBy by;
  friend bool operator==(const ServedAs&, const ServedAs&) = default;
};

struct AttemptRecord {
  Transcript transcript;
  std::vector<Score> scores;  // one per check of the case, same order
  // Extracted from the ideal, where the case has no checks of its own: then the scores are theirs.
  std::vector<std::string> key_points;
  std::string grading_error;  // why nothing of an answer has a verdict, as by kMissing; "" if it could
  Value details;
  UsageByRole usage;                  // of all replies that it used, those too that other attempts share
  std::vector<ServedAs> served = {};  // as far as replies say it, each once
  std::optional<AttemptEvidence> evidence = {};  // stored by EncodeMarks; absent: no documents, or not known

  // How many points have no verdict that asking again can give; all of them together are one.
  std::size_t MissingPoints() const;
};

// Stored form of one attempt: its scores and, of the transcript, what tables tell (error and its class,
// answered_by, is_cut), who answered, and what its generator told; the rest of it is replayed from exchanges.
std::string EncodeScores(const AttemptRecord& record);
Result<AttemptRecord> DecodeScores(std::string_view text);

}  // namespace assay

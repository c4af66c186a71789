// The shared data of every dialect: what is asked (Suite, Case, Turn), how it is graded (Check), and of whom
// (Variant, Judge). Immutable once built. docs/glossary.md maps each dialect's words to these.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/span.h"
#include "base/rare.h"
#include "spec/ids.h"
#include "spec/report/profile.h"
#include "spec/suite/agent_settings.h"
#include "spec/suite/embedder.h"
#include "spec/suite/media.h"
#include "spec/suite/model_ref.h"
#include "spec/suite/outside.h"
#include "spec/suite/suite_rules.h"
#include "spec/turn/message.h"
#include "text/value.h"

namespace assay {

enum class TurnKind { kText, kGenerate };  // kGenerate: the model answers here, `text` is empty

struct Turn {
  Role role = Role::kUser;
  TurnKind kind = TurnKind::kText;
  std::string text;
  Span span;
  Rare<std::vector<MediaPart>> media = {};  // of the user's: before the text, in this order
};

enum class RegexFlavour { kJavaScript, kPython };

// Check::kind of a criterion in words: Check::text is what the judges are asked.
inline constexpr std::string_view kJudgeKind = "judge";

struct Check {
  std::string id;    // unique in its case
  std::string kind;  // name of a row in checks/table.cc; kept as written if there is no such row
  Value args;        // undefined if there are none
  double weight = 1;
  bool invert = false;  // a match is a failure (should_not)
  RegexFlavour regex_flavour = RegexFlavour::kJavaScript;
  Rare<std::vector<JudgeIndex>>
      judges;                       // who alone judges it, of Suite::named_judges; empty: the suite's judges
  std::optional<double> threshold;  // from which score it holds; absent: what ThresholdOf says of its kind
  Rare<std::string> metric;         // under which name its score is told; "": none
  std::string text;      // what is shown to people: the criterion, or the call as the dialect prints it
  Rare<Value> citation;  // undefined if there is none
  Span span;
  Rare<std::string> written;  // `kind` as the file has it, where the reader took it for another; else ""
  bool is_told = false;       // the reader has said already that there is no such kind

  bool IsCriterion() const { return kind == kJudgeKind; }
};

// How the checks of a case combine: a tree whose leaves are indices into Case::checks.
struct CheckNode {
  enum class Op { kAll, kAny, kLeaf };
  Op op = Op::kAll;
  std::vector<CheckNode> children;
  CheckIndex check = 0;     // kLeaf only
  Rare<std::string> label;  // the dialect's name of an alternative ("path_2"), else ""
};

// A case's own word on the system prompt, against the variant's.
struct SystemOverride {
  enum class Kind { kInherit, kNone, kText };
  Kind kind = Kind::kInherit;
  std::string text;
};
inline bool IsUnset(const SystemOverride& system) {
  return system.kind == SystemOverride::Kind::kInherit && system.text.empty();
}

// A document that a case is about.
struct CaseDocument {
  std::string id;
  std::string title;
  std::string url;                        // as the suite names it
  std::string path;                       // of the local copy, absolute; "" if there is none
  std::string sha256;                     // of that copy, lower-case hex; "" if there is none
  std::shared_ptr<const Blob> blob = {};  // that copy, where a step sends it on; else null
};

// One way to ask a case, of those between which its variants choose (AskingOf): by a name of the dialect's,
// as is a kind of place that sources come from, or a prompt.
struct CaseAsking {
  std::string name = {};
  std::string text = {};                  // the whole message, of an asking of one
  std::vector<Turn> turns = {};           // of a conversation; empty: `text`, then the answer
  std::vector<std::string> sources = {};  // paths or URLs, one per document
  std::string problem = {};               // why nothing can be asked so; "" if it can
};

struct Case {
  std::string id;
  Rare<std::string> description;       // for people, Markdown; "" if there is none
  std::string render_as = "markdown";  // how its answers want to be shown: "markdown", "html", "plaintext"
  Rare<Value> citation;                // undefined if there is none
  std::vector<Turn> turns;             // every generated answer is a turn of its own, the final one included
  Rare<std::string> generator;         // a row of plan/answers/generators.cc, or a family; "": "conversation"
  std::vector<Check> checks;
  CheckNode tree;
  std::optional<std::string> ideal;
  double weight = 1;
  std::optional<double> full_score;
  std::optional<double> null_score;
  std::optional<double>
      max_score;  // what the checks' totals together are replaced by, and their scores cut to
  std::optional<double> min_score;  // what their scores are raised to
  bool extracts_key_points =
      false;  // has no checks: models extract key points from `ideal`, judges judge them
  Rare<std::vector<std::string>> tags;
  Rare<std::string>
      cluster;            // cases of one cluster were not drawn one by one; "": those of equal turns are one
  bool is_flaky = false;  // passes and fails by chance, as its author knows: no gate counts it
  Rare<SystemOverride> system;
  std::optional<double> temperature;  // used where the variant sets none
  Rare<std::vector<CaseDocument>> documents;
  Rare<std::vector<CaseAsking>>
      askings;                // of variants that choose one; of others the turns are what is asked
  Rare<Value> answer_schema;  // JSON Schema that its answers have to follow; undefined: free text
  Rare<std::vector<VariantIndex>> variants;  // the variants that ask this case, ascending; empty: all of them
  std::optional<AttemptIndex> attempts;      // its own number of attempts, 0 too; absent: the suite's
  Value details;                             // what only the dialect's own reports need
  Span span;

  bool Asks(VariantIndex variant) const {
    return variants->empty() || std::binary_search(variants->begin(), variants->end(), variant);
  }
};

struct Variant : ModelRef {
  std::string id;        // unique in the suite: "openai:gpt-4o[temp:0.5]"
  std::string model_id;  // what the user wrote, without suffixes: "openai:gpt-4o"
  std::string label;     // what tables and pages call it instead, no part of any key; "": its id
  SamplingParams params;
  std::vector<ModelRef> fallbacks;    // asked in order where the model before is down
  std::optional<std::string> system;  // no system message if absent or empty
  std::optional<Profile> profile;     // how a system under test is set up; absent: the bare model is asked
  std::string generator;              // in the place of the case's; "": the case's
  std::string asking;                 // which of a case's askings it is asked; "": as AskingOf says
  AgentModel agent;                   // where the research agent answers
  std::vector<std::string> inputs;    // SHA-256 of the files that its command line names, in order
  std::string problem;                // why nobody can be asked, for people; "" if somebody can
  bool answers_freely = false;        // it is not told a case's answer_schema
  Value details;                      // what only the dialect's own reports need
};

struct Judge : ModelRef {
  std::string id;        // may be empty
  std::string label;     // how results name it: "strict(openai:gpt-4o)"
  std::string model_id;  // "openai:gpt-4o"
  std::string approach;  // "standard", "prompt-aware", "holistic"
  SamplingParams params;
  // The parts of messages that are sent to it; of others it reads that they were there.
  MediaKinds sees = {.image = true, .pdf = true, .audio = true};
};

struct SourceFile {
  std::string path;  // as the user named it
  FileId file = FileId::kNone;
  std::string sha256;
};

// What the case asks this variant by name: what the variant says, else where its profile's sources come from.
// Null: its turns, or nothing where the case has no asking of that name.
const CaseAsking* AskingOf(const Case& the_case, const Variant& variant);
// The text of that asking, which has to be there, with what the variant's profile puts before and behind it.
std::string AskedText(const Case& the_case, const Variant& variant);

struct Suite {
  std::string id;
  std::string title;
  std::string description;
  std::string dialect;
  Compat compat = Compat::kNone;
  std::vector<SourceFile> files;
  std::vector<Case> cases;
  std::vector<Variant> variants;
  std::vector<Judge> judges;
  std::vector<Judge> named_judges;    // asked only where a check names them (Check::judges)
  std::optional<Judge> backup_judge;  // asked once per check when any judge of the suite's failed
  std::optional<ErrorMarker> error_marker;
  std::vector<Judge> extractors;     // asked in order for an ideal's key points, until one gives some
  AgentSettings agent;               // of variants that the research agent answers
  std::optional<Embedder> embedder;  // embeds answers and ideals; absent: their similarity is not asked for
  CorpusSettings corpus;
  std::vector<Service> services;
  std::vector<Toolchain>
      toolchains;  // filled in by whoever runs the suite; a language that is not here is missing
  // Kinds of grading that the format defines, beside those that every suite may name: "unit_test".
  std::vector<std::string> offered_checks;
  ProgramRules programs;
  GradingRules grading;
  bool grades_empty_answers = false;  // an empty answer is an answer like any other, not an error
  bool thinkers_have_room = false;    // a model that thinks may answer at length where nobody limits it
  JudgeReading judge_reading = JudgeReading::kAfterReflection;
  std::uint32_t judge_repairs = 1;  // how often a judge whose reply cannot be read is asked to repeat it
  AttemptIndex attempts = 1;
  CellOrder order = CellOrder::kByCase;
  Aggregation aggregation;
  ScoreBounds score_bounds;
  Completeness completeness;
  std::vector<std::string> tags;
  Value author;      // a text or {name, url}; undefined if there is none
  Value references;  // a list of {title, url}; undefined if there are none
  std::optional<std::uint32_t> concurrency;
  std::string assumed_models;     // the collection that is asked because nobody named models; else ""
  bool refuses_unusable = false;  // models of no provider, scripts that do not compile and so on are errors
  std::string run_label;  // names the run in the dialect's own files; part of what fixtures are picked by
  Value normal_form;      // `assay check --json`: the file after parsing, in the dialect's own terms
  Value details;          // what only the dialect's own reports need
  Span span;
};

// Whoever may judge or extract: the judges, the backup, the extractors, those that checks name.
std::vector<const Judge*> JudgesOf(const Suite& suite);

}  // namespace assay

// What is asked (Case, Turn, CaseDocument) and how its answers are graded. Immutable once built.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/span.h"
#include "base/rare.h"
#include "spec/ids.h"
#include "spec/suite/check.h"
#include "spec/suite/media.h"
#include "spec/turn/message.h"
#include "text/value.h"

namespace assay {

struct Variant;

enum class TurnKind { kText, kGenerate };  // kGenerate: the model answers here, `text` is empty

struct Turn {
  Role role = Role::kUser;
  TurnKind kind = TurnKind::kText;
  std::string text;
  Span span;
  Rare<std::vector<MediaPart>> media = {};  // of the user's: before the text, in this order
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
      cluster;  // cases of one cluster were not drawn one by one; "": those of equal turns are one
  Rare<std::vector<std::string>> groups;  // in which it is reported, one per dimension; "": in none
  std::optional<double> pass_at;  // the least score of an attempt that passes, where the suite says one
  bool is_flaky = false;          // passes and fails by chance, as its author knows: no gate counts it
  Rare<SystemOverride> system;
  std::optional<double> temperature;  // used where the variant sets none
  Rare<std::vector<CaseDocument>> documents;
  Rare<std::vector<CaseAsking>>
      askings;                // of variants that choose one; of others the turns are what is asked
  Rare<Value> answer_schema;  // JSON Schema that its answers have to follow; undefined: free text
  Rare<std::vector<VariantIndex>> variants;  // the variants that ask this case, ascending; empty: all of them
  std::optional<AttemptIndex> attempts;      // its own number of attempts, 0 too; absent: the suite's
  Value details;                             // what only the dialect's own reports need
  Rare<Value> row;                           // of the table that filled it in, for code; undefined: none
  std::uint32_t unshown_turns = 0;           // behind system prompts at the start, that judges do not see
  Span span;

  bool Asks(VariantIndex variant) const {
    return variants->empty() || std::binary_search(variants->begin(), variants->end(), variant);
  }
};

// What the case asks this variant by name: what the variant says, else where its profile's sources come from.
// Null: its turns, or nothing where the case has no asking of that name.
const CaseAsking* AskingOf(const Case& the_case, const Variant& variant);
// The text of that asking, which has to be there, with what the variant's profile puts before and behind it.
std::string AskedText(const Case& the_case, const Variant& variant);

}  // namespace assay

// Words the stored evidence of an attempt.
#include "report/values/words/evidence.h"

#include <optional>

#include "report/values/json.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"

namespace assay {

namespace {

Value KnownValue(const std::optional<bool>& known) { return known ? Value(*known) : Value(Null{}); }

// Of an attempt; a stored one may name a check again and again.
constexpr std::size_t kNeededBytesMax = 1u << 20;

// Of a citation its words: what it needs is in no argument.
std::string NeededText(const Check& check) {
  return check.args.is_string() ? std::string(check.args.AsString()) : check.text;
}

}  // namespace

Value EvidenceValue(const Case& graded, const AttemptRecord& record) {
  if (!record.evidence) return Null{};
  List list;
  std::size_t bytes = 0;
  for (const EvidencePath& path : record.evidence->paths) {
    if (path.check >= graded.checks.size()) continue;
    const Check& check = graded.checks[path.check];
    std::string needed = NeededText(check);
    bytes += needed.size();
    if (bytes > kNeededBytesMax) break;
    Map notes;
    notes.Append("retrieved", TextOrNull(path.retrieved_at));
    notes.Append("read", TextOrNull(path.read_at));
    Map map;
    map.Append("needed", std::move(needed));
    map.Append("is_pattern", check.kind.ends_with("matches") || check.kind == "expected_regex");
    map.Append("in_corpus", KnownValue(path.in_corpus));
    map.Append("retrieved", KnownValue(path.retrieved));
    map.Append("read", KnownValue(path.read));
    map.Append("used", path.used);
    map.Append("notes", std::move(notes));
    list.emplace_back(std::move(map));
  }
  return list;
}

}  // namespace assay

// The tools list_dir and grep_search of the research agent: both answer from the documents of the case; no
// shell and no file of the machine is touched.
#include "agent/tool.h"
#include "corpus/ask/operations.h"

namespace assay {

namespace {

Value NoDocuments() {
  Map map;
  map.Append("stdout", "");
  map.Append("stderr", "this question has no documents of its own");
  map.Append("exit_code", std::int64_t{2});
  return map;
}

// As a shell would answer, but of the case's documents: no shell is asked, and no other file is there.
std::optional<Value> AskAsShell(TurnState& turn, std::string_view operation, Map arguments) {
  if (turn.documents.empty()) return NoDocuments();
  return AskDocuments(turn, operation, std::move(arguments));
}

}  // namespace

std::optional<Value> RunListDir(TurnState& turn, const Value&) {
  return AskAsShell(turn, kListDocuments, Map());
}

std::optional<Value> RunGrepSearch(TurnState& turn, const Value& arguments) {
  Map asked;
  asked.Append("pattern", TextArgument(arguments, "pattern"));
  asked.Append("path", TextArgument(arguments, "path"));
  return AskAsShell(turn, kGrepDocuments, std::move(asked));
}

}  // namespace assay

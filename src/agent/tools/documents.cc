// The tools list_dir and grep_search of the research agent: both answer from the documents of the case; no
// shell and no file of the machine is touched.
#include "agent/tool.h"
#include "corpus/ask/operations.h"
#include "text/object.h"

namespace assay {

namespace {

Value NoDocuments() {
  return Object{{"stdout", ""},
                {"stderr", "this question has no documents of its own"},
                {"exit_code", std::int64_t{2}}};
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
  return AskAsShell(
      turn, kGrepDocuments,
      Object{{"pattern", TextArgument(arguments, "pattern")}, {"path", TextArgument(arguments, "path")}});
}

}  // namespace assay

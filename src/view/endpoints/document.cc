// A document of a run: where it is used, as far as turns tell it.
#include <algorithm>
#include <map>

#include "report/values/json.h"
#include "spec/turn/turn_trace.h"
#include "view/endpoint.h"

namespace assay {

namespace {

// A passage of the document, and the answers that it was shown to.
struct ShownPassage {
  std::string place;
  std::vector<CellAddress> cells;
};

const CaseDocument* FindDocument(const Suite& suite, std::string_view id) {
  for (const Case& the_case : suite.cases) {
    for (const CaseDocument& document : the_case.documents) {
      if (document.id == id) return &document;
    }
  }
  return nullptr;
}

bool IsOf(const CaseDocument& document, const TraceEvidence& evidence) {
  const std::size_t slash = document.path.find_last_of('/');
  const std::string_view file =
      std::string_view(document.path).substr(slash == std::string::npos ? 0 : slash + 1);
  return (!document.url.empty() && evidence.source == document.url) ||
         (!file.empty() && evidence.place.starts_with(file)) ||
         (!document.title.empty() && evidence.place.starts_with(document.title));
}

Value SpansValue(const Suite& suite, const std::map<std::string, ShownPassage>& passages) {
  List list;
  for (const auto& [key, passage] : passages) {
    Map map;
    map.Append("kind", "retrieved");
    map.Append("from", Null{});
    map.Append("to", Null{});
    map.Append("text", TextOrNull(passage.place));
    List cells;
    for (const CellAddress& at : passage.cells) {
      Map cell;
      cell.Append("case", suite.cases[at.case_index].id);
      cell.Append("variant", suite.variants[at.variant].id);
      cell.Append("attempt", static_cast<double>(at.attempt + 1));
      cells.emplace_back(std::move(cell));
    }
    map.Append("cells", std::move(cells));
    list.emplace_back(std::move(map));
  }
  return list;
}

}  // namespace

Result<Made> MakeDocument(Library&, OpenedRun& run, const Asked& asked) {
  const Suite& suite = *run.report.suite;
  const CaseDocument* document = FindDocument(suite, asked.names[1]);
  if (document == nullptr) return Error{ErrorCode::kNotFound, "the run has no such document"};
  std::map<std::string, ShownPassage> passages;
  for (CaseIndex i = 0; i < suite.cases.size(); ++i) {
    const std::vector<CaseDocument>& documents = suite.cases[i].documents;
    if (std::none_of(documents.begin(), documents.end(),
                     [&](const CaseDocument& each) { return each.id == document->id; }))
      continue;
    ASSAY_CHECK_OK(run.report.for_each_cell(CellRange::OfCase(i), CellParts::kGrades, [&](const Cell& cell) {
      const TurnTrace trace = TraceOf(cell.record.transcript.told);
      const auto add = [&](const TraceEvidence& evidence) {
        if (!IsOf(*document, evidence)) return;
        ShownPassage& passage = passages[evidence.place];
        passage.place = evidence.place;
        const CellAddress at{cell.case_index, cell.variant, cell.attempt};
        if (passage.cells.empty() || !(passage.cells.back() == at)) passage.cells.push_back(at);
      };
      for (const TraceEvidence& evidence : trace.gathered) add(evidence);
      for (const TraceRound& round : trace.rounds) {
        for (const TraceCall& call : round.calls) {
          for (const TraceEvidence& evidence : call.evidence) add(evidence);
        }
      }
      return Ok();
    }));
  }
  Map map;
  map.Append("id", document->id);
  map.Append("title", TextOrNull(document->title));
  map.Append("url", TextOrNull(document->url));
  map.Append("state", "not_stored");
  map.Append("remedy", Null{});
  map.Append("pages", List());
  map.Append("from", 0.0);
  map.Append("to", 0.0);
  map.Append("bytes", 0.0);
  map.Append("text", Null{});
  map.Append("spans", SpansValue(suite, passages));
  return MadeOf(Value(std::move(map)));
}

}  // namespace assay

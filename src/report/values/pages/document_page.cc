// Gathers the passages of all answers that a document had to do with, and cuts its text to what is asked for.
#include "report/values/pages/document_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "base/limits.h"
#include "base/text/utf8.h"
#include "report/values/json.h"
#include "report/values/pages/case_rows.h"
#include "spec/run/pastable_words.h"
#include "spec/suite/suite.h"
#include "spec/turn/turn_trace.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr std::size_t kSpansMax = 2'000;  // of one document
constexpr std::size_t kCellsOfSpanMax = 100;
constexpr std::size_t kSpanTextBytesMax = 300;
constexpr std::string_view kKinds[kPassageKinds] = {"needed", "retrieved", "quoted"};

// A passage of the document, and the answers that it had to do with.
struct Passage {
  std::string text;
  std::vector<CellAddress> cells;

  void Add(const CellAddress& at) {
    if (cells.size() < kCellsOfSpanMax && (cells.empty() || !(cells.back() == at))) cells.push_back(at);
  }
};
// By kind and place; those whose place nobody knows, of older runs, by their words.
using Place = std::tuple<std::size_t, std::size_t, std::uint8_t, std::string>;
using Passages = std::map<Place, Passage>;
constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

std::optional<std::uint32_t> PlaceIn(const Case& the_case, std::string_view id) {
  const auto found = std::find_if(the_case.documents->begin(), the_case.documents->end(),
                                  [id](const CaseDocument& document) { return document.id == id; });
  if (found == the_case.documents->end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - the_case.documents->begin());
}

bool IsOf(const CaseDocument& document, const TraceEvidence& evidence) {
  const std::size_t slash = document.path.find_last_of('/');
  const std::string_view file =
      std::string_view(document.path).substr(slash == std::string::npos ? 0 : slash + 1);
  return (!document.url.empty() && evidence.source == document.url) ||
         (!file.empty() && evidence.place.starts_with(file)) ||
         (!document.title.empty() && evidence.place.starts_with(document.title));
}

// What a turn's trace says of passages: where they stand in words.
void AddTraced(const Cell& cell, const CaseDocument& document, Passages& passages) {
  const TurnTrace trace = TraceOf(cell.record.transcript.told);
  const auto add = [&](const TraceEvidence& evidence) {
    if (!IsOf(document, evidence) || passages.size() >= kSpansMax) return;
    Passage& passage =
        passages[{kNowhere, 0, static_cast<std::uint8_t>(PassageKind::kRetrieved), evidence.place}];
    passage.text = evidence.place;
    passage.Add({cell.case_index, cell.variant, cell.attempt});
  };
  for (const TraceEvidence& evidence : trace.gathered) add(evidence);
  for (const TraceRound& round : trace.rounds) {
    for (const TraceCall& call : round.calls) {
      for (const TraceEvidence& evidence : call.evidence) add(evidence);
    }
  }
}

void AddStored(const Cell& cell, std::uint32_t document, std::string_view text, Passages& passages) {
  for (const DocumentPassage& each : cell.record.evidence->passages) {
    if (each.document != document || each.range.to > text.size() || passages.size() >= kSpansMax) continue;
    Passage& passage = passages[{each.range.from, each.range.to, static_cast<std::uint8_t>(each.kind), ""}];
    if (passage.text.empty())
      passage.text =
          CutToBytes(text.substr(each.range.from, each.range.to - each.range.from), kSpanTextBytesMax);
    passage.Add({cell.case_index, cell.variant, cell.attempt});
  }
}

Result<Passages> PassagesOf(const Report& report, std::string_view id,
                            const std::optional<DocumentOfRun>& stored) {
  Passages passages;
  const bool has_text = stored && stored->problem.empty();
  for (CaseIndex i = 0; i < report.suite->cases.size(); ++i) {
    const std::optional<std::uint32_t> place = PlaceIn(report.suite->cases[i], id);
    if (!place) continue;
    ASSAY_CHECK_OK(report.for_each_cell(CellRange::OfCase(i), CellParts::kAll, [&](const Cell& cell) {
      if (stored && !has_text) {
        // Nothing of it was there to be found: who names it is told.
        passages[{kNowhere, 0, 0, ""}].Add({cell.case_index, cell.variant, cell.attempt});
      } else if (has_text && cell.record.evidence) {
        AddStored(cell, *place, stored->text, passages);
      } else {
        AddTraced(cell, (*report.suite->cases[i].documents)[*place], passages);
      }
      return Ok();
    }));
  }
  return passages;
}

Value PassagesValue(const Suite& suite, const Passages& passages) {
  List list;
  for (const auto& [place, passage] : passages) {
    const auto& [from, to, kind, words] = place;
    list.emplace_back(Object{{"kind", kKinds[kind]},
                             {"from", from == kNowhere ? Value(Null{}) : CountValue(from)},
                             {"to", from == kNowhere ? Value(Null{}) : CountValue(to)},
                             {"text", TextOrNull(passage.text)},
                             {"cells", ArrayOf(passage.cells, [&](const CellAddress& at) {
                                return Object{{"case", suite.cases[at.case_index].id},
                                              {"variant", suite.variants[at.variant].id},
                                              {"attempt", at.attempt + 1}};
                              })}});
  }
  return list;
}

Value PagesValue(const DocumentOfRun& document) {
  List list;
  for (std::size_t i = 0; i < document.page_starts.size(); ++i) {
    const bool is_last = i + 1 == document.page_starts.size();
    list.emplace_back(
        Object{{"number", CountValue(i + 1)},
               {"from", CountValue(document.page_starts[i])},
               {"to", CountValue(is_last ? document.text.size() : document.page_starts[i + 1])}});
  }
  return list;
}

bool IsInside(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
}

// From one character to another.
void AppendText(std::string_view text, const DocumentAsk& ask, Map& map) {
  std::size_t from = ask.is_whole ? 0 : std::min<std::uint64_t>(ask.from, text.size());
  std::size_t to = ask.is_whole ? text.size() : std::clamp<std::uint64_t>(ask.to, from, text.size());
  if (!ask.is_whole) to = std::min(to, from + limits::kDocumentPartBytesMax);
  while (from > 0 && IsInside(text, from)) --from;
  while (to > from && IsInside(text, to)) --to;
  Extend(map, {{"from", CountValue(from)},
               {"to", CountValue(to)},
               {"bytes", CountValue(text.size())},
               {"text", std::string(text.substr(from, to - from))}});
}

void AppendNoText(Map& map) {
  for (const std::string_view name : {"from", "to", "bytes"}) map.Append(std::string(name), 0.0);
  map.Append("text", Null{});
}

const CaseDocument* FindDocument(const Suite& suite, std::string_view id) {
  for (const Case& the_case : suite.cases) {
    if (const std::optional<std::uint32_t> place = PlaceIn(the_case, id))
      return &(*the_case.documents)[*place];
  }
  return nullptr;
}

}  // namespace

Result<Value> DocumentPageValue(const Report& report, const DocumentAsk& ask) {
  const CaseDocument* document = FindDocument(*report.suite, ask.id);
  if (document == nullptr) return Error{ErrorCode::kNotFound, "the run has no such document"};
  std::optional<DocumentOfRun> stored;
  if (report.document_of != nullptr) {
    ASSAY_TRY(stored, report.document_of(ask.id));
  }
  ASSAY_TRY(const Passages passages, PassagesOf(report, ask.id, stored));
  const bool is_unreadable = stored && !stored->problem.empty();
  Map map = Object{{"id", document->id},
                   {"title", TextOrNull(document->title)},
                   {"url", TextOrNull(document->url)},
                   {"state", is_unreadable ? "unreadable"
                             : stored      ? "stored"
                                           : "not_stored"},
                   {"problem", is_unreadable ? Value(stored->problem) : Value(Null{})},
                   {"remedy", is_unreadable ? Value(fmt::format("assay doctor {}", PastableFile(ask.suite)))
                                            : Value(Null{})},
                   {"pages", stored ? PagesValue(*stored) : Value(List())}};
  if (stored && !is_unreadable) {
    AppendText(stored->text, ask, map);
  } else {
    AppendNoText(map);
  }
  map.Append("spans", PassagesValue(*report.suite, passages));
  map.Append("titles", TitlesValue(map, *report.suite));
  return Value(std::move(map));
}

}  // namespace assay

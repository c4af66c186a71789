// Looks for what is needed in the documents once a case, and in what tools replied once an attempt.
#include "corpus/ask/case_evidence.h"

#include <algorithm>

#include "base/text/utf8.h"
#include "corpus/ask/quote.h"
#include "corpus/ask/relevant_content.h"
#include "corpus/limits.h"
#include "spec/suite/suite.h"
#include "spec/turn/turn_details.h"
#include "text/cpu_budget.h"
#include "text/found.h"
#include "text/javascript/regex.h"
#include "text/javascript/text.h"
#include "text/python/regex.h"

namespace assay {

namespace {

enum class Shape { kText, kTextAnyCase, kPatternJs, kPatternJsAnyCase, kPatternPython, kQuote };
struct NeedingKind {
  std::string_view kind;
  Shape shape;
};
// Kinds of checks whose argument says what the documents should have.
constexpr NeedingKind kNeeding[] = {
    {"contains", Shape::kText},           {"icontains", Shape::kTextAnyCase},
    {"contains_word", Shape::kText},      {"icontains_word", Shape::kTextAnyCase},
    {"expected_contains", Shape::kText},  {"expected_regex", Shape::kPatternPython},
    {"matches", Shape::kPatternJs},       {"imatches", Shape::kPatternJsAnyCase},
    {"expected_citation", Shape::kQuote},
};

constexpr double kQuotedWordsMost = 1'000;

void AddPassage(const DocumentPassage& passage, std::vector<DocumentPassage>& passages) {
  if (passage.range.empty() || passages.size() >= limits::kMarksOfAttemptMax) return;
  if (std::find(passages.begin(), passages.end(), passage) == passages.end()) passages.push_back(passage);
}

bool IsAsciiBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Whether what a search showed is the beginning of this part of a document, blanks left aside: searches show
// one line. How far it goes, in bytes of the part; 0: it is not.
std::size_t ShownOf(std::string_view part, std::string_view shown) {
  std::size_t at = 0;
  for (const char c : shown) {
    if (IsAsciiBlank(c)) continue;
    while (at < part.size() && IsAsciiBlank(part[at])) ++at;
    if (at == part.size() || part[at] != c) return 0;
    ++at;
  }
  return at;
}

}  // namespace

struct CaseEvidence::Needed {
  std::uint32_t check = 0;
  std::string text = {};  // in lower case where `any_case`
  bool any_case = false;
  std::shared_ptr<const PythonRegex> python = {};
  std::shared_ptr<const JsRegex> javascript = {};
  std::size_t quoted_words = 0;               // of a quote, the least; 0: it is none
  std::vector<std::uint32_t> documents = {};  // of a quote: those of the case that it may be of
  std::vector<DocumentPassage> places = {};   // of texts and patterns
  std::optional<bool> in_corpus = {};

  // The text as it is looked through: in lower case, kept in `room`, where letters of any case count. Empty
  // where its places are not those of the text.
  std::string_view Folded(std::string_view where, std::string& room) const {
    if (!any_case) return where;
    room = JsToLower(where);
    return room.size() == where.size() ? std::string_view(room) : std::string_view();
  }
  // The first place in a text that is folded. What takes too long is not there.
  std::optional<TextRange> FindIn(std::string_view folded, CpuBudget& budget) const {
    if (python != nullptr) return python->Find(folded, budget).value_or(std::nullopt);
    if (javascript != nullptr) {
      RegexSubject subject(folded);
      return javascript->Find(subject).value_or(std::nullopt);
    }
    const std::size_t at = folded.find(text);
    if (at == std::string_view::npos) return std::nullopt;
    return TextRange{at, at + text.size()};
  }
  bool IsIn(std::string_view where, CpuBudget& budget) const {
    std::string room;
    return FindIn(Folded(where, room), budget).has_value();
  }
  // Whether a place of it lies in this part of a document of the case.
  bool HasPlace(std::optional<std::uint32_t> document, TextRange part) const;
};

// What was given to the model: a part of a document that a search found, or what another tool read.
struct CaseEvidence::Shown {
  std::optional<std::uint32_t> document = {};  // of the case
  bool is_found = false;                       // a search found it
  std::string_view text;
  std::string_view place = {};
  TextRange chunk = {};  // of the document: all that was found, of which `text` may be a beginning
  TextRange range = {};  // of the document: what was shown
};

CaseEvidence::~CaseEvidence() = default;

std::optional<CaseEvidence::Needed> CaseEvidence::NeededBy(const Check& check, const Case& the_case) {
  const auto* row = std::find_if(std::begin(kNeeding), std::end(kNeeding),
                                 [&](const NeedingKind& each) { return each.kind == check.kind; });
  if (row == std::end(kNeeding) || check.invert) return std::nullopt;
  Needed needed;
  if (row->shape == Shape::kQuote) {
    const double words = check.args.NumberAt("words").value_or(0);
    const List* ids = FindList(check.args, "documents");
    if (words < 1) return std::nullopt;
    if (ids == nullptr) return std::nullopt;
    needed.quoted_words = static_cast<std::size_t>(std::min(words, kQuotedWordsMost));
    for (std::uint32_t at = 0; at < the_case.documents->size(); ++at) {
      const bool is_named = std::any_of(ids->begin(), ids->end(), [&](const Value& id) {
        return id.is_string() && id.AsString() == (*the_case.documents)[at].id;
      });
      if (is_named) needed.documents.push_back(at);
    }
    return needed;
  }
  if (!check.args.is_string() || check.args.AsString().empty()) return std::nullopt;
  const std::string& text = check.args.AsString();
  needed.any_case = row->shape == Shape::kTextAnyCase;
  needed.text = needed.any_case ? JsToLower(text) : text;
  if (row->shape == Shape::kPatternPython) {
    auto regex = PythonRegex::Compile(text);
    if (!regex) return std::nullopt;
    needed.python = *std::move(regex);
  } else if (row->shape == Shape::kPatternJs || row->shape == Shape::kPatternJsAnyCase) {
    const bool any_case = row->shape == Shape::kPatternJsAnyCase;
    auto regex = JsRegex::Compile(text, any_case ? JsRegexFlags::kIgnoreCase : JsRegexFlags::kNone);
    if (!regex) return std::nullopt;
    needed.javascript = *std::move(regex);
  }
  return needed;
}

std::string_view CaseEvidence::TextOf(std::uint32_t document) const {
  return corpus_.documents()[*documents_[document]].content.text;
}

// Where the case's documents have it; whether they do, as far as that can be told.
void CaseEvidence::FindPlaces(Needed& needed, CpuBudget& budget) const {
  bool is_there = false;
  bool has_all = true;
  for (std::uint32_t at = 0; at < documents_.size(); ++at) {
    if (!documents_[at]) has_all = false;
    if (!documents_[at] || budget.Exhausted()) continue;
    std::string room;
    const std::string_view whole = needed.Folded(TextOf(at), room);
    std::size_t from = 0;
    for (std::size_t count = 0; count < limits::kNeededPlacesMax && from < whole.size(); ++count) {
      const std::optional<TextRange> found = needed.FindIn(whole.substr(from), budget);
      is_there = is_there || found;
      if (!found || found->empty()) break;
      needed.places.push_back(
          {.document = at, .kind = PassageKind::kNeeded, .range = {from + found->from, from + found->to}});
      from += found->to;
    }
  }
  if (is_there || (has_all && !budget.Exhausted())) needed.in_corpus = is_there;
}

CaseEvidence::CaseEvidence(const Corpus& corpus, const Case& the_case) : corpus_(corpus) {
  for (const CaseDocument& document : *the_case.documents) documents_.push_back(corpus.Find(document.id));
  CpuBudget budget(limits::kEvidenceTime);
  for (std::uint32_t i = 0; i < the_case.checks.size() && needed_.size() < limits::kNeededMax; ++i) {
    std::optional<Needed> needed = NeededBy(the_case.checks[i], the_case);
    if (!needed) continue;
    needed->check = i;
    if (needed->quoted_words == 0) {
      FindPlaces(*needed, budget);
    } else {
      needed->in_corpus = std::any_of(needed->documents.begin(), needed->documents.end(),
                                      [this](std::uint32_t at) { return documents_[at].has_value(); });
    }
    needed_.push_back(*std::move(needed));
  }
}

// Which chunk of its document it is.
void CaseEvidence::FindChunk(Shown& hit) const {
  constexpr std::string_view kCut = "...";
  const std::string_view plain =
      hit.text.ends_with(kCut) ? hit.text.substr(0, hit.text.size() - kCut.size()) : hit.text;
  const auto [first, end] = corpus_.ChunksOf(*documents_[*hit.document]);
  for (ChunkIndex chunk = first; chunk < end; ++chunk) {
    const ChunkSpan span = corpus_.SpanOf(chunk);
    const std::string_view part = TextOf(*hit.document).substr(span.begin, span.end - span.begin);
    const std::size_t size = std::max(ShownOf(part, hit.text), ShownOf(part, plain));
    if (size == 0) continue;
    hit.chunk = {span.begin, span.end};
    hit.range = {span.begin, span.begin + size};
    return;
  }
}

// A part of a document that a search found: {text, place}, of a document by its handle.
void CaseEvidence::AddHit(std::string_view handle, const Value& passage, std::vector<Shown>& shown) const {
  std::string_view text = passage.TextAt("text");
  if (text.empty()) return;
  Shown hit{.is_found = true, .text = text, .place = passage.TextAt("place")};
  const std::optional<CorpusHandle> named = ParseCorpusHandle(handle);
  const std::size_t place = named ? named->number - 1 : documents_.size();
  if (place < documents_.size() && documents_[place]) hit.document = static_cast<std::uint32_t>(place);
  if (hit.document) FindChunk(hit);
  shown.push_back(hit);
}

// Of a tool's reply: {evidence: [hit]}, {source: {chunks: [hit]} | {content} | {content_preview}}, {stdout}.
void CaseEvidence::AddShown(const Value& reply, std::vector<Shown>& shown) const {
  if (!reply.is_map()) return;
  if (const List* hits = FindList(reply, "evidence")) {
    for (const Value& hit : *hits) AddHit(hit.TextAt("handle"), hit, shown);
    return;
  }
  if (const std::string_view lines = reply.TextAt("stdout"); !lines.empty()) shown.push_back({.text = lines});
  for (const Member& source : reply.AsMap()) {
    for (const Value& hit : source.value.ListAt("chunks")) AddHit(source.key, hit, shown);
    for (const std::string_view name : {"content", "content_preview"}) {
      const std::string_view text = source.value.TextAt(name);
      if (!text.empty())
        shown.push_back(
            {.text = text.substr(0, limits::kToolResultBytesMax), .place = source.value.TextAt("title")});
    }
  }
}

bool CaseEvidence::Needed::HasPlace(std::optional<std::uint32_t> document, TextRange part) const {
  return std::any_of(places.begin(), places.end(), [&](const DocumentPassage& place) {
    return place.document == document && part.from <= place.range.from && place.range.to <= part.to;
  });
}

// Whether what was given to the model has it.
bool CaseEvidence::Holds(const Needed& needed, const Shown& shown, CpuBudget& budget) const {
  if (needed.quoted_words == 0)
    return needed.HasPlace(shown.document, shown.range) || needed.IsIn(shown.text, budget);
  return std::any_of(needed.documents.begin(), needed.documents.end(), [&](std::uint32_t document) {
    if (!documents_[document]) return false;
    if (shown.document) return shown.document == document;
    return FindQuote(shown.text, TextOf(document), needed.quoted_words).has_value();
  });
}

EvidencePath CaseEvidence::PathOf(const Needed& needed, const std::vector<Shown>& shown,
                                  std::string_view answer) const {
  EvidencePath path{.check = needed.check, .in_corpus = needed.in_corpus};
  CpuBudget budget(limits::kEvidenceTime);
  if (!shown.empty()) path.read = false;
  for (const Shown& each : shown) {
    const bool holds = Holds(needed, each, budget);
    if (holds && path.read == false) {
      path.read = true;
      path.read_at = CutToBytes(each.place, limits::kTracedTextBytesMax);
    }
    if (!each.is_found || path.retrieved == true) continue;
    path.retrieved = holds || needed.HasPlace(each.document, each.chunk);
    if (*path.retrieved) path.retrieved_at = CutToBytes(each.place, limits::kTracedTextBytesMax);
  }
  if (needed.quoted_words == 0) {
    path.used = needed.IsIn(answer, budget);
  } else {
    path.used = std::any_of(needed.documents.begin(), needed.documents.end(), [&](std::uint32_t document) {
      return documents_[document] && FindQuote(answer, TextOf(document), needed.quoted_words);
    });
  }
  return path;
}

// Runs of words of the documents that the answer has, as long as there is not too much to look through.
void CaseEvidence::AddQuotes(std::string_view answer, std::vector<DocumentPassage>& passages) const {
  std::size_t left = limits::kQuotedBytesMax;
  for (std::uint32_t at = 0; at < documents_.size(); ++at) {
    if (!documents_[at] || TextOf(at).size() > left) continue;
    const std::string_view whole = TextOf(at);
    left -= whole.size();
    std::size_t from = 0;
    for (std::size_t count = 0; count < limits::kNeededPlacesMax; ++count) {
      const std::optional<Quote> quote = FindQuote(answer, whole.substr(from), limits::kQuotedWordsMin);
      if (!quote) break;
      AddPassage(
          {.document = at, .kind = PassageKind::kQuoted, .range = {from + quote->begin, from + quote->end}},
          passages);
      from += quote->end;
    }
  }
}

AttemptEvidence CaseEvidence::Of(std::span<const Exchange> exchanges, std::string_view answer) const {
  std::vector<Shown> shown;
  for (const Exchange& exchange : exchanges) {
    if (exchange.error || shown.size() >= limits::kShownMax) continue;
    if (const auto* reply = std::get_if<CorpusReply>(&exchange.reply)) AddShown(reply->answer, shown);
    const auto* page = std::get_if<HttpReply>(&exchange.reply);
    if (page != nullptr && exchange.role == RequestRole::kTool)
      shown.push_back({.text = std::string_view(page->body).substr(0, limits::kToolResultBytesMax)});
  }
  AttemptEvidence evidence;
  for (const Needed& needed : needed_) {
    evidence.paths.push_back(PathOf(needed, shown, answer));
    for (const DocumentPassage& place : needed.places) AddPassage(place, evidence.passages);
  }
  for (const Shown& each : shown) {
    if (each.document && each.is_found)
      AddPassage({.document = *each.document, .kind = PassageKind::kRetrieved, .range = each.chunk},
                 evidence.passages);
  }
  AddQuotes(answer, evidence.passages);
  return evidence;
}

SuiteEvidence EvidenceOf(const Corpus& corpus, const Suite& suite) {
  SuiteEvidence evidence;
  for (const Case& the_case : suite.cases) {
    evidence.push_back(the_case.documents->empty() ? nullptr
                                                   : std::make_shared<const CaseEvidence>(corpus, the_case));
  }
  return evidence;
}

}  // namespace assay

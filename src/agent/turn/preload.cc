// Collects documents, web pages and passages for the first message, in this order, and records how long each
// stage took.
#include "agent/turn/preload.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "agent/web/preload_pages.h"
#include "agent/words/evidence.h"
#include "agent/words/prompts.h"
#include "agent/words/query.h"
#include "corpus/ask/operations.h"
#include "spec/suite/suite.h"
#include "text/object.h"

namespace assay {

namespace {

// Stages; no row has a time of the second.
constexpr std::string_view kIngestion = "local_ingestion";
constexpr std::string_view kOpenedForTools = "opened_for_tools";

constexpr std::size_t kDocumentsNamedMax = 16;  // in the first message

// Documents were read once for all; their time is charged to the first case of a variant that names them.
bool IsFirstToName(const TurnState& turn, std::string_view id) {
  const Suite& suite = turn.suite();
  for (CaseIndex c = 0; c < turn.context.case_index; ++c) {
    const Case& earlier = suite.cases[c];
    if (!earlier.Asks(turn.context.variant_index)) continue;
    const auto names = [id](const CaseDocument& document) { return document.id == id; };
    if (std::any_of(earlier.documents->begin(), earlier.documents->end(), names)) return false;
  }
  return turn.context.attempt == 0;
}

void TakeDocuments(TurnState& turn, const Value& opened, Preloaded& preloaded) {
  for (const Value& entry : opened.ListAt("documents")) {
    OpenDocument& document = turn.documents.emplace_back();
    document.id = entry.TextAt("id");
    document.handle = entry.TextAt("handle");
    document.title = entry.TextAt("title");
    document.characters = static_cast<std::int64_t>(entry.NumberAt("characters").value_or(0));
    document.chunks = static_cast<std::int64_t>(entry.NumberAt("chunks").value_or(0));
    if (IsFirstToName(turn, document.id)) turn.walk.Charge(entry.NumberAt("ingestion_ms").value_or(0));
  }
  std::vector<std::string> reasons;
  for (const Value& problem : opened.ListAt("problems")) {
    reasons.push_back(
        fmt::format("document {} cannot be read: {}", problem.TextAt("id"), problem.TextAt("reason")));
  }
  if (const std::string failed = opened.TextAt("error"); !failed.empty()) reasons.push_back(failed);
  preloaded.notices.insert(preloaded.notices.end(), reasons.begin(), reasons.end());
  if (turn.documents.empty() && !reasons.empty()) {
    preloaded.error = Error{ErrorCode::kNotFound, fmt::format("none of the case's documents can be read: {}",
                                                              fmt::join(reasons, "; "))};
  }
}

std::string DocumentsBlock(const TurnState& turn) {
  std::string block = "Documents at hand:";
  for (std::size_t i = 0; i < turn.documents.size() && i < kDocumentsNamedMax; ++i) {
    const OpenDocument& document = turn.documents[i];
    block += fmt::format("\n- {} ({} characters, {} passages)", document.handle, document.characters,
                         document.chunks);
  }
  if (turn.documents.size() > kDocumentsNamedMax)
    block += fmt::format("\n- and {} more", turn.documents.size() - kDocumentsNamedMax);
  return block;
}

// `stage`: as whose time it counts. What is opened for tools alone is no ingestion of the profile's.
std::optional<Waited> OpenDocuments(TurnState& turn, std::string_view stage, Preloaded& preloaded) {
  turn.walk.TellStatus("preload", "documents: opening them");
  turn.walk.TellStage("stage_start", stage);
  ASSAY_AWAIT(const Value opened, AskDocuments(turn, kOpenDocuments, Map()));
  TakeDocuments(turn, opened, preloaded);
  turn.walk.TellStage("stage_end", stage);
  turn.walk.TellStatus("preload", fmt::format("documents: {} can be read", turn.documents.size()));
  for (const std::string& notice : preloaded.notices) turn.walk.TellStatus("preload", notice);
  return Waited{};
}

std::optional<Waited> AddEvidence(TurnState& turn, Preloaded& preloaded) {
  ASSAY_AWAIT(const Value found, AskDocuments(turn, kFindEvidence, Object{{"query", QuestionOf(turn)}}));
  std::string block;
  for (const Value& evidence : found.ListAt("evidence")) {
    const std::string source =
        fmt::format("{}, relevance {}", evidence.TextAt("handle"), evidence.TextAt("relevance"));
    block += "\n" + Fenced(source, evidence.TextAt("text"));
  }
  if (!block.empty()) preloaded.blocks.push_back("Passages that may answer it:" + block);
  if (List shown = EvidenceOf(found); !shown.empty()) {
    turn.walk.Tell(Object{{"event", "evidence"}, {"evidence", std::move(shown)}});
  }
  return Waited{};
}

}  // namespace

std::optional<Preloaded> Preload(TurnState& turn) {
  const Profile& profile = turn.profile();
  Preloaded preloaded;
  const bool is_local = profile.source_provider == kLocalSnapshot;
  const bool preloads = profile.research_mode && profile.preload_local_sources;
  if (profile.research_mode) {
    const std::size_t queries = ExpandQuery(QuestionOf(turn)).size();
    turn.walk.TellStatus("preload", fmt::format("the question is looked for in {} ways", queries));
  }
  if (is_local && (preloads || !profile.lean)) {
    ASSAY_AWAIT(const Waited opened, OpenDocuments(turn, preloads ? kIngestion : kOpenedForTools, preloaded));
    static_cast<void>(opened);
    if (preloaded.error) return preloaded;
  } else if (preloads) {
    // The stage is looked at, and there is nothing to read.
    turn.walk.TellStage("stage_start", kIngestion);
    turn.walk.TellStage("stage_end", kIngestion);
  }
  preloaded.has_corpus = is_local && preloads && !turn.documents.empty();
  if (profile.research_mode) {
    const QueryClass query = ClassifyQuery(QuestionOf(turn), turn.documents.size());
    preloaded.sums_up = query.mode == QueryMode::kOneShot;
    turn.walk.TellStatus(
        "preload", fmt::format("the question wants {} ({:.2f})", preloaded.sums_up ? "a summary" : "research",
                               query.confidence));
  }
  const bool has_documents = preloaded.has_corpus;
  if (has_documents) preloaded.blocks.push_back(DocumentsBlock(turn));
  ASSAY_AWAIT(const Waited read, PreloadPages(turn, preloaded));
  static_cast<void>(read);
  if (profile.additional_source_context) preloaded.blocks.push_back(*profile.additional_source_context);
  if (has_documents) {
    ASSAY_AWAIT(const Waited found, AddEvidence(turn, preloaded));
    static_cast<void>(found);
  }
  return preloaded;
}

}  // namespace assay

// Reads the request of each attempt's first call to its model back from its canonical text.
#include "report/fold/sent_words.h"

#include <algorithm>

#include "spec/report/cell_grid.h"
#include "text/found.h"
#include "text/json/json.h"
#include "text/json/stored.h"
#include "text/object.h"

namespace assay {

namespace {

constexpr std::size_t kSentBytesMax = 4u << 20;  // of all requests of a case; the others are left out

bool AnswersCell(const CellResult&, const StepLink& link) { return link.kind == LinkKind::kAnswer; }

const Exchange* FirstOfModel(std::span<const Exchange> exchanges) {
  const auto first = std::find_if(exchanges.begin(), exchanges.end(), [](const Exchange& exchange) {
    return exchange.kind == RequestKind::kModel && exchange.role == RequestRole::kCandidate;
  });
  return first == exchanges.end() ? nullptr : &*first;
}

Error NotARequest() { return {ErrorCode::kCorrupt, "the store is damaged: a request of it is none"}; }

// {"user": "Why?", …}: the role is the name of the first member.
Result<Message> SentMessageOf(const Value& value) {
  if (!value.is_map() || value.AsMap().size() == 0 || !value.AsMap().begin()->value.is_string())
    return NotARequest();
  const Member& first = *value.AsMap().begin();
  for (const Role role : {Role::kSystem, Role::kUser, Role::kAssistant, Role::kTool}) {
    if (first.key == RoleName(role)) return Message{role, first.value.AsString()};
  }
  return NotARequest();
}

// Of a canonical text (spec/exchange/request.h).
Result<SentWords> SentWordsOf(std::string_view canonical) {
  constexpr std::size_t kBytesOfValue = 16;  // on average, at least
  ASSAY_TRY(const Value request, ParseStoredIn(canonical.size() / kBytesOfValue, canonical));
  const List* messages = FindList(request, "messages");
  if (messages == nullptr) return NotARequest();
  SentWords sent;
  for (const Value& each : *messages) {
    ASSAY_TRY(Message message, SentMessageOf(each));
    sent.messages.push_back(std::move(message));
  }
  for (const Value& tool : request.ListAt("tools")) {
    if (!tool.is_list() || tool.AsList().empty() || !tool.AsList()[0].is_string()) return NotARequest();
    sent.tools.push_back(tool.AsList()[0].AsString());
  }
  return sent;
}

}  // namespace

Result<SentOfCase> ReadSentWords(Store& store, const std::string& run_id, const Suite& suite,
                                 CaseIndex index) {
  const std::optional<CellGrid> grid = CellGrid::Of(suite);
  SentOfCase sent;
  if (!grid) return sent;
  std::map<std::pair<VariantIndex, AttemptIndex>, ExchangeId> firsts;
  ASSAY_CHECK_OK(store.VisitAnswered(run_id, RunPart::kRun, grid->OfCase(index), AnswersCell,
                                     [&](const CellResult& result, std::span<Exchange> answer) -> Status {
                                       const Exchange* first = FirstOfModel(answer);
                                       const CellAddress at = grid->At(result.cell);
                                       if (first != nullptr) firsts[{at.variant, at.attempt}] = first->id;
                                       return Ok();
                                     }));
  std::size_t bytes = 0;
  for (const auto& [at, id] : firsts) {
    ASSAY_TRY(const std::string canonical, store.RequestOf(id));
    if (canonical.size() > kSentBytesMax - bytes) continue;
    bytes += canonical.size();
    ASSAY_TRY(sent[at], SentWordsOf(canonical));
  }
  return sent;
}

bool IsSaidIn(const SentWords& sent, const Transcript& transcript) {
  return sent.tools.empty() && sent.messages.size() <= transcript.history.size() &&
         std::equal(sent.messages.begin(), sent.messages.end(), transcript.history.begin(),
                    [](const Message& a, const Message& b) { return a.role == b.role && a.text == b.text; });
}

Value SentValue(const SentWords& sent) {
  return Object{
      {"messages", ArrayOf(sent.messages,
                           [&](const Message& message) {
                             return Object{{"role", RoleName(message.role)}, {"text", message.text}};
                           })},
      {"tools", ArrayOf(sent.tools)}};
}

}  // namespace assay

// Walks every cell of a plan over stored replies, and assumes replies where there are none, to count requests
// and tokens.
#include "run/forecast.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "base/hash.h"
#include "checks/judge/judge.h"
#include "corpus/ask/operations.h"
#include "corpus/index/corpus.h"
#include "plan/models_of.h"
#include "providers/facts/output_max.h"
#include "run/executor/calls/calls.h"
#include "spec/exchange/tool_calls.h"
#include "spec/run/worker_state.h"
#include "spec/suite/asked_members.h"
#include "spec/suite/variant.h"

namespace assay {

namespace {

constexpr std::size_t kObservedMax = 2'000;  // exchanges that are looked at
constexpr double kBytesOfToken = 4;
constexpr std::string_view kDocuments = "documents";

// Tokens of a reply that nobody has seen.
double AssumedOutput(RequestRole role) {
  switch (role) {
    case RequestRole::kCandidate:
    case RequestRole::kSummary:
      return 400;
    case RequestRole::kEmbedding:
      return 0;
    default:
      return 200;
  }
}

double TextBytes(const Request& request) {
  std::size_t bytes = 0;
  if (const auto* model = std::get_if<ModelRequest>(&request)) {
    bytes += BytesToRead(*model);
  } else if (const auto* embed = std::get_if<EmbedRequest>(&request)) {
    for (const std::string& text : embed->texts) bytes += text.size();
  }
  return static_cast<double>(bytes);
}

CallKind KindOf(const Request& request, RequestRole role) {
  if (const auto* model = std::get_if<ModelRequest>(&request))
    return {role, model->provider, std::string(ModelSent(*model))};
  if (const auto* embed = std::get_if<EmbedRequest>(&request)) return {role, embed->provider, embed->model};
  if (const auto* http = std::get_if<HttpRequest>(&request)) return {role, "http", http->url};
  if (std::holds_alternative<CorpusRequest>(request)) return {role, std::string(kDocuments), ""};
  return {role, "program", ""};
}

// Input tokens of the calls of one kind.
struct CachedShares {
  double input = 0;
  double read = 0;
  double write = 0;
};

// One walk over all cells of a plan.
class Forecaster {
 public:
  Forecaster(const Plan& plan, const Router& router, Store* store, EpochRange epochs, ObservedUsage observed,
             PromptClock prompts, const Corpus* corpus = nullptr)
      : plan_(plan),
        router_(router),
        store_(store),
        epochs_(epochs),
        observed_(std::move(observed)),
        corpus_(corpus) {
    run_.prompts = prompts;
  }

  Status WalkCell(CellIndex index) {
    const CellAddress cell = plan_.CellAt(index);
    const std::vector<StepTemplate>& slots = plan_.case_plan(cell.case_index).slots;
    std::vector<Known> known(slots.size());
    for (SlotIndex slot = 0; slot < slots.size(); ++slot) {
      // Grading asks nothing.
      if (slots[slot].kind != StepKind::kGrade) ASSAY_CHECK_OK(WalkStep(cell, slots, slot, known));
    }
    return Ok();
  }

  void SetDigests(CorpusDigests digests) { digests_ = std::move(digests); }
  std::vector<PreparedRequest> TakeMissing() { return std::move(missing_); }
  // Of the cell that was walked last: what answers it; empty where something is missing.
  std::vector<Exchange> TakeAnswer() { return std::exchange(answer_, {}); }

  std::vector<ForecastLine> Lines() const {
    std::vector<ForecastLine> lines;
    for (const auto& [kind, line] : lines_) {
      // The documents are asked here, for nothing.
      if (kind.provider != kDocuments) lines.push_back(line);
    }
    return lines;
  }

 private:
  // A settled step; `assumed`: it rests on replies that nobody has given yet.
  struct Known {
    StepOutcome outcome = Done{Skipped{}};
    bool assumed = false;
  };

  // What a step has asked of one party so far.
  struct PartyRequests {
    std::uint64_t requests = 0;
    bool assumed = false;            // one of them at least has no reply yet
    std::optional<Request> example;  // the last, as it would be sent
  };
  using RequestsByKind = std::map<CallKind, PartyRequests>;

  Status WalkStep(const CellAddress& cell, const std::vector<StepTemplate>& slots, SlotIndex slot,
                  std::vector<Known>& known) {
    const StepTemplate& step = slots[slot];
    std::vector<const StepOutcome*> inputs;
    bool assumed = false;
    for (const SlotIndex input : step.inputs) {
      inputs.push_back(&known[input].outcome);
      assumed = assumed || known[input].assumed;
      if (step.gate != Gate::kAllDone || !std::holds_alternative<Failed>(known[input].outcome)) continue;
      known[slot].outcome = Failed{{ErrorCode::kCancelled, "not asked: what it builds on failed"}};
      return Ok();
    }
    const StepContext context{.suite = plan_.suite(),
                              .case_index = cell.case_index,
                              .variant_index = cell.variant,
                              .attempt = cell.attempt,
                              .inputs = inputs,
                              .run = run_,
                              .worker = worker_,
                              .part = plan_.part()};
    RequestsByKind asked;
    std::vector<Exchange> so_far;
    for (std::uint32_t rounds = 0;; ++rounds) {
      Action action = NextOf(plan_, step, context, so_far, rounds);
      auto* need = std::get_if<Need>(&action);
      if (need == nullptr) {
        if (assumed) CountPossible(PartiesOf(plan_, cell.case_index, step, cell.variant), asked);
        known[slot] = {.outcome = OutcomeOf(std::move(action)), .assumed = assumed};
        if (step.kind == StepKind::kGenerate && !assumed) answer_ = std::move(so_far);
        return Ok();
      }
      ASSAY_TRY(const bool all_there, Ask(*need, assumed, asked, so_far));
      assumed = assumed || !all_there;
    }
  }

  static StepOutcome OutcomeOf(Action action) {
    if (auto* failed = std::get_if<Failed>(&action)) return std::move(*failed);
    return std::move(std::get<Done>(action));
  }

  // Appends the replies of a round, true or assumed. True: all of them were there.
  Result<bool> Ask(const Need& need, bool assumed, RequestsByKind& asked, std::vector<Exchange>& so_far) {
    bool all_there = !assumed;
    for (const PlannedRequest& planned : need.requests) {
      PlannedRequest known = planned;
      if (auto* asked_of = std::get_if<CorpusRequest>(&known.request))
        asked_of->corpus = DigestOf(asked_of->documents);
      PreparedRequest prepared = router_.Prepare(plan_.suite(), std::move(known));
      ForecastLine& line = LineOf(prepared.request, planned.tag.role);
      std::optional<Exchange> exchange;
      if (!assumed) {
        ASSAY_TRY(exchange, Find(prepared));
      }
      PartyRequests& party = asked[KindOf(planned.request, planned.tag.role)];
      ++party.requests;
      party.assumed = party.assumed || !exchange;
      if (exchange) {
        ++line.answered;
      } else {
        all_there = false;
        if (!assumed) missing_.push_back(prepared);
        // Two steps that ask the same are answered by one call.
        if (assumed || seen_.insert(DigestHash()(prepared.key)).second) {
          CountCall(prepared.request, line);
          CountStandIns(planned);
        }
        exchange = AssumedExchange(prepared.request, line);
      }
      exchange->role = planned.tag.role;
      so_far.push_back(std::move(*exchange));
      party.example = std::move(prepared.request);
    }
    return all_there;
  }

  Result<std::optional<Exchange>> Find(const PreparedRequest& prepared) {
    if (prepared.recorded) {
      Exchange exchange;
      exchange.reply = *prepared.recorded;
      return std::optional(std::move(exchange));
    }
    if (prepared.refused) {
      Exchange exchange;
      exchange.error = prepared.refused;
      return std::optional(std::move(exchange));
    }
    const auto* documents = std::get_if<CorpusRequest>(&prepared.request);
    if (documents != nullptr && corpus_ != nullptr) return AskCorpus(*documents);
    if (store_ == nullptr) return std::optional<Exchange>();
    ASSAY_TRY(std::vector<std::optional<Exchange>> found, store_->Find({&prepared.key, 1}, epochs_));
    if (found.front() && !MayAnswer(*found.front(), prepared)) return std::optional<Exchange>();
    return std::move(found.front());
  }

  std::string DigestOf(const std::vector<std::string>& documents) const {
    if (corpus_ != nullptr) return Hex(corpus_->DigestOf(documents));
    const auto known = digests_.find(documents);
    return known == digests_.end() ? std::string() : known->second;
  }

  // The documents answer as they do in a run.
  std::optional<Exchange> AskCorpus(const CorpusRequest& request) const {
    Exchange exchange;
    Result<Value> answer = AnswerOf(*corpus_, request.operation, request.arguments, request.documents);
    if (answer) {
      exchange.reply = CorpusReply{*std::move(answer)};
    } else {
      exchange.error = std::move(answer).error();
    }
    return exchange;
  }

  ForecastLine& LineOf(const Request& request, RequestRole role) {
    CallKind kind = KindOf(request, role);
    const auto [place, is_new] = lines_.try_emplace(kind);
    ForecastLine& line = place->second;
    if (is_new) {
      const auto observed = observed_.find(kind);
      line.is_observed = observed != observed_.end();
      line.call_ms = line.is_observed
                         ? observed->second.duration_ms / static_cast<double>(observed->second.calls)
                         : kAssumedCallMs;
      line.kind = std::move(kind);
    }
    return line;
  }

  double InputTokens(const Request& request, const CallKind& kind) const {
    const auto observed = observed_.find(kind);
    const bool known = observed != observed_.end() && observed->second.text_bytes > 0;
    const double per_byte =
        known ? observed->second.input_tokens / observed->second.text_bytes : 1 / kBytesOfToken;
    return TextBytes(request) * per_byte + PartTokens(request);
  }

  static double PartTokens(const Request& request) {
    const auto* model = std::get_if<ModelRequest>(&request);
    return model == nullptr ? 0 : static_cast<double>(MediaTokensToRead(*model));
  }

  double OutputTokens(const CallKind& kind) const {
    const auto observed = observed_.find(kind);
    return observed == observed_.end()
               ? AssumedOutput(kind.role)
               : observed->second.output_tokens / static_cast<double>(observed->second.calls);
  }

  static std::string_view TierOf(const Request& request) {
    const auto* model = std::get_if<ModelRequest>(&request);
    return model == nullptr ? std::string_view() : TierOfExtra(model->params.extra);
  }

  static double OutputMax(const Request& request) {
    const auto* model = std::get_if<ModelRequest>(&request);
    if (model == nullptr) return 0;
    return static_cast<double>(OutputTokensMax(*model));
  }

  void CountCall(const Request& request, ForecastLine& line) {
    const double input = InputTokens(request, line.kind);
    const double most = OutputMax(request);
    ++line.least;
    ++line.most;
    if (const std::string_view tier = TierOf(request); !tier.empty()) ++line.tiers[std::string(tier)];
    line.expected.input += input;
    line.expected.parts += PartTokens(request);
    if (const auto observed = observed_.find(line.kind); observed != observed_.end()) {
      line.expected.cached_read += input * observed->second.cached_read_share;
      line.expected.cached_write += input * observed->second.cached_write_share;
    }
    line.expected.output += std::min(OutputTokens(line.kind), most);
    line.worst.input += input;
    line.worst.output += most;
  }

  // What the step may ask beyond what it did, had the replies been others: up to the bound of each party
  // whose replies were assumed, or who was not asked because of others' good replies.
  void CountPossible(const std::vector<StepParty>& parties, const RequestsByKind& asked) {
    std::map<CallKind, std::pair<const StepParty*, std::uint64_t>> most;
    for (const StepParty& party : parties) {
      CallKind kind{.role = party.role, .provider = {}, .model = {}};
      if (party.model != nullptr) {
        kind.provider = party.model->provider;
        kind.model = party.model->model;
      } else if (const PartyRequests* same = AskedInRole(asked, party.role)) {
        kind = KindOf(*same->example, party.role);
      }
      auto& [first, requests] = most[kind];
      first = &party;
      requests += party.most;
    }
    for (const auto& [kind, bound] : most) {
      if (kind.provider == kDocuments) continue;
      const auto& [party, requests] = bound;
      const auto found = asked.find(kind);
      const PartyRequests* before = found == asked.end() ? nullptr : &found->second;
      const std::uint64_t so_far = before == nullptr ? 0 : before->requests;
      if (requests <= so_far || (before != nullptr && !before->assumed)) continue;
      if (std::optional<Request> example = ExampleOf(*party, before, asked))
        AddPossible(*example, party->role, requests - so_far);
    }
  }

  static const PartyRequests* AskedInRole(const RequestsByKind& asked, RequestRole role) {
    const auto found = std::find_if(asked.begin(), asked.end(),
                                    [role](const auto& each) { return each.first.role == role; });
    return found == asked.end() ? nullptr : &found->second;
  }

  // Each model that may stand in for the one of an answer is asked in its place at most once.
  void CountStandIns(const PlannedRequest& planned) {
    const auto* own = std::get_if<ModelRequest>(&planned.request);
    if (own == nullptr || planned.tag.role != RequestRole::kCandidate) return;
    for (const ModelRef& fallback : plan_.VariantOf(planned.tag.variant).fallbacks) {
      ModelRequest request = *own;
      static_cast<ModelRef&>(request) = fallback;
      const PlannedRequest asked{.request = std::move(request), .tag = planned.tag};
      AddPossible(router_.Prepare(plan_.suite(), asked).request, planned.tag.role, 1);
    }
  }

  // A request as the party would get it: about as large as one that it, or another of the same step, got.
  std::optional<Request> ExampleOf(const StepParty& party, const PartyRequests* before,
                                   const RequestsByKind& asked) const {
    if (before != nullptr) return before->example;
    for (const auto& [kind, other] : asked) {
      const auto* like = std::get_if<ModelRequest>(&*other.example);
      if (like == nullptr || party.model == nullptr || party.params == nullptr) continue;
      ModelRequest request{*party.model};
      request.messages = like->messages;
      request.params = *party.params;
      return router_
          .Prepare(plan_.suite(),
                   {.request = std::move(request), .tag = {.role = party.role, .judge_model = {}}})
          .request;
    }
    return std::nullopt;
  }

  void AddPossible(const Request& request, RequestRole role, std::uint64_t count) {
    ForecastLine& line = LineOf(request, role);
    const double input = InputTokens(request, line.kind);
    line.most += count;
    line.worst.input += input * static_cast<double>(count);
    line.worst.output += OutputMax(request) * static_cast<double>(count);
  }

  // A reply that can be used, by the kind of request.
  Exchange AssumedExchange(const Request& request, const ForecastLine& line) const {
    Exchange exchange;
    if (const auto* model = std::get_if<ModelRequest>(&request)) {
      ModelReply reply;
      reply.text = AssumedText(*model, line);
      exchange.reply = std::move(reply);
    } else if (const auto* embed = std::get_if<EmbedRequest>(&request)) {
      EmbedReply reply;
      reply.vectors.assign(embed->texts.size(), {1.0});
      exchange.reply = std::move(reply);
    } else if (std::holds_alternative<HttpRequest>(request)) {
      HttpReply reply;
      reply.status = 200;
      reply.body = R"({"score":1})";
      exchange.reply = std::move(reply);
    } else if (std::holds_alternative<CorpusRequest>(request)) {
      exchange.reply = CorpusReply{Value(Map())};
    } else {
      ProcessReply reply;
      reply.exit_code = 0;
      exchange.reply = std::move(reply);
    }
    return exchange;
  }

  std::string AssumedText(const ModelRequest& request, const ForecastLine& line) const {
    constexpr double kTextBytesMax = 16'000;
    constexpr int kAssumedKeyPoints = 5;
    switch (line.kind.role) {
      case RequestRole::kJudge:
      case RequestRole::kBackupJudge:
        return AssumedVerdictText(request.answer_schema.is_undefined() ? VerdictForm::kTags
                                                                       : VerdictForm::kJson);
      case RequestRole::kExtraction: {
        std::string text;
        for (int i = 0; i < kAssumedKeyPoints; ++i)
          text += fmt::format("<key_point>assumed point {}</key_point>", i);
        return text;
      }
      default: {
        const double bytes = std::min(OutputTokens(line.kind) * kBytesOfToken, kTextBytesMax);
        return std::string(std::max<std::size_t>(static_cast<std::size_t>(bytes), 1), '-');
      }
    }
  }

  const Plan& plan_;
  const Router& router_;
  Store* store_;
  EpochRange epochs_;
  ObservedUsage observed_;
  RunContext run_;
  WorkerState worker_;
  std::map<CallKind, ForecastLine> lines_;
  std::unordered_set<std::size_t> seen_;  // starts of keys
  std::vector<PreparedRequest> missing_;  // rests on no assumption
  const Corpus* corpus_;                  // null: no documents are read
  CorpusDigests digests_;                 // of documents that are not read
  std::vector<Exchange> answer_;          // of the cell that is walked
};

void Scale(double times, TokenCount& tokens) {
  for (double* each :
       {&tokens.input, &tokens.output, &tokens.cached_read, &tokens.cached_write, &tokens.parts})
    *each *= times;
}

Result<ObservedUsage> ObservedIn(Store* store) {
  return store == nullptr ? Result<ObservedUsage>(ObservedUsage()) : ObserveUsage(*store);
}

// Null where the store has no answer to any request: then each look-up of a key is a question in vain.
Result<Store*> WithAnswers(Store* store, EpochRange epochs) {
  if (store == nullptr) return store;
  ASSAY_TRY(const StoreEnds ends, store->Ends());
  ASSAY_TRY(const std::uint32_t newest, store->NewestEpoch());
  return ends.exchange == 0 || newest < epochs.first ? nullptr : store;
}

// From the cases that were walked to all.
void Scale(double times, ForecastLine& line) {
  for (std::uint64_t* each : {&line.answered, &line.least, &line.most})
    *each = static_cast<std::uint64_t>(std::llround(static_cast<double>(*each) * times));
  for (auto& [tier, calls] : line.tiers)
    calls = static_cast<std::uint64_t>(std::llround(static_cast<double>(calls) * times));
  Scale(times, line.expected);
  Scale(times, line.worst);
}

}  // namespace

Result<ObservedUsage> ObserveUsage(Store& store) {
  ASSAY_TRY(const std::vector<StoredUsage> rows, store.RecentUsage(kObservedMax));
  ObservedUsage observed;
  std::map<CallKind, CachedShares> cached;
  for (const StoredUsage& row : rows) {
    const std::optional<CallFacts> call = CallFactsOf(row.request);
    if (!call) continue;
    ObservedCalls& calls = observed[{row.role, call->provider, call->model}];
    ++calls.calls;
    calls.output_tokens += static_cast<double>(row.usage.output_tokens);
    CachedShares& shares = cached[{row.role, call->provider, call->model}];
    shares.input += static_cast<double>(row.usage.input_tokens);
    shares.read += static_cast<double>(row.usage.cached_read_tokens);
    shares.write += static_cast<double>(row.usage.cached_write_tokens);
    if (!call->has_media) {
      calls.input_tokens += static_cast<double>(row.usage.input_tokens);
      calls.text_bytes += static_cast<double>(call->text_bytes);
    }
    calls.duration_ms +=
        std::chrono::duration<double, std::milli>(std::chrono::microseconds(row.duration_us)).count();
  }
  for (const auto& [kind, shares] : cached) {
    if (shares.input <= 0) continue;
    observed[kind].cached_read_share = std::min(shares.read / shares.input, 1.0);
    observed[kind].cached_write_share = std::min(shares.write / shares.input, 1.0);
  }
  return observed;
}

CellIndex SampledCell(CellIndex cells, CellIndex sampled, CellIndex i) {
  constexpr double kGolden = 0.6180339887498949;
  const CellIndex first = i * cells / sampled;
  const CellIndex width = (i + 1) * cells / sampled - first;
  const double turns = static_cast<double>(i) * kGolden;
  const double place = (turns - std::floor(turns)) * static_cast<double>(width);
  return first + std::min(static_cast<CellIndex>(place), width - 1);
}

Result<std::vector<ForecastLine>> ForecastRun(const Plan& plan, const Router& router, Store* store,
                                              EpochRange epochs, PromptClock prompts, CellIndex most,
                                              const Corpus* corpus) {
  ASSAY_TRY(ObservedUsage observed, ObservedIn(store));
  ASSAY_TRY(Store* const answers, WithAnswers(store, epochs));
  Forecaster forecaster(plan, router, answers, epochs, std::move(observed), prompts, corpus);
  const CellIndex cells = plan.CellCount();
  const CellIndex walked = std::min(cells, most);
  for (CellIndex i = 0; i < walked; ++i) ASSAY_CHECK_OK(forecaster.WalkCell(SampledCell(cells, walked, i)));
  std::vector<ForecastLine> lines = forecaster.Lines();
  if (walked < cells && walked > 0) {
    const double times = static_cast<double>(cells) / static_cast<double>(walked);
    for (ForecastLine& line : lines) Scale(times, line);
  }
  return lines;
}

Result<AnsweredForecast> ForecastAnswers(const Plan& plan, const Router& router, Store* store,
                                         EpochRange epochs) {
  ASSAY_TRY(ObservedUsage observed, ObservedIn(store));
  Forecaster forecaster(plan, router, store, epochs, std::move(observed), {});
  AnsweredForecast forecast;
  for (CellIndex cell = 0; cell < plan.CellCount(); ++cell) {
    ASSAY_CHECK_OK(forecaster.WalkCell(cell));
    forecast.answers.push_back(forecaster.TakeAnswer());
  }
  forecast.lines = forecaster.Lines();
  return forecast;
}

Result<std::vector<PreparedRequest>> MissingRequests(const Plan& plan, const Router& router, Store* store,
                                                     EpochRange epochs, PromptClock prompts, CellIndex cell,
                                                     CorpusDigests digests) {
  Forecaster forecaster(plan, router, store, epochs, {}, prompts);
  forecaster.SetDigests(std::move(digests));
  ASSAY_CHECK_OK(forecaster.WalkCell(cell));
  return forecaster.TakeMissing();
}

}  // namespace assay

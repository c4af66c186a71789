// Walking a plan over what is known, and assuming the rest.
#include "run/forecast.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_set>

#include "providers/facts/output_max.h"
#include "run/executor/calls.h"
#include "spec/worker_state.h"

namespace assay {

namespace {

constexpr std::size_t kObservedMax = 2'000;  // exchanges that are looked at
constexpr double kBytesPerToken = 4;

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
    for (const Message& message : model->messages) bytes += message.text.size();
  } else if (const auto* embed = std::get_if<EmbedRequest>(&request)) {
    for (const std::string& text : embed->texts) bytes += text.size();
  }
  return static_cast<double>(bytes);
}

CallKind KindOf(const Request& request, RequestRole role) {
  if (const auto* model = std::get_if<ModelRequest>(&request)) return {role, model->provider, model->model};
  if (const auto* embed = std::get_if<EmbedRequest>(&request)) return {role, embed->provider, embed->model};
  if (const auto* http = std::get_if<HttpRequest>(&request)) return {role, "http", http->url};
  return {role, "program", ""};
}

// One walk over all cells of a plan.
class Forecaster {
 public:
  Forecaster(const Plan& plan, const Router& router, Store* store, EpochRange epochs, ObservedUsage observed)
      : plan_(plan), router_(router), store_(store), epochs_(epochs), observed_(std::move(observed)) {}

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

  std::vector<ForecastLine> Lines() const {
    std::vector<ForecastLine> lines;
    for (const auto& [kind, line] : lines_) lines.push_back(line);
    return lines;
  }

 private:
  // A settled step; `assumed`: it rests on replies that nobody has given yet.
  struct Known {
    StepOutcome outcome = Done{Skipped{}};
    bool assumed = false;
  };

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
                              .corpus = nullptr,
                              .worker = worker_};
    std::vector<Exchange> so_far;
    while (true) {
      Action action = NextOf(plan_, step, context, so_far);
      auto* need = std::get_if<Need>(&action);
      if (need == nullptr) {
        known[slot] = {.outcome = OutcomeOf(std::move(action)), .assumed = assumed};
        // What was skipped only because all replies were assumed to be good may be asked after all.
        if (assumed && so_far.empty()) CountPossible(step, context);
        return Ok();
      }
      ASSAY_TRY(const bool all_there, Ask(*need, assumed, so_far));
      if (all_there) continue;
      // Assumed replies lead to the next question: a turn, or the judging of key points.
      const bool goes_on =
          step.kind == StepKind::kGenerate || (step.kind == StepKind::kKeyPoints && !assumed);
      assumed = true;
      if (goes_on) continue;
      CountRest(step, *need, so_far.size());
      known[slot] = {.outcome = AssumedOutcome(step), .assumed = true};
      return Ok();
    }
  }

  static StepOutcome OutcomeOf(Action action) {
    if (auto* failed = std::get_if<Failed>(&action)) return std::move(*failed);
    return std::move(std::get<Done>(action));
  }

  static StepOutcome AssumedOutcome(const StepTemplate& step) {
    if (step.kind == StepKind::kJudge || step.kind == StepKind::kBackup)
      return Done{Judgement{.score = 1, .reflection = {}, .judge = {}}};
    return Done{Skipped{}};
  }

  // Appends the replies of a round, true or assumed. True: all of them were there.
  Result<bool> Ask(Need& need, bool assumed, std::vector<Exchange>& so_far) {
    bool all_there = !assumed;
    for (PlannedRequest& planned : need.requests) {
      PreparedRequest prepared = router_.Prepare(plan_.suite(), PlannedRequest(planned));
      ForecastLine& line = LineOf(prepared.request, planned.tag.role);
      std::optional<Exchange> exchange;
      if (!assumed) {
        ASSAY_TRY(exchange, Find(prepared));
      }
      if (exchange) {
        ++line.answered;
      } else {
        all_there = false;
        // Two steps that ask the same are answered by one call.
        if (assumed || seen_.insert(DigestHash()(prepared.key)).second) {
          CountCall(prepared.request, line);
          CountStandIns(planned);
        }
        exchange = AssumedExchange(line);
      }
      so_far.push_back(std::move(*exchange));
      planned.request = std::move(prepared.request);  // as it would be sent, for CountRest
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
    if (store_ == nullptr) return std::optional<Exchange>();
    ASSAY_TRY(std::vector<std::optional<Exchange>> found, store_->Find({&prepared.key, 1}, epochs_));
    if (found.front() && !MayAnswer(*found.front(), prepared)) return std::optional<Exchange>();
    return std::move(found.front());
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
        known ? observed->second.input_tokens / observed->second.text_bytes : 1 / kBytesPerToken;
    return TextBytes(request) * per_byte;
  }

  double OutputTokens(const CallKind& kind) const {
    const auto observed = observed_.find(kind);
    return observed == observed_.end()
               ? AssumedOutput(kind.role)
               : observed->second.output_tokens / static_cast<double>(observed->second.calls);
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
    line.expected.input += input;
    line.expected.output += std::min(OutputTokens(line.kind), most);
    line.worst.input += input;
    line.worst.output += most;
  }

  // Requests that may follow those of an unanswered round, each about as large as one of them.
  void CountRest(const StepTemplate& step, const Need& need, std::size_t asked) {
    if (step.max_requests <= asked || need.requests.empty()) return;
    const std::size_t rest = step.max_requests - asked;
    const std::size_t each = rest / need.requests.size();
    const std::size_t left = rest % need.requests.size();
    for (std::size_t i = 0; i < need.requests.size(); ++i) {
      AddPossible(need.requests[i].request, need.requests[i].tag.role, each + (i < left ? 1 : 0));
    }
  }

  // A backup that nobody needed while every reply was assumed to be good is asked if the judges fail.
  void CountPossible(const StepTemplate& step, const StepContext& context) {
    if (step.kind != StepKind::kBackup) return;
    const StepOutcome failed = Failed{{ErrorCode::kCancelled, "assumed to fail"}};
    std::vector<const StepOutcome*> inputs(context.inputs.begin(), context.inputs.end());
    std::fill(inputs.begin() + 1, inputs.end(), &failed);
    StepContext worst = context;
    worst.inputs = inputs;
    Action action = NextOf(plan_, step, worst, {});
    auto* need = std::get_if<Need>(&action);
    if (need == nullptr) return;
    for (PlannedRequest& planned : need->requests)
      planned.request = router_.Prepare(plan_.suite(), PlannedRequest(planned)).request;
    CountRest(step, *need, 0);
  }

  // Each model that may stand in for the one of an answer is asked in its place at most once.
  void CountStandIns(const PlannedRequest& planned) {
    const auto* own = std::get_if<ModelRequest>(&planned.request);
    if (own == nullptr || planned.tag.role != RequestRole::kCandidate) return;
    for (const ModelRef& fallback : plan_.suite().variants[planned.tag.variant].fallbacks) {
      ModelRequest request = *own;
      static_cast<ModelRef&>(request) = fallback;
      const PlannedRequest asked{.request = std::move(request), .tag = planned.tag};
      AddPossible(router_.Prepare(plan_.suite(), asked).request, planned.tag.role, 1);
    }
  }

  void AddPossible(const Request& request, RequestRole role, std::size_t count) {
    ForecastLine& line = LineOf(request, role);
    const double input = InputTokens(request, line.kind);
    line.most += count;
    line.worst.input += input * static_cast<double>(count);
    line.worst.output += OutputMax(request) * static_cast<double>(count);
  }

  Exchange AssumedExchange(const ForecastLine& line) const {
    constexpr double kTextBytesMax = 16'000;
    constexpr int kAssumedKeyPoints = 5;
    const double bytes = std::min(OutputTokens(line.kind) * kBytesPerToken, kTextBytesMax);
    std::string text(std::max<std::size_t>(static_cast<std::size_t>(bytes), 1), '-');
    if (line.kind.role == RequestRole::kExtraction) {
      text.clear();
      for (int i = 0; i < kAssumedKeyPoints; ++i)
        text += fmt::format("<key_point>assumed point {}</key_point>", i);
    }
    Exchange exchange;
    exchange.reply = ModelReply{
        .text = std::move(text), .reasoning = {}, .tool_calls = {}, .finish_reason = {}, .usage = {}};
    return exchange;
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
};

}  // namespace

Result<ObservedUsage> ObserveUsage(Store& store) {
  ASSAY_TRY(const std::vector<StoredUsage> rows, store.RecentUsage(kObservedMax));
  ObservedUsage observed;
  for (const StoredUsage& row : rows) {
    const std::optional<CallFacts> call = CallFactsOf(row.request);
    if (!call) continue;
    ObservedCalls& calls = observed[{row.role, call->provider, call->model}];
    ++calls.calls;
    calls.input_tokens += static_cast<double>(row.usage.input_tokens);
    calls.output_tokens += static_cast<double>(row.usage.output_tokens);
    calls.text_bytes += static_cast<double>(call->text_bytes);
    calls.duration_ms +=
        std::chrono::duration<double, std::milli>(std::chrono::microseconds(row.duration_us)).count();
  }
  return observed;
}

Result<std::vector<ForecastLine>> ForecastRun(const Plan& plan, const Router& router, Store* store,
                                              EpochRange epochs) {
  ObservedUsage observed;
  if (store != nullptr) {
    ASSAY_TRY(observed, ObserveUsage(*store));
  }
  Forecaster forecaster(plan, router, store, epochs, std::move(observed));
  for (CellIndex cell = 0; cell < plan.CellCount(); ++cell) ASSAY_CHECK_OK(forecaster.WalkCell(cell));
  return forecaster.Lines();
}

}  // namespace assay

// Reads ranges of cells from the store in plan order or by score, with scores and words as far as they are
// asked for.
#include "report/fold/run_cells.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "report/aggregate.h"
#include "spec/suite/suite.h"
#include "spec/turn/stored_transcript.h"
#include "store/run_walks.h"

namespace assay {

namespace {

constexpr std::uint64_t kAnyToldBytes = 64u << 20;
constexpr std::uint64_t kToldRatioMax = 64;
// A suite of kilobytes may plan a billion cells. Each of them that has a result takes hundreds of bytes.
constexpr std::uint64_t kAnyCells = 1'000'000;
constexpr std::uint64_t kBytesOfCell = 8;

Cell CellOf(const CellAddress& address, const CellOutcome& outcome) {
  return {.case_index = address.case_index,
          .variant = address.variant,
          .attempt = address.attempt,
          .state = outcome.state,
          .score = outcome.value,
          .partial_score = outcome.partial,
          .record = {}};
}

// What is read of a cell for its words: nothing where they are stored.
bool IsAnswer(const CellResult&, const StepLink& link) { return link.kind == LinkKind::kAnswer; }
bool TellsAnswer(const CellResult& result, const StepLink& link) {
  return !result.transcript && IsAnswer(result, link);
}

bool RanProgram(const CellResult&, const StepLink& link) {
  return link.kind == LinkKind::kAsk && link.role == RequestRole::kProgram;
}

bool IsExchanged(const CellResult& result, const StepLink& link) {
  return IsAnswer(result, link) || RanProgram(result, link);
}

ProgramOutcome OutcomeOf(CheckIndex check, Exchange exchange) {
  ProgramOutcome outcome{.check = check, .reply = {}};
  if (auto* reply = std::get_if<ProcessReply>(&exchange.reply); reply != nullptr && !exchange.error) {
    outcome.reply = std::move(*reply);
    outcome.reply.duration = std::chrono::microseconds(exchange.duration_us);
  } else {
    outcome.error = exchange.error ? exchange.error->message : "what answered was no program";
  }
  return outcome;
}

}  // namespace

RunCells::RunCells(Store& store, RunRecord run, std::shared_ptr<const Suite> suite, CellGrid grid,
                   Retelling retelling)
    : store_(store),
      run_(std::move(run)),
      suite_(std::move(suite)),
      grid_(std::move(grid)),
      retelling_(std::move(retelling)) {}

Result<std::shared_ptr<RunCells>> RunCells::Open(Store& store, const RunRecord& run,
                                                 std::shared_ptr<const Suite> suite, Retelling retelling) {
  const std::optional<CellGrid> grid = CellGrid::Of(*suite);
  if (!grid || grid->count() != run.cells)
    return Error{ErrorCode::kCorrupt,
                 "the stored suite of run " + run.context.run_id + " is not the one it was made of"};
  ASSAY_TRY(const std::optional<std::uint64_t> bytes, store.FileBytes());
  if (bytes && run.cells > kAnyCells + *bytes / kBytesOfCell) {
    return Error{ErrorCode::kLimit,
                 fmt::format("run {} plans {} cells, more than a store of {} bytes can have",
                             run.context.run_id, run.cells, *bytes)};
  }
  return std::make_shared<RunCells>(store, run, std::move(suite), *grid, std::move(retelling));
}

// What the scores alone tell.
Status RunCells::Grade(const CellResult& result, LastCell& last) const {
  const CellAddress address = grid_.At(result.cell);
  const bool is_same = last.cell.case_index == address.case_index && last.scores == result.scores;
  Cell& cell = last.cell;
  cell.case_index = address.case_index;
  cell.variant = address.variant;
  cell.attempt = address.attempt;
  if (is_same && !last.scores.empty()) return Ok();
  last.scores = result.scores;
  ASSAY_TRY(cell.record, DecodeScores(result.scores));
  // Where points are read the cell is what they make, whatever its columns say, and they have to fit.
  const Case& the_case = suite_->cases[address.case_index];
  ASSAY_CHECK_OK(CheckScores(*suite_, cell.record));
  ASSAY_TRY(const CellOutcome outcome, Aggregate(*suite_, the_case, cell.record));
  ASSAY_CHECK_OK(CheckOutcome(*suite_, outcome));
  cell.state = outcome.state;
  cell.score = outcome.value;
  cell.partial_score = outcome.partial;
  return Ok();
}

// What was said in the attempt, told again from the exchanges of its answer.
Status RunCells::Retell(std::span<const Exchange> answer, Cell& cell) {
  const StepContext context{.suite = *suite_,
                            .case_index = cell.case_index,
                            .variant_index = cell.variant,
                            .attempt = cell.attempt,
                            .inputs = {},
                            .run = run_.context,
                            .worker = worker_};
  ASSAY_TRY(RetoldAnswer told, retelling_.answer(context, answer, cell.record.transcript));
  if (!told.is_whole) *part_told_ = true;
  cell.record.transcript = std::move(told.transcript);
  return Ok();
}

// As it is stored, else from its exchanges.
Status RunCells::AddTranscript(const CellResult& result, const Answer& answer, Cell& cell) {
  if (result.transcript) return DecodeTranscript(*result.transcript, cell.record.transcript);
  if (!retelling_.answer) return Ok();
  if (answer) return Retell(*answer, cell);
  ASSAY_TRY(const std::vector<Exchange> said, AnswerOf(result));
  return Retell(said, cell);
}

// Many cells may name one exchange, and short frames unpack to long texts: what a walk tells is bounded by
// what the store has. Of a conversation its own words count, since prompts are kept once for all cells.
Status RunCells::CountTold(const Cell& cell, LastCell& last) {
  const Transcript& said = cell.record.transcript;
  for (const std::string& text : said.generated_texts) last.told += text.size();
  for (const std::string& text : said.generated_reasoning) last.told += text.size();
  if (last.told <= kAnyToldBytes) return Ok();
  if (last.told_max == 0) {
    ASSAY_TRY(const std::optional<std::uint64_t> bytes, store_.FileBytes());
    last.told_max = std::numeric_limits<std::uint64_t>::max();
    if (bytes) last.told_max = kAnyToldBytes + kToldRatioMax * *bytes;
  }
  if (last.told <= last.told_max) return Ok();
  return Error{
      ErrorCode::kCorrupt,
      fmt::format("the store is damaged: the cells of run {} repeat answers to more than {} times its length",
                  run_.context.run_id, kToldRatioMax)};
}

Result<std::vector<Exchange>> RunCells::AnswerOf(const CellResult& result) {
  for (const StepLink& link : result.steps) {
    if (IsAnswer(result, link)) return ExchangesOfCell(store_, link.exchanges);
  }
  return std::vector<Exchange>();
}

Status RunCells::VisitGraded(const CellResult& result, const Answer& answer, CellParts parts, LastCell& last,
                             const Report::Visitor& visit) {
  ASSAY_CHECK_OK(Grade(result, last));
  Cell& cell = last.cell;
  const bool has_answer = cell.record.transcript.error.empty();
  const std::pair pair(cell.case_index, cell.variant);
  const bool is_shown = parts == CellParts::kShown && last.shown != pair;
  // Why a cell has no answer may be in its words.
  const bool tells_why = parts >= CellParts::kScores && !has_answer;
  if (parts == CellParts::kAll || is_shown || tells_why) {
    ASSAY_CHECK_OK(AddTranscript(result, answer, cell));
    ASSAY_CHECK_OK(CountTold(cell, last));
    ASSAY_CHECK_OK(DecodeMarks(result.marks, cell.record));
    last.scores.clear();
    if (has_answer) last.shown = pair;
  }
  return visit(cell);
}

// Cells that have no results.
Status RunCells::VisitSkipped(CellSpan span, const Report::Visitor& visit) const {
  for (CellIndex cell = span.first; cell < span.last; ++cell)
    ASSAY_CHECK_OK(visit(CellOf(grid_.At(cell), {.state = CellState::kSkipped})));
  return Ok();
}

Status RunCells::VisitSpan(CellSpan span, CellParts parts, LastCell& last, const Report::Visitor& visit) {
  CellIndex next = span.first;
  const auto skip_to = [&](CellIndex end) -> Status {
    ASSAY_CHECK_OK(VisitSkipped({next, end}, visit));
    next = std::max(next, end);
    return Ok();
  };
  if (parts == CellParts::kOutcome) {
    ASSAY_CHECK_OK(store_.VisitOutcomes(run_.context.run_id, span,
                                        [&](CellIndex cell, const CellOutcome& outcome) -> Status {
                                          ASSAY_CHECK_OK(skip_to(cell));
                                          ASSAY_CHECK_OK(CheckOutcome(*suite_, outcome));
                                          ++next;
                                          return visit(CellOf(grid_.At(cell), outcome));
                                        }));
    return skip_to(span.last);
  }
  const auto visit_one = [&](const CellResult& result, const Answer& answer) -> Status {
    ASSAY_CHECK_OK(skip_to(result.cell));
    ++next;
    return VisitGraded(result, answer, parts, last, visit);
  };
  // Where the words of all cells are told, their exchanges are read for many cells at once. Of one attempt
  // each those that are shown are all.
  const bool tells_all = parts == CellParts::kAll || (parts == CellParts::kShown && suite_->attempts == 1);
  if (tells_all && retelling_.answer) {
    ASSAY_CHECK_OK(store_.VisitAnswered(run_.context.run_id, RunPart::kRun, span, TellsAnswer,
                                        [&](const CellResult& result, std::span<Exchange> answer) -> Status {
                                          return visit_one(result, answer);
                                        }));
  } else {
    ASSAY_CHECK_OK(
        store_.VisitCells(run_.context.run_id, RunPart::kRun, span,
                          [&](const CellResult& result) -> Status { return visit_one(result, {}); }));
  }
  return skip_to(span.last);
}

Status RunCells::ForEachSpan(const CellRange& range, const SpanVisitor& visit) const {
  const auto last_case = std::min(range.last_case, static_cast<CaseIndex>(suite_->cases.size()));
  const auto last_variant = std::min(range.last_variant, static_cast<VariantIndex>(suite_->variants.size()));
  if (range.first_case >= last_case || range.first_variant >= last_variant) return Ok();
  const bool has_all_attempts = range.attempts == CellRange().attempts;
  const bool is_whole =
      range.first_variant == 0 && last_variant == suite_->variants.size() && has_all_attempts;
  // Of several variants all attempts.
  const auto visit_first = [&](CaseIndex c, VariantIndex first, VariantIndex end) {
    CellSpan span = grid_.Of(c, first, end);
    if (!has_all_attempts) span.last = std::min(span.last, span.first + range.attempts);
    return visit(span);
  };
  if (range.order == CellRange::Order::kByCase && is_whole)
    return visit({grid_.OfCase(range.first_case).first, grid_.OfCase(last_case - 1).last});
  if (range.order == CellRange::Order::kByCase) {
    const VariantIndex together = has_all_attempts ? last_variant - range.first_variant : 1;
    for (CaseIndex c = range.first_case; c < last_case; ++c) {
      for (VariantIndex v = range.first_variant; v < last_variant; v += together)
        ASSAY_CHECK_OK(visit_first(c, v, v + together));
    }
    return Ok();
  }
  for (VariantIndex v = range.first_variant; v < last_variant; ++v) {
    for (CaseIndex c = range.first_case; c < last_case; ++c) ASSAY_CHECK_OK(visit_first(c, v, v + 1));
  }
  return Ok();
}

Status RunCells::Visit(const CellRange& range, CellParts parts, const Report::Visitor& visit) {
  LastCell last;
  return ForEachSpan(range, [&](CellSpan span) { return VisitSpan(span, parts, last, visit); });
}

AnswerUse RunCells::UseOf(const CellAddress& at, std::span<const Exchange> answer) const {
  constexpr double kUsPerMs = 1e3;
  AnswerUse use;
  const Variant& variant = suite_->variants[at.variant];
  double usd = 0;
  bool is_priced = retelling_.price != nullptr;
  for (const Exchange& exchange : answer) {
    ++use.calls;
    use.tries += exchange.tries;
    use.usage += exchange.usage;
    if (exchange.duration_us > 0)
      use.ms = use.ms.value_or(0) + static_cast<double>(exchange.duration_us) / kUsPerMs;
    if (use.calls == 1 && exchange.first_token_us > 0)
      use.first_ms = static_cast<double>(exchange.first_token_us) / kUsPerMs;
    if (!is_priced || exchange.error) continue;
    const std::optional<double> paid = retelling_.price(variant, exchange.usage, exchange.price_factor);
    is_priced = paid.has_value();
    usd += paid.value_or(0);
  }
  if (is_priced) use.usd = usd;
  if (!answer.empty()) use.finish = answer.back().finish_reason;
  return use;
}

Status RunCells::VisitUses(const CellRange& range, const Report::UseVisitor& visit) {
  return ForEachSpan(range, [&](CellSpan span) {
    return store_.VisitAnswered(run_.context.run_id, RunPart::kRun, span, IsAnswer,
                                [&](const CellResult& result, std::span<Exchange> answer) -> Status {
                                  if (answer.empty()) return Ok();
                                  const CellAddress at = grid_.At(result.cell);
                                  return visit(at, UseOf(at, answer));
                                });
  });
}

std::size_t RunCells::AddExchanged(const CellResult& result, std::span<Exchange> exchanges,
                                   Exchanged& exchanged) const {
  std::size_t answered = 0;
  std::size_t next = 0;
  for (const StepLink& link : result.steps) {
    if (!IsExchanged(result, link)) continue;
    for (std::size_t i = 0; i < link.exchanges.size() && next < exchanges.size(); ++i, ++next) {
      if (!IsAnswer(result, link)) {
        exchanged.programs.push_back(OutcomeOf(link.check, std::move(exchanges[next])));
        continue;
      }
      if (answered != next) exchanges[answered] = std::move(exchanges[next]);
      ++answered;
    }
  }
  if (answered > 0) exchanged.use = UseOf(grid_.At(result.cell), exchanges.first(answered));
  return answered;
}

Status RunCells::VisitAttempts(const CellRange& range, const Report::AttemptVisitor& visit) {
  LastCell last;
  const auto visit_skipped = [&visit](const Cell& cell) { return visit(cell, Exchanged()); };
  return ForEachSpan(range, [&](CellSpan span) -> Status {
    CellIndex next = span.first;
    const auto visit_one = [&](const CellResult& result, std::span<Exchange> exchanges) -> Status {
      ASSAY_CHECK_OK(VisitSkipped({next, result.cell}, visit_skipped));
      next = result.cell + 1;
      Exchanged exchanged;
      const std::size_t answered = AddExchanged(result, exchanges, exchanged);
      return VisitGraded(result, exchanges.first(answered), CellParts::kAll, last,
                         [&](const Cell& cell) { return visit(cell, exchanged); });
    };
    ASSAY_CHECK_OK(store_.VisitAnswered(run_.context.run_id, RunPart::kRun, span, IsExchanged, visit_one));
    return VisitSkipped({next, span.last}, visit_skipped);
  });
}

Status RunCells::Find(const CellQuery& query, const Report::RowVisitor& visit) {
  const auto last_case = std::min(query.cells.last_case, static_cast<CaseIndex>(suite_->cases.size()));
  if (query.cells.first_case >= last_case) return Ok();
  const CellSpan span{grid_.OfCase(query.cells.first_case).first, grid_.OfCase(last_case - 1).last};
  return store_.FindCells(run_.context.run_id, span, query,
                          [&](CellIndex cell, const CellOutcome& outcome) -> Status {
                            ASSAY_CHECK_OK(CheckOutcome(*suite_, outcome));
                            return visit({.cell = cell, .address = grid_.At(cell), .outcome = outcome});
                          });
}

Result<CaseEmbeddings> RunCells::EmbeddingsOf(CaseIndex case_index) {
  const CellSpan span = grid_.OfCase(case_index);
  CaseEmbeddings embeddings;
  embeddings.answers.resize(suite_->variants.size());
  ASSAY_CHECK_OK(
      store_.VisitCells(run_.context.run_id, RunPart::kRun, span, [&](const CellResult& result) -> Status {
        for (const StepLink& step : result.steps) {
          const bool is_ideal = step.kind == LinkKind::kEmbedIdeal;
          if (!is_ideal && step.kind != LinkKind::kEmbedAnswer) continue;
          std::vector<double>* place =
              is_ideal ? &embeddings.ideal : &embeddings.answers[grid_.At(result.cell).variant];
          if (!place->empty() || step.exchanges.empty()) continue;
          ASSAY_TRY(*place, VectorOf(step.exchanges.front()));
        }
        return Ok();
      }));
  return embeddings;
}

// Empty if the request failed.
Result<std::vector<double>> RunCells::VectorOf(ExchangeId id) {
  ASSAY_TRY(std::vector<Exchange> exchanges, store_.Get(std::span(&id, 1)));
  auto* reply = std::get_if<EmbedReply>(&exchanges.front().reply);
  if (exchanges.front().error || reply == nullptr || reply->vectors.empty()) return std::vector<double>();
  return std::move(reply->vectors.front());
}

}  // namespace assay

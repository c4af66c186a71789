// Words failures, retries, slow calls, reuse and budget shortfalls of a run that ended.
#include "cli/terminal/views/run_summary.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "cli/terminal/progress.h"
#include "cli/terminal/ui.h"
#include "engine/run/run_outcome.h"
#include "engine/run/run_requests.h"
#include "report/fold/cell_counts.h"

namespace assay {

namespace {

constexpr std::size_t kGroupsShownMax = 8;
constexpr double kMillis = 1000;

std::string FailuresText(std::uint64_t requests, const std::string& first, const Findings& findings) {
  std::string text = fmt::format("warning: {} failed for good; the first: {}\n", Counted(requests, "request"),
                                 Printable(first));
  const std::vector<FailureGroup> groups = findings.Failures();
  if (groups.size() < 2 && findings.failures_left_out() == 0) return text;
  std::uint64_t left_out = findings.failures_left_out();
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (i >= kGroupsShownMax) {
      left_out += groups[i].calls;
      continue;
    }
    text += fmt::format("  {} × {}: {} (case {})\n", CountText(groups[i].calls), Printable(groups[i].model),
                        Printable(groups[i].message), Printable(groups[i].first_case));
  }
  if (left_out > 0) text += fmt::format("  {} × for other reasons\n", CountText(left_out));
  return text;
}

// Three digits are all that quantiles are good for.
std::string ThreeDigits(double value) {
  constexpr double kNeedsNoPoint = 100;
  return value < kNeedsNoPoint ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
}

// Of answers that came piece by piece.
std::string PaceText(const Findings& findings) {
  constexpr double kTail = 0.95;
  std::string text;
  for (const auto& [model, pace] : findings.streams()) {
    const Quantiles& first = pace.first_token_ms;
    const Quantiles& rate = pace.tokens_per_s;
    text += fmt::format("{}: first token after {} s (median), {} s (p95)", Printable(model),
                        ThreeDigits(first.At(0.5) / kMillis), ThreeDigits(first.At(kTail) / kMillis));
    if (rate.count() > 0) {
      text += fmt::format("; {} tokens/s (median), {} (p95)", ThreeDigits(rate.At(0.5)),
                          ThreeDigits(rate.At(kTail)));
    }
    text += "\n";
  }
  return text;
}

std::string CutText(const Executor& executor) {
  std::string text = UnsentText(executor.progress().cut);
  for (const auto& [key, breaker] : executor.breakers().Open()) {
    if (!breaker.given_up.empty()) {
      text += fmt::format("  {} was not asked {} more: {}\n", Printable(breaker.model),
                          Counted(breaker.cut, "time"), Printable(breaker.given_up));
      continue;
    }
    // What was told of the first failure is not told again.
    const Progress& progress = executor.progress();
    const bool is_told = progress.errors > 0 && breaker.last_message == progress.first_error;
    const std::string last = is_told ? std::string() : ", the last with: " + Printable(breaker.last_message);
    text += fmt::format("  {} was not asked {} more: {} in a row had failed for good{}\n",
                        Printable(breaker.model), Counted(breaker.cut, "time"),
                        Counted(breaker.failures, "call"), last);
  }
  return text;
}

// "3 asked, 33 reused; cost unknown": what came from the store cost nothing now.
std::string ReusedText(const Progress& progress) {
  if (progress.reused == 0) return {};
  std::string text = fmt::format("{} asked, {} reused", CountText(progress.sent), CountText(progress.reused));
  if (progress.recorded > 0) text += fmt::format(", {} recorded", CountText(progress.recorded));
  const bool is_unknown = progress.cost_nano_usd == 0 && progress.unpriced > 0;
  return text + (is_unknown ? "; cost unknown\n" : "\n");
}

// Twice what is known to be missing, for what follows from it, in two digits.
double Larger(double limit, double missing) {
  const double wanted = std::max(2 * limit, 2 * missing);
  if (!(wanted > 0)) return 0;
  const double unit = std::pow(10, std::floor(std::log10(wanted)) - 1);
  return std::ceil(wanted / unit - 1e-9) * unit;
}

// The limits, the estimates, what was left, and the command with larger limits.
std::string ShortfallText(const Shortfall& shortfall, const std::string& words) {
  const auto usd = [](const CallCost& cost) {
    return static_cast<double>(cost.nano_usd.value_or(0)) / kNanoPerUsd;
  };
  std::string text;
  std::string command;
  if (shortfall.limits.nano_usd) {
    const double limit = static_cast<double>(*shortfall.limits.nano_usd) / kNanoPerUsd;
    text += fmt::format(
        "  --budget-usd {:.6g}: ${:.6g} was left, and the first call that did not fit may cost up to "
        "${:.6g}; the {} that {} not sent up to ${:.6g}\n",
        limit, usd(shortfall.left), usd(shortfall.first), Counted(shortfall.calls, "call"),
        shortfall.calls == 1 ? "was" : "were", usd(shortfall.all));
    command += fmt::format(" --budget-usd {:.6g}", Larger(limit, usd(shortfall.all)));
  }
  if (shortfall.limits.tokens) {
    const auto limit = static_cast<double>(*shortfall.limits.tokens);
    text += fmt::format(
        "  --budget-tokens {}: {} were left, and the first call that did not fit may take up to {}; "
        "the {} that {} not sent up to {}\n",
        *shortfall.limits.tokens, shortfall.left.tokens, shortfall.first.tokens,
        Counted(shortfall.calls, "call"), shortfall.calls == 1 ? "was" : "were", shortfall.all.tokens);
    command +=
        fmt::format(" --budget-tokens {:.0f}", Larger(limit, static_cast<double>(shortfall.all.tokens)));
  }
  return text + fmt::format("  to send the rest: assay run {}{}\n", Printable(words), command);
}

// Ends a text of problems, if there is one.
std::string WithCommand(std::string text, const std::string& words) {
  if (!text.empty() && !words.empty())
    text += fmt::format("  to send only these again: assay run {}\n", Printable(words));
  return text;
}

}  // namespace

std::string ProblemsOfRun(const Executor& executor, const std::string& words) {
  const Progress& progress = executor.progress();
  std::string text;
  if (progress.errors > 0) text += FailuresText(progress.errors, progress.first_error, executor.findings());
  if (progress.cut > 0) text += CutText(executor);
  // A command that is told twice would be the wrong one once.
  if (progress.shortfall && !words.empty()) return text + ShortfallText(*progress.shortfall, words);
  return WithCommand(std::move(text), words);
}

Result<std::string> CausesOf(Store& store, const RunInput& input, const Ran& ran, const Report& report) {
  if (input.options.command.sharing.fold.empty()) return FirstErrorText(report);
  const CellCounts counts = CountCells(report);
  std::string text;
  if (report.totals.request_errors + counts.errors + counts.partial > 0) {
    ASSAY_TRY(const FailedRequests failed,
              FailedRequestsOf(store, ran.record.context.run_id, *input.planned.plan));
    if (failed.requests > 0) text = FailuresText(failed.requests, failed.first, failed.findings);
  }
  text += UnsentByOthers(report, ran);
  if (text.empty()) return FirstErrorText(report);
  return WithCommand(std::move(text), RunWords(input.options, input.planned.problems.path));
}

std::string NotesOfRun(const Executor& executor) {
  const Progress& progress = executor.progress();
  std::string text = ReusedText(progress);
  if (progress.retries > 0) {
    text += CountedByClass(progress.retries, "retry", progress.retries_by_class) + "\n";
  }
  if (progress.waits > 0)
    text += fmt::format("{} told to wait, which costs no try\n", CountText(progress.waits));
  for (const std::string& note : executor.findings().notes()) text += Printable(note) + "\n";
  std::string_view before = "slowest: ";
  for (const SlowCall& call : executor.findings().slowest()) {
    text += fmt::format("{}{:.1f} s {}{}\n", before, static_cast<double>(call.duration_ms) / kMillis,
                        Printable(call.what), call.tries > 1 ? fmt::format(", {} tries", call.tries) : "");
    before = "         ";
  }
  text += PaceText(executor.findings());
  const auto usd = [](std::int64_t nano) { return UsdText(static_cast<double>(nano) / kNanoPerUsd); };
  if (progress.cost_nano_usd > 0 || progress.cost_estimated_nano_usd > 0) {
    text += "cost " + usd(progress.cost_nano_usd);
    const std::uint64_t no_price = progress.unpriced - progress.without_usage;
    if (no_price > 0) text += fmt::format(" and {} whose price is not known", Counted(no_price, "call"));
    if (progress.without_usage > 0)
      text += fmt::format(" and {} whose usage is not known", Counted(progress.without_usage, "call"));
    if (progress.cost_estimated_nano_usd > 0)
      text += fmt::format(", by the length of the texts about {}", usd(progress.cost_estimated_nano_usd));
    text += '\n';
  }
  return text;
}

}  // namespace assay

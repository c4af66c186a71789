// Prints the progress of a research session: a line for each case, or with --compat asky the original tool's
// lines.
//   source  asky-cli 14f1a9e, evals/research_pipeline/run.py (spec: research, 6)
//   cases   golden research/run_artifacts/*/stdout.txt
//   known deviations: lines of an answer that was there before say so; a case that is silent is told of
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "dialects/research/read/lenient.h"
#include "dialects/research/read/row.h"
#include "dialects/research/research.h"
#include "dialects/research/strings.h"
#include "dialects/research/write/results.h"
#include "dialects/research/write/summaries.h"
#include "spec/report/cell_grid.h"
#include "spec/suite/suite.h"
#include "text/python/json.h"
#include "text/python/repr.h"
#include "text/python/text.h"

namespace assay {

namespace research {

namespace {

constexpr std::chrono::seconds kSilentFor{10};

std::string InMs(double ms) { return PythonFixed(ms, 1); }

// What a suite or a program says, in a line of ours: line breaks shown, the rest cut where it gets long.
std::string InLine(std::string_view text) {
  constexpr std::size_t kBytesMax = 300;
  std::string line;
  for (const char c : text) {
    if (line.size() >= kBytesMax && (static_cast<unsigned char>(c) & 0xc0) != 0x80) return line + "…";
    if (c == '\n' || c == '\r') {
      line += c == '\n' ? "\\n" : "\\r";
    } else {
      line += c;
    }
  }
  return line;
}

// The format's own tool knows runs by their ids alone.
std::string ShownName(const Suite& suite, const std::vector<std::string>& names, VariantIndex variant) {
  return InLine(suite.compat == Compat::kAsky ? suite.variants[variant].id : names[variant]);
}

// One cell that is under way.
struct LiveLine {
  std::string name;   // "[run/case]"
  std::string phase;  // what it is at: "run_turn", "llm", "tool search"
  TimePoint heard{};
  std::chrono::seconds told{0};          // for how long it was silent when that was last told
  std::map<std::string, double> starts;  // of what was begun: its time on the system's own clock
};

// What came of a run so far.
struct RunCount {
  std::size_t begun = 0;
  std::size_t done = 0;
  std::int64_t passed = 0, errors = 0, halted = 0;
  std::optional<SessionTimes> times;
};

class Narrator final : public RunNarrator {
 public:
  Narrator(const Suite& suite, NarrationTerms terms)
      : suite_(suite),
        terms_(std::move(terms)),
        is_brief_(suite.compat != Compat::kAsky),
        grid_(*CellGrid::Of(suite)),
        walk_(grid_, suite) {
    runs_.resize(suite.variants.size());
    current_ = walk_.Next();
  }

  std::string On(const RunEvent& event, TimePoint now) override {
    const CellIndex cell = grid_.IndexOf(event.cell);
    std::string lines;
    if (event.kind == RunEvent::Kind::kAsked) lines = OnAsked(cell, event.cell, now);
    if (event.kind == RunEvent::Kind::kTold) lines = OnTold(cell, event.line, now);
    if (event.kind == RunEvent::Kind::kGraded) lines = OnGraded(cell, event, now);
    return terms_.is_orderly ? InOrder(cell, std::move(lines), event.kind == RunEvent::Kind::kGraded) : lines;
  }

  std::string After(TimePoint now) override {
    std::string lines;
    for (auto& [cell, live] : live_) {
      if (now - live.heard < kSilentFor) continue;
      const auto waited = std::chrono::duration_cast<std::chrono::seconds>(now - live.heard);
      if (waited - live.told < kSilentFor) continue;
      live.told = waited;
      lines += fmt::format("    {} waiting: {} {} s\n", live.name, live.phase, waited.count());
    }
    return lines;
  }

 private:
  std::string NameOf(VariantIndex variant) const { return ShownName(suite_, terms_.names, variant); }
  std::size_t CasesOf(VariantIndex) const { return suite_.cases.size() * suite_.attempts; }
  std::size_t NumberOf(const CellAddress& cell) const {
    return cell.case_index * static_cast<std::size_t>(suite_.attempts) + cell.attempt + 1;
  }
  std::string NameOf(const CellAddress& cell) const {
    const std::string id = InLine(suite_.cases[cell.case_index].id);
    return suite_.attempts == 1 ? id : fmt::format("{}#{}", id, cell.attempt + 1);
  }
  std::string CaseLine(const CellAddress& cell, std::string_view what) const {
    if (is_brief_) {
      return fmt::format("  [{}/{}] {} · {}: {}\n", NumberOf(cell), CasesOf(cell.variant),
                         NameOf(cell.variant), NameOf(cell), what);
    }
    return fmt::format("  [case {}/{}] {} {}\n", NumberOf(cell), CasesOf(cell.variant), NameOf(cell), what);
  }
  std::string RunLine(VariantIndex variant, std::string_view what) const {
    return fmt::format("[run {}/{}] {} {}\n", variant + 1, suite_.variants.size(), NameOf(variant), what);
  }

  // In order, a run begins and ends with the lines that are let out, not with what happens.
  std::string Begin(VariantIndex variant) { return terms_.is_orderly ? std::string() : BeginRun(variant); }
  std::string BeginRun(VariantIndex variant) {
    if (runs_[variant].begun++ > 0) return {};
    const std::size_t cases = CasesOf(variant);
    const bool is_one = is_brief_ && cases == 1;
    return RunLine(variant, fmt::format("started ({} {})", cases, is_one ? "case" : "cases"));
  }

  std::string OnAsked(CellIndex cell, const CellAddress& address, TimePoint now) {
    std::string lines = Begin(address.variant);
    LiveLine& live = live_[cell];
    live.name = fmt::format("[{}/{}]", NameOf(address.variant), NameOf(address));
    live.phase = "run_turn";
    live.heard = now;
    if (is_brief_) return lines;
    lines += CaseLine(address, "running...");
    lines += fmt::format("    {} run_turn start\n", live.name);
    return lines;
  }

  std::string OnTold(CellIndex cell, std::string_view line, TimePoint now) {
    const auto found = live_.find(cell);
    if (found == live_.end()) return {};
    LiveLine& live = found->second;
    live.heard = now;
    live.told = {};
    const Result<Value> event = ParsePythonJson(line);
    if (!event || !event->is_map()) return {};
    const std::string words = WordsOf(*event, live);
    return words.empty() || is_brief_ ? std::string() : fmt::format("    {} {}\n", live.name, words);
  }

  // How long what ends now took, if its start was told.
  static std::string Took(const Value& event, const std::string& key, bool is_start, LiveLine& live) {
    const std::optional<double> at = event.NumberAt("t_ms");
    if (!at) return {};
    if (is_start) {
      live.starts[key] = *at;
      return {};
    }
    const auto begun = live.starts.find(key);
    if (begun == live.starts.end()) return {};
    const double ms = *at - begun->second;
    live.starts.erase(begun);
    constexpr double kMost = 1e12;  // what is longer is no time
    return std::abs(ms) <= kMost ? fmt::format(" ({} ms)", InMs(ms)) : std::string();
  }

  static std::string PairKey(const Value& event, std::string_view kind) {
    std::string key(kind);
    for (const std::string_view member : {"turn", "call_index", "stage"}) {
      const Value* value = event.Find(member);
      if (value != nullptr) key += "\n" + PythonStr(*value);
    }
    return key;
  }

  static std::string WordsOf(const Value& event, LiveLine& live) {
    const std::string_view name = event.TextAt("event");
    const bool is_start = name.ends_with("_start");
    if (name == "llm_start" || name == "llm_end") {
      live.phase = is_start ? "llm" : "run_turn";
      return fmt::format("llm {}", name);
    }
    if (name == "tool_start" || name == "tool_end") {
      const std::string called = InLine(TextAt(event, "tool_name", "None"));
      live.phase = is_start ? "tool " + called : "run_turn";
      return fmt::format("tool {}: {}{}", name, called, Took(event, PairKey(event, "tool"), is_start, live));
    }
    if (name == "stage_start" || name == "stage_end") {
      const std::string stage = InLine(event.TextAt("stage"));
      live.phase = is_start ? stage : "run_turn";
      return fmt::format("{} {}{}", stage, is_start ? "start" : "end",
                         Took(event, PairKey(event, "stage"), is_start, live));
    }
    if (name != "status") return {};
    const std::string message = InLine(PythonTrim(event.TextAt("message")));
    const std::string source = InLine(event.TextAt("source"));
    return message.empty() ? std::string()
                           : fmt::format("{}: {}", source.empty() ? "status" : source.c_str(), message);
  }

  std::string OnGraded(CellIndex cell, const RunEvent& event, TimePoint) {
    RunCount& run = runs_[event.cell.variant];
    std::string lines = Begin(event.cell.variant);
    const auto live = live_.find(cell);
    if (event.record == nullptr) {
      lines += CaseLine(event.cell, "was not asked");
    } else {
      const RowVerdict verdict = VerdictOf(suite_.cases[event.cell.case_index], *event.record);
      const RowTime time = TimeOf(*event.record);
      if (live != live_.end() && !is_brief_) {
        lines += fmt::format("    {} run_turn {} ({} ms)\n", live->second.name,
                             event.record->transcript.error.empty() ? "end" : "error", InMs(time.turn_ms));
      }
      lines += CaseLine(
          event.cell, fmt::format("{} ({} ms{})", StatusName(verdict.status()), PythonFixed(time.total_ms, 0),
                                  live == live_.end() && time.ended_us > 0 ? ", answered before" : ""));
      Count(verdict, time, run);
    }
    if (live != live_.end()) live_.erase(live);
    if (!terms_.is_orderly) lines += EndRun(event.cell.variant);
    return lines;
  }

  void Count(const RowVerdict& verdict, const RowTime& time, RunCount& run) {
    run.passed += verdict.passed ? 1 : 0;
    run.errors += verdict.is_error ? 1 : 0;
    run.halted += verdict.halted ? 1 : 0;
    if (!run.times) run.times.emplace(terms_.started_ms).Begin();
    run.times->Add(time.ended_us, time.total_ms);
  }

  // After each cell of it; something after the last.
  std::string EndRun(VariantIndex variant) {
    RunCount& run = runs_[variant];
    if (++run.done < CasesOf(variant)) return {};
    const auto total = static_cast<std::int64_t>(CasesOf(variant));
    return RunLine(variant, fmt::format("done: passed={}/{} failed={} errors={} halted={} run_wall_ms={}",
                                        run.passed, total, total - run.passed, run.errors, run.halted,
                                        InMs(run.times ? run.times->End() : 0)));
  }

  // Lines of the cell whose turn it is go out; others are held until all before them are done.
  std::string InOrder(CellIndex cell, std::string lines, bool is_done) {
    waiting_[cell].lines += lines;
    waiting_[cell].is_done = waiting_[cell].is_done || is_done;
    std::string out;
    while (current_) {
      const auto found = waiting_.find(*current_);
      if (found == waiting_.end()) break;
      const VariantIndex variant = grid_.At(*current_).variant;
      if (!found->second.lines.empty()) out += BeginRun(variant);
      out += std::exchange(found->second.lines, {});
      if (!found->second.is_done) break;
      out += EndRun(variant);
      waiting_.erase(found);
      current_ = walk_.Next();
    }
    return out;
  }

  struct Waiting {
    std::string lines;
    bool is_done = false;
  };

  const Suite& suite_;
  NarrationTerms terms_;
  bool is_brief_;
  CellGrid grid_;
  CellWalk walk_;
  std::optional<CellIndex> current_;
  std::map<CellIndex, Waiting> waiting_;
  std::map<CellIndex, LiveLine> live_;
  std::vector<RunCount> runs_;
};

// --- the closing block ---

std::string Tokens(const RowTotals& totals, std::string_view role) {
  const auto counted = totals.tokens.find(role);
  const RoleTokens tokens = counted == totals.tokens.end() ? RoleTokens() : counted->second;
  return fmt::format("{}={}/{}/{}", role, tokens.input, tokens.output, tokens.total);
}

std::string Times(const RowTotals& totals) {
  constexpr std::pair<std::string_view, std::string_view> kShown[] = {{"case_total", "case_total_ms"},
                                                                      {"source_prepare", "source_prepare_ms"},
                                                                      {"client_init", "client_init_ms"},
                                                                      {"run_turn", "run_turn_ms"},
                                                                      {"llm", "llm_total_ms"},
                                                                      {"tool", "tool_total_ms"},
                                                                      {"local_ingest", "local_ingestion_ms"},
                                                                      {"shortlist", "shortlist_ms"}};
  std::string text = "  timings_ms run_wall=" + InMs(totals.run_wall_ms);
  for (const auto& [shown, name] : kShown) {
    const auto summed = totals.timings_ms.find(name);
    text += fmt::format(" {}={}", shown, InMs(summed == totals.timings_ms.end() ? 0 : summed->second));
  }
  return text + "\n";
}

std::string ToolLine(const RowTotals& totals) {
  std::vector<ToolTotal> tools = totals.tools.Totals();
  if (tools.empty()) return {};
  SortByCount(tools);
  std::string text;
  for (const auto& [name, count] : tools)
    text += fmt::format("{}{}:{}", text.empty() ? "" : ", ", InLine(name), count);
  return fmt::format("  tool_calls_by_type {}\n", text);
}

std::string RunBlock(const Variant& run, const std::string& shown, const RowTotals& totals,
                     const std::string& folder) {
  std::string tools;
  for (const std::string& tool : run.profile->disabled_tools)
    tools += (tools.empty() ? "" : ",") + InLine(tool);
  std::string text = fmt::format("- {}: passed={}/{} failed={} errors={} halted={}\n", shown, totals.passed,
                                 totals.cases, totals.failed(), totals.errors, totals.halted);
  text += fmt::format("  disabled_tools={}\n", tools.empty() ? "-" : tools);
  text += fmt::format("  results_markdown= {}/{}/artifacts/results.md\n", folder, InLine(run.id));
  text += "  tokens";
  for (const std::string_view role : kRoles) text += " " + Tokens(totals, role);
  return text + "\n" + Times(totals) + ToolLine(totals);
}

}  // namespace

}  // namespace research

std::unique_ptr<RunNarrator> OpenResearchNarrator(const Suite& suite, NarrationTerms terms) {
  return std::make_unique<research::Narrator>(suite, std::move(terms));
}

Result<std::string> ResearchClosing(const Report& report, const std::string& folder,
                                    const std::vector<std::string>& names) {
  std::string text = fmt::format(
      "Run output: {0}\nSummary: {0}/summary.json\nReport: {0}/report.md\n\n"
      "Run results:\n",
      folder);
  ASSAY_TRY(const std::shared_ptr<const research::SessionCells> cells, research::SessionCells::Of(report));
  research::SessionTimes times(report.run.started_ms);
  bool has_errors = false;
  for (VariantIndex v = 0; v < report.suite->variants.size(); ++v) {
    ASSAY_TRY(const research::RunSummary summary,
              research::SummaryOf(report, *cells, v, times, [](const Value&) { return Ok(); }));
    text += research::RunBlock(report.suite->variants[v], research::ShownName(*report.suite, names, v),
                               summary.totals(), folder);
    has_errors = has_errors || summary.totals().errors > 0;
  }
  if (has_errors) text += research::kErrorsNote;
  if (times.before() > 0 && report.suite->compat != Compat::kAsky) {
    text +=
        fmt::format("\n{} of {} answers were there before this session; --fresh sends every request again\n",
                    times.before(), times.turns());
  }
  return text + fmt::format("\nSession timing: session_wall_ms={} runs_wall_ms={}\n",
                            research::InMs(times.session_ms()), research::InMs(times.runs_ms()));
}

}  // namespace assay

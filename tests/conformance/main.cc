// assay_conformance DIR: runs the golden files below DIR and prints what passed, what failed and what no part
// of assay reads yet.
//
// The layout: a folder that holds .jsonl files is an area ("blueprint/"); its .jsonl files and its folders
// are golden items, and a folder may hold items itself ("fixture_runs/judged"). An item runs if a row claims
// the end of its path. Exit: 0 nothing failed, 1 something failed, 2 nothing to run was found.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "tests/conformance/conformance.h"

namespace assay::conformance {
namespace {

namespace fs = std::filesystem;

constexpr std::span<const GoldenRow> (*kRows[])() = {
    DatasetRows,         BlueprintReaderRows, CheckRows,           JudgeRows,     GenerationRows,
    ReportRows,          ServiceRows,         ProgramRows,         ExecRows,      ExecutedRows,
    PythonRegexRows,     InfiBenchTableRows,  InfiBenchGraderRows, RetrievalRows, ResearchRows,
    ResearchSessionRows, PromptfooRows, PromptfooAssertionRows,
};
constexpr std::span<const KindRow> (*kKinds[])() = {
    BlueprintReaderKinds, CheckKinds,        JudgeKinds,     ReportKinds, SummaryKinds,
    ServiceKinds,         StatisticsKinds,   RetrievalKinds, LabelKinds,  NumberKinds,
    SequentialKinds,      DatasetCheckKinds, ExtractKinds,
};

// Whether `pattern`, in which '*' stands for anything but '/', covers all of `text`.
bool Covers(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern.front() != '*') {
    return !text.empty() && pattern.front() == text.front() && Covers(pattern.substr(1), text.substr(1));
  }
  for (std::size_t taken = 0;; ++taken) {
    if (Covers(pattern.substr(1), text.substr(taken))) return true;
    if (taken == text.size() || text[taken] == '/') return false;
  }
}

// Whether the last parts of the path are the suffix.
bool EndsIn(std::string_view path, std::string_view suffix) {
  const auto parts = std::count(suffix.begin(), suffix.end(), '/');
  std::size_t start = path.size();
  for (std::ptrdiff_t part = 0; part <= parts && start > 0; ++part) {
    start = path.rfind('/', start - 1);
    if (start == std::string_view::npos) return part == parts && Covers(suffix, path);
  }
  return Covers(suffix, path.substr(start + 1));
}

const GoldenRow* FindRow(std::string_view path) {
  for (const auto rows : kRows) {
    for (const GoldenRow& row : rows()) {
      if (EndsIn(path, row.suffix)) return &row;
    }
  }
  return nullptr;
}

std::vector<const KindRow*> FindKinds(std::string_view path) {
  std::vector<const KindRow*> found;
  for (const auto kinds : kKinds) {
    for (const KindRow& row : kinds()) {
      if (EndsIn(path, row.suffix)) found.push_back(&row);
    }
  }
  return found;
}

Outcome RunKinds(const std::string& path, const std::vector<const KindRow*>& rows) {
  return ForEachLine(path, [&rows](std::size_t, const Value& line, Outcome& outcome) {
    const Value* kind = line.Find("kind");
    const std::string name = kind != nullptr && kind->is_string() ? kind->AsString() : "";
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&name](const KindRow* r) { return r->kind == name; });
    if (row == rows.end()) {
      outcome.Skip("no part of assay reads kind \"" + name + "\" yet");
    } else {
      (*row)->run(line, outcome);
    }
  });
}

// The outcome of a golden item; nothing if no row claims it.
std::optional<Outcome> Run(const std::string& path) {
  if (const GoldenRow* row = FindRow(path)) return row->run(path);
  const std::vector<const KindRow*> kinds = FindKinds(path);
  if (kinds.empty()) return std::nullopt;
  return RunKinds(path, kinds);
}

class Runner {
 public:
  void VisitFolder(const fs::path& folder) {
    const std::vector<fs::path> entries = Entries(folder);
    const bool is_area = std::any_of(entries.begin(), entries.end(),
                                     [](const fs::path& path) { return path.extension() == ".jsonl"; });
    for (const fs::path& entry : entries) {
      if (fs::is_directory(entry)) {
        if (is_area) {
          VisitGoldenFolder(entry);
        } else {
          VisitFolder(entry);
        }
      } else if (entry.extension() == ".jsonl") {
        if (!RunItem(entry)) PrintUnclaimed(entry);
      }
    }
  }

  int Finish() const {
    fmt::print(
        "total: {} files, passed {}, failed {}, skipped {} rows; {} golden items are read by no part of "
        "assay yet\n",
        items_, total_.passed, total_.failed, total_.skipped, unclaimed_);
    return total_.failed > 0 ? 1 : 0;
  }

  bool FoundNothing() const { return items_ == 0 && unclaimed_ == 0; }

 private:
  static std::vector<fs::path> Entries(const fs::path& folder) {
    std::vector<fs::path> entries;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) entries.push_back(entry.path());
    std::sort(entries.begin(), entries.end());
    return entries;
  }

  // A folder beside .jsonl files: one item, or a shelf of items.
  void VisitGoldenFolder(const fs::path& folder) {
    if (RunItem(folder)) return;
    std::vector<fs::path> unclaimed;
    bool is_shelf = false;
    for (const fs::path& entry : Entries(folder)) {
      if (RunItem(entry)) {
        is_shelf = true;
      } else if (fs::is_directory(entry)) {
        unclaimed.push_back(entry);
      }
    }
    if (!is_shelf) unclaimed = {folder};
    for (const fs::path& entry : unclaimed) PrintUnclaimed(entry);
  }

  bool RunItem(const fs::path& path) {
    const std::optional<Outcome> outcome = Run(path.generic_string());
    if (!outcome) return false;
    ++items_;
    total_.passed += outcome->passed;
    total_.failed += outcome->failed;
    total_.skipped += outcome->skipped;
    fmt::print("{}: passed {}, failed {}", path.generic_string(), outcome->passed, outcome->failed);
    if (outcome->skipped > 0) fmt::print(", skipped {} ({})", outcome->skipped, outcome->skip_reason);
    fmt::print("\n");
    for (const std::string& difference : outcome->differences) fmt::print("    {}\n", difference);
    return true;
  }

  void PrintUnclaimed(const fs::path& path) {
    ++unclaimed_;
    fmt::print("{}: skipped: no part of assay reads it yet\n", path.generic_string());
  }

  std::size_t items_ = 0;
  std::size_t unclaimed_ = 0;
  Outcome total_;
};

int Main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: assay_conformance DIR\n");
    return 2;
  }
  const fs::path root = fs::path(argv[1]).lexically_normal();
  if (!fs::is_directory(root)) {
    fmt::print(stderr, "assay_conformance: expected a folder with golden files, found none at {}\n", argv[1]);
    return 2;
  }
  Runner runner;
  runner.VisitFolder(root);
  if (runner.FoundNothing()) {
    fmt::print(
        stderr,
        "assay_conformance: no .jsonl file below {}; name a folder of the layout of tests/conformance/data\n",
        argv[1]);
    return 2;
  }
  return runner.Finish();
}

}  // namespace
}  // namespace assay::conformance

int main(int argc, char** argv) { return assay::conformance::Main(argc, argv); }

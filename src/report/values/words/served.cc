// Adds up the cells of one model that was asked, whichever variants ask it.
#include "report/values/words/served.h"

#include <fmt/core.h>

#include <algorithm>

#include "spec/suite/suite.h"

namespace assay {

namespace {

std::string_view WithoutProvider(std::string_view asked) { return asked.substr(asked.find(':') + 1); }

bool AreOfOne(const ServedCount& a, const ServedCount& b) { return a.role == b.role && a.asked == b.asked; }

std::uint64_t CellsOf(const RunTotals& totals, const ServedCount& asked, bool of_its_model) {
  std::uint64_t cells = 0;
  for (const ServedCount& each : totals.served) {
    if (AreOfOne(each, asked) && (!of_its_model || each.model == asked.model)) cells += each.cells;
  }
  return cells;
}

// Each model that was asked with each that answered, once.
std::vector<ServedCount> ServedPairs(const RunTotals& totals) {
  std::vector<ServedCount> pairs;
  for (const ServedCount& served : totals.served) {
    const bool is_there = std::any_of(pairs.begin(), pairs.end(), [&](const ServedCount& before) {
      return AreOfOne(before, served) && before.model == served.model;
    });
    if (!is_there) pairs.push_back(served);
  }
  return pairs;
}

// "judge "; nothing of who answers the cases.
std::string RoleText(const ServedCount& served) {
  if (served.role == RequestRole::kCandidate) return {};
  return fmt::format("{} ", RequestRoleName(served.role));
}

// "gpt-4o", or "gpt-4o (requested by a program)".
std::string RequestedText(const ServedCount& served) {
  const bool is_program = served.asked.starts_with("exec:");
  return fmt::format("{}{}", WithoutProvider(served.asked), is_program ? " (requested by a program)" : "");
}

// Of a program that names the model that answered and not the one that it has requested: its command.
std::string_view ProgramOf(const Suite& suite, const ServedCount& served) {
  const Variant& variant = suite.variants[served.variant];
  const bool is_program = served.role == RequestRole::kCandidate && variant.provider == "exec";
  if (!is_program || served.is_other) return {};
  const bool is_unsaid = served.asked.empty() || WithoutProvider(served.asked) == variant.model;
  return is_unsaid ? std::string_view(variant.model) : std::string_view();
}

std::uint64_t CellsOfProgram(const Suite& suite, const RunTotals& totals, std::string_view program,
                             std::string_view model) {
  std::uint64_t cells = 0;
  for (const ServedCount& each : totals.served) {
    if (ProgramOf(suite, each) == program && (model.empty() || each.model == model)) cells += each.cells;
  }
  return cells;
}

}  // namespace

bool IsUnrequested(const Suite& suite, const ServedCount& served) {
  return !ProgramOf(suite, served).empty();
}

std::vector<std::string> ProgramModelLines(const Suite& suite, const RunTotals& totals) {
  std::vector<std::string> lines;
  for (const ServedCount& served : totals.served) {
    const std::string_view program = ProgramOf(suite, served);
    if (program.empty()) continue;
    std::string line = fmt::format("{}: {} answered, as the program says, {} of {}", program, served.model,
                                   CellsOfProgram(suite, totals, program, served.model),
                                   CellsOfProgram(suite, totals, program, {}));
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
  }
  return lines;
}

std::string AnsweredBy(const AttemptRecord& record) {
  if (!record.transcript.answered_by.empty()) return record.transcript.answered_by;
  const auto other = std::find_if(record.served.begin(), record.served.end(), [](const ServedAs& served) {
    return served.role == RequestRole::kCandidate && served.by.is_other;
  });
  return other == record.served.end() ? std::string() : other->by.model;
}

std::vector<std::string> OtherModelLines(const RunTotals& totals) {
  std::vector<std::string> lines;
  for (const ServedCount& served : ServedPairs(totals)) {
    if (!served.is_other) continue;
    lines.push_back(fmt::format("{}{} was answered by {}, {} of {}", RoleText(served), RequestedText(served),
                                served.model, CellsOf(totals, served, true), CellsOf(totals, served, false)));
  }
  return lines;
}

std::string UnnamedLine(const RunTotals& totals) {
  const std::uint64_t replies = totals.unnamed_replies.value_or(0);
  if (replies == 0) return {};
  if (replies == 1) return "1 reply names no model: --strict-models cannot check it";
  return fmt::format("{} replies name no model: --strict-models cannot check them", replies);
}

std::vector<std::string> ModelNotes(const RunTotals& totals) {
  std::vector<std::string> notes = OtherModelLines(totals);
  if (std::string line = UnnamedLine(totals); !line.empty()) notes.push_back(std::move(line));
  return notes;
}

std::string ServedNames(const RunTotals& totals, VariantIndex variant) {
  std::string names;
  for (const ServedCount& each : totals.served) {
    if (each.role != RequestRole::kCandidate || each.variant != variant) continue;
    names += (names.empty() ? "" : ", ") + each.model;
  }
  return names;
}

}  // namespace assay

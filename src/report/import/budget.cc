// Estimates what parts of a report take in memory, rather too much than too little.
#include "report/import/budget.h"

#include <fmt/core.h>

#include <algorithm>

#include "report/import/limits.h"
#include "spec/suite/case.h"
#include "spec/suite/check.h"
#include "text/json/sieve.h"

namespace assay {

namespace {

constexpr std::uint64_t kPieceOfHeap = 32;  // what a text or a list takes besides its bytes

std::uint64_t BytesOf(const std::string& text) {
  return text.capacity() <= std::string().capacity() ? 0 : text.capacity() + kPieceOfHeap;
}

std::uint64_t BytesOf(const Value& value) {
  std::uint64_t bytes = sizeof(Value);
  if (value.is_string()) bytes += BytesOf(value.AsString());
  if (value.is_list()) {
    for (const Value& item : value.AsList()) bytes += BytesOf(item);
  }
  if (value.is_map()) {
    for (const Member& member : value.AsMap())
      bytes += sizeof(Member) + BytesOf(member.key) + BytesOf(member.value);
  }
  return bytes;
}

std::uint64_t BytesOf(const Score& score) {
  std::uint64_t bytes = sizeof(Score) + BytesOf(score.explanation) + BytesOf(score.error) +
                        BytesOf(score.grader) + BytesOf(score.metric);
  for (const Evidence& each : score.evidence)
    bytes +=
        sizeof(Evidence) + BytesOf(each.source) + BytesOf(each.text) + each.votes.size() * sizeof(double);
  for (const ScoreItem& item : score.items)
    bytes += sizeof(ScoreItem) + BytesOf(item.wanted) + BytesOf(item.found) + BytesOf(item.sentence);
  return bytes;
}

}  // namespace

ImportBudget::ImportBudget(std::uint64_t file_bytes)
    : most_(std::min(limits::kImportedMemoryMax,
                     limits::kImportedMemoryShare * std::min(file_bytes, limits::kImportedMemoryMax) +
                         limits::kImportedMemoryFree) -
            limits::kImportedMemoryOwn) {}

Status ImportBudget::Check() const {
  if (kept_ + used_ <= most_) return Ok();
  constexpr std::uint64_t kMegabyte = 1'000'000;
  return Error{
      ErrorCode::kLimit,
      fmt::format("expected results that take at most {} MB of memory, as long as the file is, found "
                  "more; export it in parts",
                  most_ / kMegabyte)};
}

Status ImportBudget::Keep(std::uint64_t bytes) {
  kept_ += std::min(bytes, most_ + 1);
  return Check();
}

Status ImportBudget::Use(std::uint64_t bytes) {
  used_ = std::max(used_, std::min(bytes, most_ + 1));
  return Check();
}

Status ImportBudget::UseTree(std::string_view json) {
  constexpr std::uint64_t kValueBytes = 2 * (sizeof(Member) + kPieceOfHeap);  // lists double as they grow
  // Short texts are mostly numbers and names.
  const std::uint64_t values = std::min<std::uint64_t>(JsonValuesMost(json), json.size());
  return Use(values * kValueBytes + 2 * json.size());
}

std::uint64_t BytesOf(const Case& the_case) {
  std::uint64_t bytes = sizeof(Case) + BytesOf(the_case.id) + BytesOf(the_case.ideal.value_or(""));
  for (const Turn& turn : the_case.turns) bytes += sizeof(Turn) + BytesOf(turn.text);
  for (const Check& check : the_case.checks)
    bytes +=
        sizeof(Check) + BytesOf(check.id) + BytesOf(check.kind) + BytesOf(check.text) + BytesOf(check.args);
  for (const std::string& tag : *the_case.tags) bytes += sizeof(std::string) + BytesOf(tag);
  return bytes;
}

std::uint64_t BytesOf(const Cell& cell) {
  const Transcript& said = cell.record.transcript;
  std::uint64_t bytes = sizeof(Cell) + BytesOf(said.answer) + BytesOf(said.error) +
                        BytesOf(said.error_class) + BytesOf(cell.record.grading_error);
  for (const std::string& thoughts : said.generated_reasoning) bytes += BytesOf(thoughts);
  for (const Message& message : said.history) bytes += sizeof(Message) + BytesOf(message.text);
  for (const Score& score : cell.record.scores) bytes += BytesOf(score);
  return bytes;
}

}  // namespace assay

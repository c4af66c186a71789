// The table of kinds of names, and the characters of each.
#include "base/text/names.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "base/errors/assert.h"
#include "base/errors/diagnostics.h"
#include "base/files/sink.h"
#include "base/text/ascii.h"
#include "base/text/printable.h"
#include "base/text/utf8.h"

namespace assay {

namespace {

struct NameRule {
  NameKind kind;
  std::string_view what;
  std::size_t bytes_min;
  std::size_t bytes_max;
  bool is_listed;         // ASCII letters, digits and `more` alone; else any text that people can see
  std::string_view more;  // beside letters and digits
  bool begins_plain;      // with a letter or a digit: it is never taken for an option or a hidden file
  bool is_below = false;  // a path that stays below its folder
};

constexpr std::size_t kTextBytesMax = 64u << 10;  // of ids and titles: docs/limits.md

// By kind.
constexpr NameRule kRules[] = {
    {NameKind::kRun, "the id of a run", 1, 64, true, "-_.", true},
    {NameKind::kRunLabel, "the label of a run", 0, 1'024, false, "", false, true},
    {NameKind::kDialect, "the dialect of a run", 0, 64, true, "-_", true},
    {NameKind::kVersion, "the version of assay", 0, 64, true, "-_.+~", true},
    {NameKind::kVariant, "the id of a variant", 0, kTextBytesMax, false, "", false},
    {NameKind::kHost, "the name of a machine", 0, 255, true, "-_.:?", false},
    {NameKind::kTask, "the name of a cluster's task", 0, 128, true, "-_.:", false},
    {NameKind::kModel, "the name of a model", 0, kTextBytesMax, false, "", false},
    {NameKind::kMedia, "the path of a picture or file", 0, kTextBytesMax, false, "", false},
    {NameKind::kMediaType, "the type of a picture or file", 0, 255, true, "/-_.+;= !#$&^\"", false},
    {NameKind::kBatch, "the name of a batch", 0, 2'048, false, "", false},
    {NameKind::kFolder, "the folder of a run", 0, 4'096, false, "", false},
};

const NameRule& RuleOf(NameKind kind) {
  const NameRule& rule = kRules[static_cast<std::size_t>(kind)];
  ASSAY_ASSERT(rule.kind == kind);
  return rule;
}

bool IsListed(const NameRule& rule, char c) {
  return IsAsciiLetter(c) || IsAsciiDigit(c) || rule.more.find(c) != std::string_view::npos;
}

bool IsHidden(char32_t code_point) { return IsInvisible(code_point) && !IsJoiner(code_point); }

std::string_view CharacterProblem(char32_t code_point) {
  constexpr char32_t kDelete = 0x7f;
  constexpr char32_t kAfterControls = 0xa0;
  if (code_point == 0) return "has a NUL character";
  if (code_point == '\n' || code_point == '\r') return "has a line end";
  if (code_point < ' ' || (code_point >= kDelete && code_point < kAfterControls))
    return "has a control character";
  return IsHidden(code_point) ? "has an invisible or reordering character" : "";
}

std::string_view ProblemOf(const NameRule& rule, std::string_view name) {
  if (name.size() < rule.bytes_min) return "is empty";
  if (name.size() > rule.bytes_max) return "is too long";
  if (FindInvalidUtf8(name) != std::string_view::npos) return "is not UTF-8";
  for (std::size_t at = 0; at < name.size();) {
    const DecodedCodePoint next = DecodeUtf8(name, at);
    if (const std::string_view problem = CharacterProblem(next.code_point); !problem.empty()) return problem;
    if (rule.is_listed && (next.size_bytes != 1 || !IsListed(rule, name[at])))
      return "has a character that no such name has";
    at += next.size_bytes;
  }
  if (name.empty()) return "";
  // The word for whichever run was last worked on.
  if (rule.kind == NameKind::kRun && name == "latest") return "is the word for the newest run";
  if (rule.begins_plain && !IsAsciiLetter(name[0]) && !IsAsciiDigit(name[0]))
    return "does not begin with a letter or a digit";
  return rule.is_below && !IsCleanRelative(name) ? "leads out of its folder" : "";
}

}  // namespace

std::string NameProblem(NameKind kind, std::string_view name) {
  const NameRule& rule = RuleOf(kind);
  const std::string_view problem = ProblemOf(rule, name);
  return problem.empty() ? std::string() : fmt::format("{} {}: {}", rule.what, problem, Quoted(name));
}

std::string NameMadeOf(NameKind kind, std::string_view text) {
  const NameRule& rule = RuleOf(kind);
  ASSAY_ASSERT(rule.is_listed);
  std::string name(text.substr(0, rule.bytes_max));
  std::replace_if(
      name.begin(), name.end(), [&rule](char c) { return !IsListed(rule, c); }, '-');
  return name;
}

}  // namespace assay

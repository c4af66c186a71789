// Hashes canonical JSON of criteria, of what was sent, and of answers.
#include "report/decide/labels/unit_digests.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/hash.h"
#include "spec/suite/suite.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

std::string DigestOf(Map map) {
  return Hex(Sha256Of(WriteJson(Value(std::move(map)), JsonStyle::kCanonical)));
}

Value MediaValue(const std::vector<MediaPart>& media) {
  return ArrayOf(media,
                 [&](const MediaPart& part) { return part.sha256.empty() ? part.address : part.sha256; });
}

// One turn of a question: `text` absent where the model answers.
struct QuestionTurn {
  Role role = Role::kUser;
  std::optional<std::string> text;
  std::vector<MediaPart> media;
};

// As it was sent. What a model asked tools for, and what they said, is no part of the question.
std::vector<QuestionTurn> TurnsOf(const Transcript& transcript) {
  std::vector<QuestionTurn> turns;
  std::uint32_t assistant = 0;
  for (const Message& message : transcript.history) {
    const bool is_assistant = message.role == Role::kAssistant;
    const auto& generated = transcript.generated_indices;
    const bool is_generated =
        is_assistant && std::find(generated.begin(), generated.end(), assistant) != generated.end();
    if (is_assistant) ++assistant;
    if (message.role == Role::kTool || !message.calls.empty()) continue;
    turns.push_back({.role = message.role,
                     .text = is_generated ? std::nullopt : std::optional(message.text),
                     .media = message.media});
  }
  return turns;
}

// As the suite says it, where a run keeps no words.
std::vector<QuestionTurn> TurnsOf(const Case& the_case, const Variant& variant) {
  std::vector<QuestionTurn> turns;
  if (variant.system) turns.push_back({.role = Role::kSystem, .text = variant.system, .media = {}});
  for (const Turn& turn : the_case.turns) {
    turns.push_back({.role = turn.role,
                     .text = turn.kind == TurnKind::kGenerate ? std::nullopt : std::optional(turn.text),
                     .media = *turn.media});
  }
  return turns;
}

bool HasWords(const Transcript& transcript) { return !transcript.history.empty(); }

std::vector<QuestionTurn> TurnsOf(const Suite& suite, const Cell& cell) {
  const Transcript& transcript = cell.record.transcript;
  return HasWords(transcript) ? TurnsOf(transcript)
                              : TurnsOf(suite.cases[cell.case_index], suite.variants[cell.variant]);
}

}  // namespace

std::string CriterionDigest(const Check& check) {
  Map map = Object{{"kind", check.kind}};
  if (check.IsCriterion()) {
    map.Append("text", check.text);
  } else {
    map.Append("args", check.args);
  }
  map.Append("not", check.invert);
  return DigestOf(std::move(map));
}

std::string QuestionDigest(const Suite& suite, const Cell& cell) {
  List turns = ArrayOf(TurnsOf(suite, cell), [&](const QuestionTurn& turn) {
    return Object{{"role", RoleName(turn.role)},
                  {"text", OrNull(turn.text)},
                  {"media", !turn.media.empty() ? MediaValue(turn.media) : Value()}};
  });
  return DigestOf(Object{{"case", turns.empty() ? Value(suite.cases[cell.case_index].id) : Value()},
                         {"turns", std::move(turns)}});
}

std::string AnswerDigest(const Suite& suite, const Cell& cell) {
  const Transcript& transcript = cell.record.transcript;
  const std::string answer = transcript.SubjectText();
  Map map;
  if (answer.empty() && !HasWords(transcript)) {
    Extend(map, {{"case", suite.cases[cell.case_index].id},
                 {"variant", suite.variants[cell.variant].id},
                 {"attempt", cell.attempt}});
  } else {
    map.Append("text", answer);
  }
  return DigestOf(std::move(map));
}

std::string QuestionText(const Suite& suite, const Cell& cell) {
  std::vector<QuestionTurn> turns = TurnsOf(suite, cell);
  while (!turns.empty() && !turns.back().text) turns.pop_back();
  std::string text;
  const bool is_plain = turns.size() == 1 && turns[0].role == Role::kUser;
  for (const QuestionTurn& turn : turns) {
    if (!text.empty()) text += "\n\n";
    if (!is_plain) text += fmt::format("{}: ", RoleName(turn.role));
    text += turn.text.value_or("(the model answers)");
    for (const MediaPart& part : turn.media) text += fmt::format(" [{}]", part.name);
  }
  return text;
}

}  // namespace assay

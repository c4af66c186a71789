// The names that tables of questions have for their columns.
#include "dialects/blueprint/starter/columns.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "base/text/ascii.h"
#include "text/javascript/text.h"

namespace assay::blueprint {

namespace {

using NameSpan = std::span<const std::string_view>;

// The best name first.
constexpr std::string_view kNamesOfQuestions[] = {
    "question", "input",   "prompt",   "query", "problem", "task",    "instruction", "ask",
    "request",  "message", "messages", "user",  "frage",   "aufgabe", "pregunta",    "domanda"};
constexpr std::string_view kNamesOfAnswers[] = {
    "answer",           "target",         "ideal",           "label",        "expected",
    "expected answer",  "correct answer", "expected output", "ground truth", "reference",
    "reference answer", "ideal response", "solution",        "gold",         "correct",
    "correct option",   "answerkey",      "answer key",      "best answer",  "output",
    "response",         "antwort",        "lösung",          "réponse",      "respuesta",
    "risposta"};
constexpr std::string_view kNamesOfIds[] = {"id",          "nr",          "no",      "number",  "num",
                                            "question id", "question no", "task id", "case id", "key",
                                            "uid",         "index",       "ref"};
constexpr std::string_view kNamesOfContexts[] = {"context", "passage", "document", "background", "article"};
constexpr std::string_view kNamesOfChoices[] = {"choices", "options", "answers", "alternatives"};
constexpr std::string_view kNamesOfTopics[] = {"topic",   "subject", "category", "group", "domain", "area",
                                               "section", "theme",   "thema",    "fach",  "sujet",  "tema"};
constexpr std::string_view kNamesOfSources[] = {"source", "citation",      "sources",
                                                "law",    "reference url", "url"};
constexpr std::string_view kNamesOfStatuses[] = {"status", "state", "review", "reviewed", "ready"};
// Criteria: the name, a number behind it or not.
constexpr std::string_view kNamesOfCriteria[] = {
    "must",         "should",    "criterion",   "criteria",     "rubric",     "must include",
    "must mention", "must say",  "requirement", "must contain", "should say", "should mention",
    "expect",       "key point", "key points",  "requirements"};
constexpr std::string_view kNamesOfBans[] = {"must not",     "should not",       "mustnt",   "shouldnt",
                                             "must not say", "must not mention", "red flag", "must never",
                                             "should never", "may not",          "error",    "mistake"};

struct RoleNames {
  ColumnRole role;
  NameSpan names;
  bool may_be_numbered = false;
};
constexpr RoleNames kColumnRoles[] = {
    {ColumnRole::kQuestion, kNamesOfQuestions},
    {ColumnRole::kAnswer, kNamesOfAnswers},
    {ColumnRole::kId, kNamesOfIds},
    {ColumnRole::kContext, kNamesOfContexts},
    {ColumnRole::kChoices, kNamesOfChoices},
    {ColumnRole::kTopic, kNamesOfTopics},
    {ColumnRole::kSource, kNamesOfSources},
    {ColumnRole::kStatus, kNamesOfStatuses},
    {ColumnRole::kShouldNot, kNamesOfBans, true},
    {ColumnRole::kShould, kNamesOfCriteria, true},
};

std::string_view WithoutNumber(std::string_view name) {
  while (!name.empty() && (IsAsciiDigit(name.back()) || name.back() == ' ')) name.remove_suffix(1);
  return name;
}

// 'A' of "a", "option a", "choice_A" and "answer a"; 0 of others.
char OptionLetter(std::string_view name) {
  for (const std::string_view before : {"option ", "choice ", "answer "}) {
    if (name.starts_with(before)) name.remove_prefix(before.size());
  }
  if (name.size() != 1 || name.front() < 'a' || name.front() > 'z') return 0;
  return static_cast<char>(name.front() - 'a' + 'A');
}

struct RoleWord {
  ColumnRole role;
  std::string_view word;
};
// Words within names, in the order in which they decide.
constexpr RoleWord kRoleWords[] = {
    {ColumnRole::kShouldNot, "must not"}, {ColumnRole::kShouldNot, "should not"},
    {ColumnRole::kShouldNot, "may not"},  {ColumnRole::kShould, "must"},
    {ColumnRole::kShould, "should"},      {ColumnRole::kShould, "criterion"},
    {ColumnRole::kShould, "criteria"},    {ColumnRole::kStatus, "status"},
    {ColumnRole::kStatus, "state"},       {ColumnRole::kTopic, "topic"},
    {ColumnRole::kTopic, "area"},         {ColumnRole::kTopic, "category"},
    {ColumnRole::kTopic, "subject"},      {ColumnRole::kSource, "source"},
    {ColumnRole::kSource, "citation"},    {ColumnRole::kQuestion, "question"},
    {ColumnRole::kQuestion, "prompt"},    {ColumnRole::kAnswer, "answer"},
    {ColumnRole::kAnswer, "target"},
};

NamedRole RoleOfWords(std::string_view plain) {
  for (const std::string_view ending : {" no", " nr", " id", " number"}) {
    if (plain.ends_with(ending)) return {ColumnRole::kId, kContainedRank};
  }
  const std::string words = " " + std::string(plain) + " ";
  for (const RoleWord& row : kRoleWords) {
    if (words.find(" " + std::string(row.word) + " ") != std::string::npos) return {row.role, kContainedRank};
  }
  return {};
}

NamedRole RoleOfPlainName(std::string_view plain) {
  for (const RoleNames& row : kColumnRoles) {
    const std::string_view wanted = row.may_be_numbered ? WithoutNumber(plain) : plain;
    const auto found = std::find(row.names.begin(), row.names.end(), wanted);
    if (found == row.names.end()) continue;
    return {row.role, static_cast<std::size_t>(found - row.names.begin())};
  }
  if (const char letter = OptionLetter(plain); letter != 0) return {ColumnRole::kOption, 0, letter};
  return {};
}

}  // namespace

std::string PlainName(std::string_view name) {
  std::string plain;
  for (const char c : JsToLower(JsTrim(name))) {
    if (c == '\'' || c == ':' || c == '?') continue;
    const bool is_blank = c == ' ' || c == '_' || c == '-' || c == '.' || c == '#' || c == '\n' || c == '\t';
    if (!is_blank) {
      plain += c;
    } else if (!plain.empty() && plain.back() != ' ') {
      plain += ' ';
    }
  }
  if (plain.ends_with(' ')) plain.pop_back();
  return plain;
}

NamedRole RoleOfName(std::string_view name) {
  const std::string plain = PlainName(name);
  const NamedRole role = RoleOfPlainName(plain);
  if (role.role != ColumnRole::kNone) return role;
  // "Question (in full)", "Answer: short".
  const std::size_t remark = name.find_first_of("(:,/");
  if (remark != std::string_view::npos && remark > 0) {
    const NamedRole before = RoleOfPlainName(PlainName(name.substr(0, remark)));
    if (before.role != ColumnRole::kNone) return before;
  }
  return RoleOfWords(plain);
}

}  // namespace assay::blueprint

// Walks over the cases of the suite; answers are read only where a word asks for them.
#include "report/values/pages/case_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <string>

#include "report/fold/cell_counts.h"
#include "report/values/json.h"
#include "report/values/words/case_names.h"
#include "spec/suite/suite.h"
#include "text/javascript/text.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

void CollectMadeIds(const Value& told, std::set<std::string_view>& ids) {
  if (told.is_string() && IsMadeId(told.AsString())) ids.insert(told.AsString());
  if (told.is_list()) {
    for (const Value& each : told.AsList()) CollectMadeIds(each, ids);
  } else if (told.is_map()) {
    for (const Member& member : told.AsMap()) CollectMadeIds(member.value, ids);
  }
}

struct Term {
  std::string field;  // "tag", "check", "answer"; "": any text of the case
  std::string word;   // folded
};

constexpr std::string_view kFields[] = {"tag", "check", "answer"};

std::vector<Term> TermsOf(std::string_view query) {
  std::vector<Term> terms;
  std::string word;
  bool is_quoted = false;
  const auto end_word = [&] {
    if (word.empty()) return;
    Term term{.field = {}, .word = word};
    for (const std::string_view field : kFields) {
      if (word.size() > field.size() && word.starts_with(field) && word[field.size()] == ':')
        term = {.field = std::string(field), .word = word.substr(field.size() + 1)};
    }
    term.word = JsToLower(term.word);
    if (!term.word.empty()) terms.push_back(std::move(term));
    word.clear();
  };
  for (const char byte : query) {
    if (byte == '"') {
      is_quoted = !is_quoted;
    } else if (!is_quoted && (byte == ' ' || byte == '\t' || byte == '\n')) {
      end_word();
    } else {
      word += byte;
    }
  }
  end_word();
  return terms;
}

std::string TextsOf(const Case& the_case) {
  std::string text = the_case.id + "\n" + *the_case.description;
  for (const std::string& tag : *the_case.tags) text += "\n" + tag;
  for (const Turn& turn : the_case.turns) text += "\n" + turn.text;
  for (const CaseAsking& asking : *the_case.askings) text += "\n" + asking.text;
  if (the_case.ideal) text += "\n" + *the_case.ideal;
  for (const Check& check : the_case.checks) text += "\n" + check.text;
  return JsToLower(text);
}

bool HasTag(const Case& the_case, const std::string& word) {
  return std::any_of(the_case.tags->begin(), the_case.tags->end(),
                     [&](const std::string& tag) { return JsToLower(tag) == word; });
}

bool HasCheck(const Case& the_case, const std::string& word) {
  return std::any_of(the_case.checks.begin(), the_case.checks.end(),
                     [&](const Check& check) { return JsToLower(check.kind) == word; });
}

bool Holds(const Case& the_case, const std::vector<Term>& terms) {
  std::string texts;
  return std::all_of(terms.begin(), terms.end(), [&](const Term& term) {
    if (term.field == "answer") return true;
    if (term.field == "tag") return HasTag(the_case, term.word);
    if (term.field == "check") return HasCheck(the_case, term.word);
    if (texts.empty()) texts = TextsOf(the_case);
    return texts.find(term.word) != std::string::npos;
  });
}

// Whether an answer to the case holds all of the words.
Result<bool> IsAnswered(const Report& report, CaseIndex index, const std::vector<std::string>& words) {
  bool is_found = false;
  ASSAY_CHECK_OK(report.for_each_cell(CellRange::OfCase(index), CellParts::kAll, [&](const Cell& cell) {
    if (is_found) return Ok();
    const std::string answer = JsToLower(cell.record.transcript.SubjectText());
    is_found = std::all_of(words.begin(), words.end(),
                           [&](const std::string& word) { return answer.find(word) != std::string::npos; });
    return Ok();
  }));
  return is_found;
}

Value RowValue(const Case& the_case) {
  std::set<std::string_view> kinds;
  for (const Check& check : the_case.checks) kinds.insert(check.kind);
  return Object{{"id", the_case.id},
                {"title", TitleOfCase(the_case)},
                {"tags", ArrayOf(*the_case.tags)},
                {"weight", the_case.weight},
                {"checks", ArrayOf(kinds)},
                {"points", CountValue(the_case.checks.size())}};
}

}  // namespace

void TellCaseRows(const Suite& suite, CaseIndex from, CaseIndex to,
                  const std::function<void(std::string_view piece)>& take) {
  constexpr std::size_t kPieceBytes = 64u << 10;
  to = std::min<CaseIndex>(to, static_cast<CaseIndex>(suite.cases.size()));
  std::string json = fmt::format("{{\"from\":{},\"count\":{},\"rows\":[", from, suite.cases.size());
  for (CaseIndex i = from; i < to; ++i) {
    if (i > from) json += ',';
    AppendJson(RowValue(suite.cases[i]), JsonStyle::kJavaScript, json);
    if (json.size() < kPieceBytes) continue;
    take(json);
    json.clear();
  }
  json += "]}";
  take(json);
}

std::string CaseRowsJson(const Suite& suite, CaseIndex from, CaseIndex to) {
  std::string json;
  TellCaseRows(suite, from, to, [&json](std::string_view piece) { json += piece; });
  return json;
}

Value TitlesValue(const Map& told, const Suite& suite) {
  std::set<std::string_view> ids;
  for (const Member& member : told) CollectMadeIds(member.value, ids);
  Map titles;
  if (ids.empty()) return titles;
  for (const Case& the_case : suite.cases) {
    if (ids.count(the_case.id) > 0) titles.Set(the_case.id, Value(TitleOfCase(the_case)));
  }
  return titles;
}

Value TitlesAround(const Suite& suite, CaseIndex index) {
  Map titles;
  for (CaseIndex i = index - std::min<CaseIndex>(index, 1); i < suite.cases.size() && i <= index + 1; ++i) {
    const Case& the_case = suite.cases[i];
    if (IsMadeId(the_case.id)) titles.Set(the_case.id, Value(TitleOfCase(the_case)));
  }
  return titles;
}

Result<std::vector<CaseIndex>> FindCases(const Report& report, std::string_view query) {
  const std::vector<Term> terms = TermsOf(query);
  std::vector<std::string> words;
  for (const Term& term : terms) {
    if (term.field == "answer") words.push_back(term.word);
  }
  if (!words.empty() && CountCells(report).cells > kSearchedCellsMax)
    return Error{ErrorCode::kLimit, "the run has too many answers to look for words in them"};
  std::vector<CaseIndex> found;
  for (CaseIndex i = 0; i < report.suite->cases.size(); ++i) {
    if (!Holds(report.suite->cases[i], terms)) continue;
    if (!words.empty()) {
      ASSAY_TRY(const bool is_answered, IsAnswered(report, i, words));
      if (!is_answered) continue;
    }
    found.push_back(i);
  }
  return found;
}

}  // namespace assay

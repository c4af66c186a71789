// Names come first, contents second, and the user last.
#include "dialects/blueprint/starter/guess.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/errors/diagnostics.h"
#include "dataset/select/ids.h"
#include "dialects/blueprint/starter/columns.h"

namespace assay::blueprint {

namespace {

class TableGuesser {
 public:
  TableGuesser(TableFacts facts, const EachRow& each_row, const SourceFiles& sources, const AskUser& ask)
      : columns_(std::move(facts.columns)),
        rows_(facts.rows),
        each_row_(each_row),
        sources_(sources),
        ask_(ask) {}

  TableGuess Guess() {
    GuessId();
    GuessChoices();
    GuessCriteria();
    guess_.context = TakeBest(ColumnRole::kContext);
    guess_.topic = TakeBest(ColumnRole::kTopic);
    guess_.source = TakeBest(ColumnRole::kSource);
    GuessStatus();
    GuessQuestion();
    FindAnswer();
    ReadRows();
    LeaveOutBlanks();
    FindUngraded();
    FindGaps();
    for (const ColumnFacts& column : columns_) {
      if (!column.is_used) guess_.unused.push_back(column.name);
    }
    return std::move(guess_);
  }

 private:
  std::vector<ColumnFacts*> Named(ColumnRole role) {
    std::vector<ColumnFacts*> found;
    for (ColumnFacts& column : columns_) {
      if (column.named.role == role && column.filled > 0 && !column.is_used) found.push_back(&column);
    }
    std::stable_sort(found.begin(), found.end(), [](const ColumnFacts* a, const ColumnFacts* b) {
      return a->named.rank < b->named.rank;
    });
    // A name that says it beats all that only contain a word of it.
    if (!found.empty() && found.front()->named.rank < kContainedRank)
      std::erase_if(found, [](const ColumnFacts* each) { return each->named.rank >= kContainedRank; });
    return found;
  }

  std::string TakeBest(ColumnRole role) {
    const std::vector<ColumnFacts*> found = Named(role);
    if (found.empty()) return {};
    found.front()->is_used = true;
    return found.front()->name;
  }

  std::string PlaceOf(const dataset::Row& row) const { return dataset::PlaceOfRow(row, sources_); }

  const ColumnFacts& Column(const std::string& name) const {
    return *std::find_if(columns_.begin(), columns_.end(),
                         [&name](const ColumnFacts& column) { return column.name == name; });
  }

  // The first column of such a name whose values differ from each other.
  void GuessId() {
    for (ColumnFacts* column : Named(ColumnRole::kId)) {
      const std::string fault = IdFault(*column);
      if (fault.empty()) {
        column->is_used = true;
        guess_.id = column->name;
        guess_.id_has_slash = column->has_slash;
        guess_.id_fault.clear();
        return;
      }
      if (guess_.id_fault.empty()) guess_.id_fault = fault;
    }
  }

  std::string IdFault(const ColumnFacts& column) const {
    const std::vector<dataset::Row>& fault = column.id_fault;
    if (fault.empty()) return {};
    if (fault.size() == 1) return fmt::format("{} has no {}", PlaceOf(fault.front()), Quoted(column.name));
    return fmt::format("{} and {} have the same {}: {}", PlaceOf(fault.front()), PlaceOf(fault.back()),
                       Quoted(column.name), Quoted(column.id_twice));
  }

  // A, B and so on without a gap, or a list.
  void GuessChoices() {
    std::map<char, ColumnFacts*> letters;
    for (ColumnFacts* column : Named(ColumnRole::kOption)) letters.emplace(column->named.letter, column);
    std::vector<ColumnFacts*> options;
    for (char letter = 'A'; letters.contains(letter); ++letter) options.push_back(letters.at(letter));
    if (options.size() >= 2) {
      for (ColumnFacts* column : options) {
        column->is_used = true;
        guess_.choices.options.push_back(column->name);
        if (column->filled < rows_) guess_.options_with_gaps.push_back(column->name);
      }
      return;
    }
    for (ColumnFacts* column : Named(ColumnRole::kChoices)) {
      if (!column->are_lists && !column->are_lists_of_texts) continue;
      column->is_used = true;
      guess_.choices = {{}, column->are_lists ? column->name : column->name + ".text"};
      return;
    }
  }

  void GuessCriteria() {
    for (ColumnFacts& column : columns_) {
      const ColumnRole role = column.named.role;
      if (column.filled == 0 || (role != ColumnRole::kShould && role != ColumnRole::kShouldNot)) continue;
      column.is_used = true;
      (role == ColumnRole::kShould ? guess_.should : guess_.should_not).push_back(column.name);
    }
  }

  // A few values that say how far a row is.
  void GuessStatus() {
    for (ColumnFacts* column : Named(ColumnRole::kStatus)) {
      const std::map<std::string, std::size_t>& counts = column->values;
      if (counts.size() < 2 || counts.size() > kStatusValuesMax) continue;
      column->is_used = true;
      guess_.status = column->name;
      std::vector<std::string> choices{"all rows"};
      std::vector<std::string> values{""};
      for (const auto& [value, count] : counts) {
        guess_.statuses.push_back(fmt::format("{} ({})", value.empty() ? "empty" : Quoted(value), count));
        if (value.empty()) continue;
        choices.push_back(guess_.statuses.back());
        values.push_back(value);
      }
      if (ask_)
        guess_.status_value =
            values[ask_(fmt::format("Which rows are cases, by {}?", Quoted(column->name)), choices, 0)];
      return;
    }
  }

  // Of those that no other use is known of.
  std::vector<ColumnFacts*> Free() {
    std::vector<ColumnFacts*> free;
    for (ColumnFacts& column : columns_) {
      if (!column.is_used && column.filled > 0) free.push_back(&column);
    }
    return free;
  }

  ColumnFacts* Ask(std::string_view question, const std::vector<ColumnFacts*>& columns, std::size_t guess,
                   bool may_be_none) const {
    std::vector<std::string> choices;
    for (const ColumnFacts* column : columns) choices.push_back(column->name);
    if (may_be_none) choices.emplace_back("none of them");
    const std::size_t chosen = ask_(question, choices, guess);
    return chosen < columns.size() ? columns[chosen] : nullptr;
  }

  static std::string Listed(const std::vector<ColumnFacts*>& columns) {
    std::string names;
    for (const ColumnFacts* column : columns)
      names += fmt::format("{}{}", names.empty() ? "" : ", ", Quoted(column->name));
    return names;
  }

  void GuessQuestion() {
    std::vector<ColumnFacts*> candidates = Named(ColumnRole::kQuestion);
    const bool is_named = !candidates.empty();
    if (!is_named) {
      for (ColumnFacts* column : Free()) {
        if (column->named.role != ColumnRole::kAnswer) candidates.push_back(column);
      }
      if (candidates.empty()) candidates = Free();
      std::stable_sort(candidates.begin(), candidates.end(),
                       [](const ColumnFacts* a, const ColumnFacts* b) { return a->bytes > b->bytes; });
    }
    if (candidates.empty()) return;
    ColumnFacts* question = candidates.front();
    if (candidates.size() > 1 && ask_) {
      question = Ask("Which column is the question?", candidates, 0, false);
    } else if (candidates.size() > 1) {
      guess_.unsure_question = is_named ? fmt::format("{} all sound like it", Listed(candidates))
                                        : fmt::format("{} has the longest texts of {}",
                                                      Quoted(question->name), Listed(candidates));
    }
    question->is_used = true;
    guess_.question = question->name;
    guess_.is_conversation = question->are_conversations;
  }

  void FindAnswer() {
    const std::vector<ColumnFacts*> named = Named(ColumnRole::kAnswer);
    ColumnFacts* answer = named.empty() ? nullptr : named.front();
    const bool has_criteria = !guess_.should.empty() || !guess_.should_not.empty();
    if (named.size() > 1 && ask_) {
      answer = Ask("Which column is the wanted answer?", named, 0, true);
    } else if (named.size() > 1) {
      guess_.unsure_answer = fmt::format("{} all sound like it", Listed(named));
    } else if (named.empty() && !has_criteria) {
      const std::vector<ColumnFacts*> free = Free();
      if (ask_ && !free.empty()) {
        answer = Ask("Which column is the wanted answer?", free, free.size(), true);
      } else {
        guess_.unsure_answer = "no column has the name of an answer";
      }
    }
    if (answer == nullptr) return;
    answer->is_used = true;
    guess_.answer = answer->name;
  }

  bool IsBlank(const dataset::Row& row, const std::string& column) const {
    std::string made;
    return IsBlankText(CellText(row, column, sources_, made));
  }

  // What depends on the use of several columns: the kind of the answers, and rows without a criterion.
  void ReadRows() {
    std::vector<std::string> criteria = guess_.should;
    criteria.insert(criteria.end(), guess_.should_not.begin(), guess_.should_not.end());
    if (guess_.answer.empty() && criteria.empty()) return;
    AnswerReader answers(guess_.answer, guess_.choices, sources_);
    each_row_([&](const dataset::Row& row) {
      if (!guess_.answer.empty()) answers.Add(row);
      const bool has_any = std::any_of(criteria.begin(), criteria.end(),
                                       [&](const std::string& column) { return !IsBlank(row, column); });
      if (criteria.empty() || has_any) return;
      without_criterion_.Add(row);
      if (!guess_.answer.empty() && IsBlank(row, guess_.answer)) without_both_.Add(row);
    });
    if (guess_.answer.empty()) return;
    guess_.answers = answers.Guess();
    GuessCheck();
    if (!guess_.answers.odd.empty()) LeaveOutOdd();
  }

  // Short texts may be meant word for word, or in other words.
  void GuessCheck() {
    if (guess_.answers.kind != AnswerKind::kWords) return;
    if (!ask_) {
      guess_.unsure_check = "short answers, compared word for word";
      return;
    }
    const std::size_t way = ask_("How are answers compared with the wanted one?",
                                 {"word for word ($equals)", "by judges, who know other words for it"}, 0);
    if (way == 1) guess_.answers.kind = AnswerKind::kSentences;
  }

  void LeaveOutOdd() {
    LeftOut& left = LeftOutOf(guess_.answer);
    for (const OddAnswer& odd : guess_.answers.odd) {
      if (std::find(left.values.begin(), left.values.end(), odd.text) == left.values.end())
        left.values.push_back(odd.text);
      left.words += fmt::format("{}{} has {} as {}, unlike the others", left.words.empty() ? "" : "; ",
                                PlaceOf(odd.row), Quoted(odd.text), Quoted(guess_.answer));
    }
  }

  LeftOut& LeftOutOf(const std::string& column) {
    for (LeftOut& left : guess_.left_out) {
      if (left.column == column) return left;
    }
    return guess_.left_out.emplace_back(LeftOut{.column = column});
  }

  // Beside criteria, what an answer alone fills in is left out where there is none.
  bool NeedsAnswer() const {
    if (guess_.answer.empty()) return false;
    if (guess_.should.empty() && guess_.should_not.empty()) return true;
    const AnswerKind kind = guess_.answers.kind;
    return kind != AnswerKind::kNumber && kind != AnswerKind::kMeasure && kind != AnswerKind::kMarkedNumber &&
           kind != AnswerKind::kSentences;
  }

  void LeaveOutBlanks() {
    std::vector<std::string> needed{guess_.question};
    if (!guess_.context.empty()) needed.push_back(guess_.context);
    if (NeedsAnswer()) needed.push_back(guess_.answer);
    // A letter without its choice cannot be right.
    for (std::size_t i = 0; i < 2 && i < guess_.choices.options.size(); ++i)
      needed.push_back(guess_.choices.options[i]);
    for (const std::string& name : needed) {
      if (name.empty()) continue;
      const ColumnFacts& column = Column(name);
      if (column.blank.count() == 0) continue;
      LeftOut& left = LeftOutOf(name);
      left.is_blank = true;
      left.has_blanks_of_text = column.has_blanks_of_text;
      left.words += fmt::format("{}no {} in {}", left.words.empty() ? "" : "; ", Quoted(name),
                                column.blank.Words(sources_));
    }
  }

  // A column with a few empty cells, whose rows become cases all the same.
  void FindGaps() {
    constexpr std::size_t kGapsOf = 20;  // one cell of so many
    std::vector<std::string> columns = guess_.should;
    for (const std::string& column : {guess_.topic, guess_.source}) columns.push_back(column);
    for (const std::string& column : columns) {
      if (column.empty()) continue;
      const Places& blank = Column(column).blank;
      if (blank.count() == 0 || blank.count() * kGapsOf > rows_) continue;
      guess_.gaps.push_back(fmt::format("no {} in {}", Quoted(column), blank.Words(sources_)));
    }
  }

  // Rows whose criteria are all empty, and which have no answer to compare with, either.
  void FindUngraded() {
    std::vector<std::string> graded = guess_.should;
    graded.insert(graded.end(), guess_.should_not.begin(), guess_.should_not.end());
    if (graded.empty() || NeedsAnswer()) return;
    if (!guess_.answer.empty() && guess_.answers.kind != AnswerKind::kSentences)
      graded.push_back(guess_.answer);
    const bool takes_answer = graded.size() > guess_.should.size() + guess_.should_not.size();
    const Places& places = takes_answer ? without_both_ : without_criterion_;
    if (places.count() == 0) return;
    guess_.ungraded = fmt::format("nothing to grade by in {}", places.Words(sources_));
    if (graded.size() != 1) return;
    LeftOut& left = LeftOutOf(graded.front());
    left.is_blank = left.has_blanks_of_text = true;
    left.words += fmt::format("{}{}", left.words.empty() ? "" : "; ", guess_.ungraded);
  }

  std::vector<ColumnFacts> columns_;
  std::size_t rows_;
  const EachRow& each_row_;
  const SourceFiles& sources_;
  const AskUser& ask_;
  Places without_criterion_;
  Places without_both_;  // a criterion and an answer
  TableGuess guess_;
};

}  // namespace

TableGuess GuessTable(TableFacts facts, const EachRow& rows, const SourceFiles& sources, const AskUser& ask) {
  return TableGuesser(std::move(facts), rows, sources, ask).Guess();
}

}  // namespace assay::blueprint

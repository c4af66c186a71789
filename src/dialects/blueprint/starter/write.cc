// Writes the header, the prompt and the criteria, each with the remark that it needs.
#include "dialects/blueprint/starter/write.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "base/errors/diagnostics.h"
#include "base/text/ascii.h"
#include "dialects/blueprint/starter/columns.h"
#include "text/json/json.h"

namespace assay::blueprint {

namespace {

constexpr std::size_t kCommentColumns = 110;

// A text in the double quotes of YAML, which are those of JSON.
std::string InYamlQuotes(std::string_view text) {
  std::string quoted;
  AppendJsonString(text, quoted);
  return quoted;
}

// Without quotes where YAML takes it for a text all the same.
std::string YamlScalar(std::string_view text) {
  constexpr std::string_view kWords[] = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"};
  const bool is_plain =
      !text.empty() && IsAsciiLetter(text.front()) && text.back() != ' ' &&
      std::all_of(text.begin(), text.end(),
                  [](char c) {
                    return IsAsciiAlphanumeric(c) || c == '_' || c == '.' || c == '/' || c == '-' || c == ' ';
                  }) &&
      std::find(std::begin(kWords), std::end(kWords), AsciiLower(text)) == std::end(kWords);
  return is_plain ? std::string(text) : InYamlQuotes(text);
}

std::string InBraces(std::string_view column) { return fmt::format("{{{{{}}}}}", column); }
std::string WithFilter(std::string_view column, std::string_view filter) {
  return fmt::format("{{{{{} | {}}}}}", column, filter);
}

// CommentLines lines of at most so many columns.
std::string CommentLines(std::string_view text, std::string_view indent = "") {
  std::string out;
  while (!text.empty()) {
    std::size_t cut = text.size();
    if (cut > kCommentColumns) {
      cut = text.rfind(' ', kCommentColumns);
      if (cut == std::string_view::npos || cut == 0)
        cut = std::min(text.find(' ', kCommentColumns), text.size());
    }
    out += fmt::format("{}# {}\n", indent, text.substr(0, cut));
    text.remove_prefix(std::min(text.size(), cut + 1));
  }
  return out;
}

std::string NamesInWords(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == names.size() ? " and " : ", ", Quoted(names[i]));
  return text;
}

class StarterWriter {
 public:
  explicit StarterWriter(const WrittenStarter& starter) : starter_(starter), guess_(starter.guess) {}

  std::string Text() {
    WriteHead();
    WriteDataset();
    out_ += "---\n";
    WritePrompt();
    WriteCriteria();
    return std::move(out_);
  }

 private:
  void Line(std::string_view text) { out_ += fmt::format("{}\n", text); }

  void WriteHead() {
    out_ +=
        CommentLines(fmt::format("A suite over {} ({} {}): a row is a case. Written by `assay init dataset`.",
                                 Quoted(starter_.named), starter_.rows, starter_.rows == 1 ? "row" : "rows"));
    out_ += CommentLines(ColumnWords(guess_) + ".");
    if (!guess_.unused.empty())
      out_ += CommentLines(fmt::format("Not used: {}. Write {{{{COLUMN}}}} where a column belongs.",
                                       NamesInWords(guess_.unused)));
    Line(
        fmt::format("#   assay check {0}.yml      reads every row, and names each fault by its line\n"
                    "#   assay run {0}.yml        asks, grades, writes results/",
                    starter_.title));
    Line(fmt::format("title: {}", YamlScalar(starter_.title)));
    Line("# Whom to ask, as provider:model (assay list providers); for one run: -m openai:gpt-6-luna.");
    if (starter_.model.starts_with("echo:")) Line("# `echo:` repeats the question, without a key or a cost.");
    Line(fmt::format("models:\n  - {}", starter_.model));
    if (!NeedsJudge(guess_)) return;
    Line("# The judges of the criteria below; for one run: --judge openai:gpt-6-luna.");
    const std::string_view mark = starter_.has_key ? "" : "# ";
    Line(
        fmt::format("{0}evaluationConfig:\n{0}  llm-coverage:\n{0}    judges:\n"
                    "{0}      - {{model: \"{1}\", approach: holistic}}",
                    mark, starter_.has_key ? starter_.model : "openai:gpt-6-luna"));
  }

  void WriteDataset() {
    if (!starter_.doubt_of_names.empty())
      out_ += CommentLines(fmt::format("Guess: {}.", starter_.doubt_of_names));
    Line("dataset:");
    Line(fmt::format("  path: {}", YamlScalar(starter_.named)));
    if (!starter_.encoding.empty()) Line(fmt::format("  encoding: {}", starter_.encoding));
    WriteId();
    const dataset::Options& options = starter_.options;
    if (!options.renames.empty()) Line("  columns:                # new names for columns: {new: old}");
    for (const auto& [name, old] : options.renames)
      Line(fmt::format("    {}: {}", InYamlQuotes(name), InYamlQuotes(old.text)));
    if (!options.types.empty()) Line("  types:                  # cells that contain several texts");
    for (const auto& [column, type] : options.types) {
      Line(fmt::format("    {}: {}", InYamlQuotes(column.text),
                       type.kind == dataset::CellType::kJson
                           ? std::string("json")
                           : fmt::format("{{list: {}}}", InYamlQuotes(type.separator))));
    }
    WriteWhere();
  }

  void WriteId() {
    if (!guess_.id.empty() && guess_.id != "id") {
      Line(fmt::format("  id: {}                # a case keeps its id when rows come and go",
                       InYamlQuotes(guess_.id_has_slash ? WithFilter(guess_.id, "replace(\"/\", \"-\")")
                                                        : InBraces(guess_.id))));
    }
    if (guess_.id.empty() && !guess_.id_fault.empty())
      out_ += CommentLines(fmt::format("Ids come from the rows' content: {}.", guess_.id_fault), "  ");
    if (guess_.has_twins) Line("  duplicates: drop        # some rows are in the table twice");
  }

  static std::string ConditionOf(const LeftOut& left) {
    std::string condition;
    if (left.is_blank) condition = left.has_blanks_of_text ? "matches: '\\S'" : "exists: true";
    if (!left.values.empty()) {
      condition += condition.empty() ? "not: [" : ", not: [";
      for (std::size_t i = 0; i < left.values.size(); ++i)
        condition += (i == 0 ? "" : ", ") + InYamlQuotes(left.values[i]);
      condition += "]";
    }
    return fmt::format("{{{}}}", condition);
  }

  void WriteWhere() {
    const bool has_status = !guess_.status_value.empty();
    if (guess_.left_out.empty() && !has_status) {
      if (guess_.status.empty()) return;
      out_ += CommentLines(
          fmt::format("Guess: all rows are cases. For those of one {}: where: {{{}: VALUE}}. It has {}.",
                      Quoted(guess_.status), InYamlQuotes(guess_.status), Joined(guess_.statuses)),
          "  ");
      return;
    }
    Line("  where:                  # the rows that become cases");
    if (has_status)
      Line(fmt::format("    {}: {}", InYamlQuotes(guess_.status), InYamlQuotes(guess_.status_value)));
    for (const LeftOut& left : guess_.left_out) {
      out_ += CommentLines("Left out: " + left.words + ". Correct the table, and delete this line.", "    ");
      Line(fmt::format("    {}: {}", InYamlQuotes(left.column), ConditionOf(left)));
    }
    if (!has_status && !guess_.status.empty())
      out_ += CommentLines(fmt::format("{} has {}.", Quoted(guess_.status), Joined(guess_.statuses)), "    ");
  }

  static std::string Joined(const std::vector<std::string>& texts) {
    std::string joined;
    for (const std::string& text : texts) joined += (joined.empty() ? "" : ", ") + text;
    return joined;
  }

  // --- the prompt ---

  bool GradesChoices() const {
    return guess_.answers.kind == AnswerKind::kChoice || guess_.answers.kind == AnswerKind::kChoiceFromOne;
  }

  std::string OptionText(const std::string& column) const {
    const bool has_gaps = std::find(guess_.options_with_gaps.begin(), guess_.options_with_gaps.end(),
                                    column) != guess_.options_with_gaps.end();
    return has_gaps ? WithFilter(column, "default(\"-\")") : InBraces(column);
  }

  void AddChoices(std::string& text) const {
    if (!guess_.choices.list.empty()) text += "\n" + WithFilter(guess_.choices.list, "options");
    const bool is_numbered = guess_.answers.kind == AnswerKind::kChoiceFromOne;
    for (std::size_t i = 0; i < guess_.choices.options.size(); ++i) {
      const std::string mark =
          is_numbered ? std::to_string(i + 1) : std::string(1, static_cast<char>('A' + i));
      text += fmt::format("\n{}. {}", mark, OptionText(guess_.choices.options[i]));
    }
  }

  // How the answer has to end so that it can be graded without a judge.
  std::string Request() const {
    switch (guess_.answers.kind) {
      case AnswerKind::kChoice:
        return "Answer with the letter alone.";
      case AnswerKind::kChoiceFromOne:
        return guess_.choices.options.empty() ? "" : "Answer with the number of the choice alone.";
      case AnswerKind::kNumber:
      case AnswerKind::kMeasure:
      case AnswerKind::kMarkedNumber:
        return "End with the number.";
      case AnswerKind::kWords:
      case AnswerKind::kAnyOf:
        return "Reply with the answer alone, in as few words as possible.";
      case AnswerKind::kLabel: {
        std::string labels;
        for (const std::string& label : guess_.answers.labels) {
          if (label.find("{{") != std::string::npos || label.find('\n') != std::string::npos) return "";
          labels += (labels.empty() ? "" : ", ") + label;
        }
        return fmt::format("Reply with one of these alone: {}.", labels);
      }
      default:
        return "";
    }
  }

  void WritePrompt() {
    if (!guess_.unsure_question.empty()) {
      out_ += CommentLines(fmt::format("Guess: {} is the question; {}. If another column is, write it here.",
                                       Quoted(guess_.question), guess_.unsure_question));
    }
    if (guess_.is_conversation)
      return Line(fmt::format("messages: {}", InYamlQuotes(InBraces(guess_.question))));
    std::string text;
    if (!guess_.context.empty()) text = InBraces(guess_.context) + "\n\n";
    text += InBraces(guess_.question);
    if (guess_.choices.any()) AddChoices(text);
    if (const std::string request = Request(); !request.empty())
      text += fmt::format("{}{}", guess_.choices.any() || !guess_.context.empty() ? "\n\n" : "\n", request);
    if (text.find('\n') == std::string::npos) return Line(fmt::format("prompt: {}", InYamlQuotes(text)));
    Line("prompt: |-");
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string_view line = std::string_view(text).substr(at, end - at);
      Line(line.empty() ? std::string() : fmt::format("  {}", line));
      at = end + 1;
    }
  }

  // --- criteria ---

  void WriteCriteria() {
    if (!guess_.topic.empty()) Line(fmt::format("group: {}", InYamlQuotes(InBraces(guess_.topic))));
    if (!guess_.source.empty()) Line(fmt::format("citation: {}", InYamlQuotes(InBraces(guess_.source))));
    if (guess_.answers.kind == AnswerKind::kSentences)
      Line(fmt::format("ideal: {}", InYamlQuotes(InBraces(guess_.answer))));
    WriteShould();
    if (guess_.should_not.empty()) return;
    Line("should_not:");
    for (const std::string& column : guess_.should_not)
      Line(fmt::format("  - {}", InYamlQuotes(InBraces(column))));
  }

  void WriteShould() {
    const bool has_criteria = !guess_.should.empty() || !guess_.should_not.empty();
    if (!guess_.unsure_answer.empty()) {
      out_ += CommentLines(
          guess_.answer.empty()
              ? fmt::format("Guess: {}, so judges decide. With one: - $numeric: "
                            "\"{{{{COLUMN}}}}\", or - $equals: \"{{{{COLUMN}}}}\" (assay list checks).",
                            guess_.unsure_answer)
              : fmt::format("Guess: {} is the wanted answer; {}.", Quoted(guess_.answer),
                            guess_.unsure_answer));
    }
    if (!guess_.unsure_check.empty()) {
      out_ +=
          CommentLines(fmt::format("Guess: {}. If other words are right, too, let judges decide: "
                                   "- \"Says the same as: {}\".",
                                   guess_.unsure_check, InBraces(guess_.answer)));
    }
    if (!guess_.ungraded.empty())
      out_ += CommentLines(fmt::format("Fill the table in: {}.", guess_.ungraded));
    std::vector<std::string> points = AnswerPoints(has_criteria);
    for (const std::string& column : guess_.should) points.push_back(InYamlQuotes(InBraces(column)));
    if (points.empty() && !has_criteria) points.push_back("Answers the question correctly and completely");
    if (points.empty()) return;
    Line("should:");
    for (const std::string& point : points) Line(fmt::format("  - {}", point));
  }

  std::vector<std::string> AnswerPoints(bool has_criteria) const {
    const std::string answer = InYamlQuotes(InBraces(guess_.answer));
    switch (guess_.answers.kind) {
      case AnswerKind::kNone:
        return {};
      case AnswerKind::kNumber:
        return {fmt::format("$numeric: {}", answer)};
      case AnswerKind::kMeasure:
        return {fmt::format("$numeric: {}      # the number alone; units are not compared", answer)};
      case AnswerKind::kMarkedNumber:
        return {fmt::format("$numeric: '{}'", WithFilter(guess_.answer, "after(\"####\")"))};
      case AnswerKind::kChoice:
        return {fmt::format("$choice: {{answer: {}, of: {}}}", answer, ChoiceTexts())};
      case AnswerKind::kChoiceFromOne:
        if (!guess_.choices.options.empty()) return {fmt::format("$numeric: {}", answer)};
        return {InYamlQuotes(
            fmt::format("Chooses number {} of the choices, counted from 1", InBraces(guess_.answer)))};
      case AnswerKind::kLabel:
      case AnswerKind::kWords:
        return {
            fmt::format("$equals: {{text: {}, ignore: [case, punctuation, articles, whitespace]}}", answer)};
      case AnswerKind::kAnyOf:
        return {fmt::format("$equals: {{any_of: {}, ignore: [case, punctuation, articles, whitespace]}}",
                            answer)};
      case AnswerKind::kSentences:
        if (has_criteria) return {};
        return {InYamlQuotes(fmt::format("Says the same as this answer: {}", InBraces(guess_.answer)))};
    }
    return {};
  }

  // The letters are enough where the answer is one.
  std::string ChoiceTexts() const {
    if (!guess_.choices.list.empty()) return InYamlQuotes(InBraces(guess_.choices.list));
    if (!guess_.answers.is_text_of_choice) return std::to_string(guess_.choices.options.size());
    std::string texts;
    for (const std::string& column : guess_.choices.options)
      texts += (texts.empty() ? "" : ", ") + InYamlQuotes(InBraces(column));
    return fmt::format("[{}]", texts);
  }

  const WrittenStarter& starter_;
  const TableGuess& guess_;
  std::string out_;
};

}  // namespace

bool NeedsJudge(const TableGuess& guess) {
  const AnswerKind kind = guess.answers.kind;
  const bool is_index_of_list = kind == AnswerKind::kChoiceFromOne && guess.choices.options.empty();
  return !guess.should.empty() || !guess.should_not.empty() || kind == AnswerKind::kNone ||
         kind == AnswerKind::kSentences || is_index_of_list;
}

std::string ColumnWords(const TableGuess& guess) {
  std::string words;
  const auto add = [&](const std::string& column, std::string_view what) {
    if (!column.empty()) words += fmt::format("{}{} is {}", words.empty() ? "" : ", ", Quoted(column), what);
  };
  const auto add_all = [&](const std::vector<std::string>& columns, std::string_view one,
                           std::string_view many) {
    if (columns.size() == 1) add(columns.front(), one);
    if (columns.size() > 1)
      words += fmt::format("{}{} are {}", words.empty() ? "" : ", ", NamesInWords(columns), many);
  };
  add(guess.id, "the id");
  add(guess.context, "the context");
  add(guess.question, guess.is_conversation ? "the conversation" : "the question");
  add_all(guess.choices.options, "a choice", "the choices");
  add(guess.choices.list, "the list of choices");
  add(guess.answer, "the wanted answer");
  add_all(guess.should, "a criterion", "criteria");
  add_all(guess.should_not, "a criterion of what not to say", "criteria of what not to say");
  add(guess.topic, "the group");
  add(guess.source, "the source");
  if (!guess.status_value.empty()) add(guess.status, "the condition");
  return words;
}

std::string TextOfStarter(const WrittenStarter& starter) { return StarterWriter(starter).Text(); }

}  // namespace assay::blueprint

// What a table has for a suite: which column is the question, which the wanted answer, and how answers are
// checked. What is not certain is asked, or becomes a remark.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dataset/table.h"
#include "dialects/blueprint/starter/answers.h"
#include "dialects/blueprint/starter/facts.h"

namespace assay::blueprint {

// Asks the user to choose; the place of the answer. Null: there is nobody.
using AskUser = std::function<std::size_t(std::string_view question, const std::vector<std::string>& choices,
                                          std::size_t guess)>;

// Rows that become no cases, since they lack a value, or have one of another kind.
struct LeftOut {
  std::string column;
  bool is_blank = false;            // some rows have no value
  bool has_blanks_of_text = false;  // some of these have blanks
  std::vector<std::string> values = {};
  std::string words = {};  // "questions.csv:17 has no Question"
};

struct TableGuess {
  std::string id, question, context, answer, topic, source, status;
  std::string status_value = {};  // the only one that is asked; "": all are
  bool is_conversation = false;   // the question is a list of messages
  ChoiceColumns choices = {};
  std::vector<std::string> options_with_gaps = {};  // that some rows do not have
  AnswerGuess answers = {};
  std::vector<std::string> should = {}, should_not = {};
  std::vector<LeftOut> left_out = {};
  std::vector<std::string> unused = {};
  std::string unsure_question = {}, unsure_answer = {}, unsure_check = {};  // why, for remarks
  std::vector<std::string> statuses = {};                                   // the values, with their counts
  std::vector<std::string> gaps = {};                                       // of columns that are nearly full
  std::string ungraded = {};                                                // rows without a criterion
  std::string id_fault = {};                                                // why a column is no id
  bool id_has_slash = false;
  bool has_twins = false;  // rows with equal content
};

// Lets each row of the table pass by once more.
using EachRow = std::function<void(const std::function<void(const dataset::Row&)>& look)>;

TableGuess GuessTable(TableFacts facts, const EachRow& rows, const SourceFiles& sources, const AskUser& ask);

}  // namespace assay::blueprint

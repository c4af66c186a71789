// AlikeRows: finds the rows of a table of which `check` has nothing to say that the first rows do not say.
// Such rows are counted, and become no cases. A row of which it is not sure is none of them.
//
// The first rows are looked at whole. Of any other one, the parts that differ are looked at: a question has
// words, and criteria are read and bound as those of any case. What is the same in all rows needs no second
// look.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/errors/diagnostics.h"
#include "dataset/table.h"
#include "dialects/blueprint/read/parse.h"
#include "dialects/dialect.h"
#include "spec/suite/case.h"
#include "text/template/fill.h"

namespace assay::blueprint {

class AlikeRows {
 public:
  // `header` and `prompt` without their datasets. Both, and what the input names, outlive it.
  AlikeRows(const Map& header, const Map& prompt, const ReadInput& input);

  // Whether rows of the file can be alike: one prompt, without examples or several system prompts.
  static bool Can(const Map& header, const List& entries);

  bool IsAlike(const std::vector<std::string>& columns, const dataset::Row& row);
  // Of the rows that are alike.
  std::size_t checks() const { return checks_; }

 private:
  enum class PartKind : std::uint8_t { kWords, kName, kNames, kMessages, kPoints, kUnknown };
  struct Part {
    const Member* member;
    PartKind kind;
  };

  static PartKind KindOf(const Member& member);
  void FindParts(const std::vector<std::string>& columns);
  bool HasWords(const Value& text, const TemplateScope& scope, std::size_t bytes_max);
  bool HasMessages(const Value& tree, const TemplateScope& scope);
  // Criteria of which a row changes the arguments of functions, and nothing else.
  struct Argument {
    std::size_t point = 0;  // of the block
    std::string key = {};   // "$numeric"
  };
  struct Points {
    Value normal;   // the block in its normal form
    Case the_case;  // with the checks that it becomes
    std::vector<Argument> arguments = {};
    bool changes_arguments = false;  // otherwise the block is read anew for each row
    List changed = {};               // points of `arguments`, with them in place
    std::size_t checks = 0;
  };

  // The points of a block of a row; nothing where there is a word to say.
  std::optional<Points> PointsOf(Value block, std::string_view key);
  // What of it further rows change.
  void FindArguments(const Value& written, Points& points);
  bool AreArgumentsAlike(Value& filled, Points& points);
  bool IsPartAlike(const Part& part, const TemplateScope& scope, std::size_t& checks);
  bool ArePointsAlike(const Member& member, const TemplateScope& scope, std::size_t& checks);

  const Map& header_;
  const Map& prompt_;
  const ReadInput& input_;
  Diagnostics said_;  // of rows that are looked at: they say it again as cases
  ParseContext context_;
  HeaderFacts facts_;
  std::vector<std::string> columns_;
  std::unique_ptr<TreeFiller> filler_;
  std::vector<Part> parts_;
  std::map<std::string, std::size_t, std::less<>> plain_checks_;  // of blocks without templates, by key
  std::unordered_map<std::string, std::size_t> known_points_;     // by digest: the number of their checks
  std::map<std::string, Points, std::less<>> points_;             // of the first row that is alike, by key
  std::size_t whole_rows_ = 0;
  std::size_t checks_ = 0;
  bool takes_values_ = false;  // a list or mapping of the row took the place of a template
  bool can_ = true;
};

}  // namespace assay::blueprint

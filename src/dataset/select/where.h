// Where: the conditions that a row has to meet to be a case.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/errors/span.h"
#include "dataset/problem.h"
#include "dataset/table.h"
#include "text/javascript/regex.h"
#include "text/template/path.h"
#include "text/value.h"

namespace assay::dataset {

class Where {
 public:
  // `conditions`: a map {path: condition}. With `columns`, the first name of each path has to be one.
  static Where Compile(const Map& conditions, std::span<const std::string> columns,
                       const SourceFiles& sources, Problems& problems);
  bool Holds(const Map& row, const SourceFiles& sources) const;

  // What rows have that do not meet all conditions: for each condition, whether some row meets it, and a few
  // values of its column.
  struct Unmet {
    struct Clause {
      bool is_met = false;
      bool has_more = false;
      std::vector<std::string> values = {};
    };
    std::vector<Clause> clauses = {};
  };
  void Note(const Map& row, const SourceFiles& sources, Unmet& unmet) const;
  // What to look at if no row meets all conditions: the first one that no row meets, and values of its
  // column.
  std::string UnmetWords(const Unmet& unmet, const SourceFiles& sources) const;

 private:
  enum class Test : std::uint8_t {
    kEquals,
    kOneOf,
    kNot,
    kLeast,
    kMost,
    kAbove,
    kBelow,
    kMatches,
    kContains,
    kExists
  };
  struct Condition {
    Test test = Test::kEquals;
    Value wanted = {};
    double number = 0;
    std::shared_ptr<const JsRegex> pattern = nullptr;
    std::vector<Condition> inner = {};  // of kNot: all of them hold
  };
  struct Clause {
    std::string written;
    RowPath path;
    std::vector<Condition> conditions;

    const Value& ValueIn(const Map& row) const;
  };
  struct Compiler;
  static bool Holds(const Clause& clause, const Value& value, const SourceFiles& sources);
  static bool Holds(const Condition& condition, const Value& value, const SourceFiles& sources);
  static bool IsSame(const Value& value, const Value& wanted, const SourceFiles& sources);

  std::vector<Clause> clauses_;
};

}  // namespace assay::dataset

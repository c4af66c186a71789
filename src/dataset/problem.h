// What is wrong with a dataset: all of it, each at its place, the first ten of a code shown.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/diagnostics.h"

namespace assay::dataset {

struct Problem {
  std::string code;  // "dataset.ragged"
  std::string message;
  std::string hint = {};
  Span where = {};
  std::string name = {};                     // of the column, file or word
  std::vector<std::string> names = {};       // to choose among
  std::optional<std::size_t> expected = {};  // cells
  std::optional<std::size_t> found = {};
  std::optional<std::size_t> first_line = {};  // of the row that has the id already
  Severity severity = Severity::kError;
};

class Problems {
 public:
  void Add(Problem problem);
  // Those of the other one, too.
  void AddAll(const Problems& others);
  bool HasErrors() const { return errors_ > 0; }
  std::size_t ErrorCount() const { return errors_; }
  const std::vector<Problem>& All() const { return all_; }
  // Hands all of them to `diagnostics`, with a note on those that are not shown.
  void TellTo(Diagnostics& diagnostics) const;

 private:
  std::vector<Problem> all_;
  std::map<std::string, std::size_t, std::less<>> counts_;  // by code
  std::size_t errors_ = 0;
};

}  // namespace assay::dataset

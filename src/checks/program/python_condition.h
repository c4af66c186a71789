// Evaluates conditions (`cond`) of InfiBench's keywords and blanks: Python expressions, of which a small part
// is understood here.
//
// Understood: the names that the caller gives, True, False, None, numbers like 12 and 0.5, plain string
// literals, x[i], len(x), x.startswith(y), x.endswith(y), x.count(y), comparisons (chained too), in, not in,
// not, and, or, parentheses. Anything else is for a Python program (checks/program/python_call.h).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/errors/result.h"
#include "text/value.h"

namespace assay {

class PythonCondition {
 public:
  explicit PythonCondition(std::string_view text);
  const std::string& text() const { return text_; }
  // Whether Evaluate can say what the expression is worth.
  bool is_understood() const { return root_ != nullptr; }
  // bool(eval(text)). kInvalidInput where Python raises: an index out of range, a comparison of unlike
  // things; kUnsupported for a name that is not among `names`. Requires is_understood().
  Result<bool> Evaluate(const Map& names) const;
  // Its error, with kLimit where the answer is the cause: it looks at the answer, whose name begins with
  // "response", and is not wrong for all of them.
  Error BlamedOn(Error error) const;

  struct Expression;

 private:
  std::string text_;
  std::shared_ptr<const Expression> root_;  // immutable; null if the text is not understood
};

}  // namespace assay

// Makes the checks of a case: one of each assertion of its test, a set of assertions being one.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "dialects/promptfoo/config.h"
#include "dialects/promptfoo/expand/expand.h"
#include "dialects/promptfoo/lower/graders.h"
#include "dialects/promptfoo/lower/scripts.h"
#include "spec/suite/case.h"
#include "text/nunjucks/nunjucks.h"

namespace assay::promptfoo {

// The kind of these checks: an offered row of checks/table.cc.
inline constexpr std::string_view kAssertionKind = "assertion";

class AssertionMaker {
 public:
  AssertionMaker(const Config& config, const ReadAccess& access, Graders& graders, ScriptCollector& scripts,
                 Nunjucks& templates)
      : config_(config), access_(access), graders_(graders), scripts_(scripts), templates_(templates) {}

  // Check::args is {assertion, graders: [{text, embedding}, one for each leaf: places in Check::judges]}.
  void AddChecks(const Test& test, const Map& variables, Case& the_case);
  // The content of the file that a text names; any other value unchanged.
  Value WithFile(const Value& value, const Map& variables = {});

 private:
  Check CheckOf(const Value& assertion, const Test& test, const Map& variables);
  // Reads the files that values and transforms name.
  Value WithFiles(const Value& assertion, const Map& variables);
  std::optional<Value> FileValueOf(const std::string& named, const Map& variables, Span where);
  Map GraderOf(const Value& leaf, const Test& test, Check& check);
  std::string Rendered(const std::string& text, const Map& variables);
  std::string TextOf(const Value& assertion, const Map& variables);

  const Config& config_;
  const ReadAccess& access_;
  Graders& graders_;
  ScriptCollector& scripts_;
  Nunjucks& templates_;
  std::map<std::string, std::optional<Value>> files_;  // by path
};

}  // namespace assay::promptfoo

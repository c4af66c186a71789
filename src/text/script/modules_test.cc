// Tests of files of JavaScript that import each other.
#include "text/script/modules.h"

#include <doctest/doctest.h>

namespace assay {
namespace {

const Value kText("abc");

TEST_CASE("functions of modules and of CommonJS are called, with what they import") {
  const ScriptFiles files = {
      {"a/check.mjs", "import { words } from '../lib/words.js';\nexport default (o) => words.includes(o);"},
      {"lib/words.js", "export const words = ['abc', 'def'];"},
      {"a/check.cjs",
       "const list = require('../lib/list');\nmodule.exports = (o) => list.length + o.length;"},
      {"lib/list.cjs", "module.exports = [1, 2];"},
      {"named.js", "exports.pass = async (o) => ({ pass: true, reason: o });"},
      {"data.mjs", "import numbers from './n.json';\nexport const sum = () => numbers[0] + numbers[1];"},
      {"n.json", "[3, 4]"}};
  CHECK(CallExport(files, "a/check.mjs", "", {kText}).value.AsBool());
  CHECK(CallExport(files, "a/check.cjs", "", {kText}).value.AsNumber() == 5);
  CHECK(CallExport(files, "named.js", "pass", {kText}).value.TextAt("reason") == "abc");
  CHECK(CallExport(files, "data.mjs", "sum", {}).value.AsNumber() == 7);
}

TEST_CASE("what is not there is named, and nothing outside is reached") {
  const ScriptFiles files = {{"a.js", "const fs = require('fs');\nmodule.exports = () => fs;"},
                             {"b.mjs", "import fs from 'node:fs';\nexport default () => fs;"},
                             {"c.js", "module.exports = 3;"},
                             {"d.mjs", "import x from './../../etc/passwd';\nexport default () => x;"},
                             {"e.js", "module.exports = (o) => { throw new Error('no ' + o); };"},
                             {"f.mjs", "export default () => { for (;;) {} };"}};
  const auto message = [&](std::string_view path, std::string_view function = "") {
    const ScriptOutcome outcome = CallExport(files, path, function, {kText});
    CHECK(outcome.kind != ScriptOutcome::Kind::kValue);
    return outcome.message;
  };
  CHECK(message("a.js") == "\"fs\" is not there: scripts import files beside them, and no packages");
  CHECK(message("b.mjs") == "\"node:fs\" is not there: scripts import files beside them, and no packages");
  CHECK(message("c.js") == "c.js exports no function by default");
  CHECK(message("c.js", "x") == "c.js exports no function x");
  CHECK(message("d.mjs").find("is not there") != std::string::npos);
  CHECK(message("e.js") == "no abc");
  CHECK(CallExport(files, "f.mjs", "", {}, {}, std::chrono::milliseconds(50)).kind ==
        ScriptOutcome::Kind::kLimit);
}

TEST_CASE("the relative files that a source names") {
  CHECK(
      RelativeImports("import a from \"./a.js\"; const b = require( '../b' ); say('./c'); import './d.js'") ==
      std::vector<std::string>{"./a.js", "../b", "./d.js"});
  CHECK(ImportedPath("a/b/c.js", "../x.js") == "a/x.js");
  CHECK(ImportedPath("c.js", "../x.js") == "../x.js");
  CHECK(ImportedPath("a/c.js", "./d/x.js") == "a/d/x.js");
}

}  // namespace
}  // namespace assay

// Reads them in the order of the checks.
#include "dialects/blueprint/lower/program_files.h"

#include <string>
#include <utility>

#include "base/errors/diagnostics.h"
#include "base/text/utf8.h"
#include "spec/suite/check.h"
#include "text/found.h"

namespace assay::blueprint {

namespace {

void InlineFile(std::string_view folder, FileReader& files, std::string_view path_key,
                std::string_view text_key, Map& test) {
  const std::string* path = FindText(test, path_key);
  if (path == nullptr) return;
  const bool is_rooted = path->starts_with('/');
  Result<std::string> text = files.Read(is_rooted ? *path : std::string(folder) + *path);
  if (text && FindInvalidUtf8(*text) != std::string::npos)
    text = Error{ErrorCode::kInvalidInput, Quoted(*path) + " is no text in UTF-8"};
  if (text) {
    test.Set(std::string(text_key), Value(*std::move(text)));
  } else {
    test.Set("problem", Value(std::move(text).error().message));
  }
}

}  // namespace

void InlineProgramFiles(std::string_view folder, FileReader& files, Case& the_case) {
  for (Check& check : the_case.checks) {
    Value* tests =
        check.kind == "unit_test" && check.args.is_map() ? check.args.AsMap().Find("tests") : nullptr;
    if (tests == nullptr || !tests->is_list()) continue;
    check.args.AsMap().Set("total", Value(1.0));  // a criterion gives a share of 1
    tests = check.args.AsMap().Find("tests");
    for (Value& test : tests->AsList()) {
      if (!test.is_map()) continue;
      InlineFile(folder, files, "path", "content", test.AsMap());
      InlineFile(folder, files, "prefix_path", "prefix_text", test.AsMap());
      InlineFile(folder, files, "cleanup_path", "cleanup_text", test.AsMap());
    }
  }
}

}  // namespace assay::blueprint

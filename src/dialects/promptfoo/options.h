// EvalOptions: what the command line and the environment say beside promptfoo's configs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace assay::promptfoo {

using Environment = std::map<std::string, std::string, std::less<>>;

struct EvalOptions {
  // promptfoo's own rules, where ours are safer: which texts are paths, what a pattern without files means.
  bool is_compatible = false;
  Environment environment = {};             // of the process
  std::string folder = {};                  // of paths on the command line: "" or ending in "/"
  std::vector<std::string> env_files = {};  // in place of `.env`
  bool has_environment_files = false;       // the environment has what they say

  std::vector<std::string> prompts = {};    // in place of the config's
  std::vector<std::string> providers = {};  // in place of the config's
  std::string tests = {};                   // in place of the config's; "": none are named
  std::vector<std::pair<std::string, std::string>> variables = {};  // that tests have unless they say another
  std::string grader = {};  // that grades unless a test or an assertion names another; "": the config's
  std::optional<std::string> prefix = {};
  std::optional<std::string> suffix = {};
  std::optional<std::int64_t> repeat = {};
  bool skips_code = false;  // what needs the user's own code is left out

  std::optional<std::size_t> first_tests = {};                         // the first tests alone
  std::optional<std::pair<std::size_t, std::size_t>> test_range = {};  // from the first to before the second
  std::string description_pattern = {};                                // a pattern of JavaScript; "": all
  std::string provider_pattern = {};                                   // of ids and labels
  std::string prompt_pattern = {};                                     // of labels
  std::vector<std::pair<std::string, std::string>> metadata = {};      // that tests must have, all of them

  // Whether a variable of the environment says yes.
  bool IsOn(std::string_view name) const {
    const auto found = environment.find(name);
    return found != environment.end() && (found->second == "true" || found->second == "1" ||
                                          found->second == "yes" || found->second == "on");
  }
};

}  // namespace assay::promptfoo

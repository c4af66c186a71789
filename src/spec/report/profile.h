// Profile: the settings of one run of a research matrix (sources, modes, tools, affixes of the query),
// without the parameters of its model.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// Where the sources of a question come from (Profile::source_provider).
inline constexpr std::string_view kLocalSnapshot = "local_snapshot";
inline constexpr std::string_view kLiveWeb = "live_web";
inline constexpr std::string_view kMockWeb = "mock_web";

struct Profile {
  std::string id = {};               // of the run
  std::string model_alias = {};      // the name by which the system knows its model
  std::string source_provider = {};  // kLocalSnapshot, kLiveWeb or kMockWeb
  bool research_mode = true;
  bool lean = false;
  bool preload_local_sources = true;
  bool preload_shortlist = true;
  bool save_history = false;
  std::vector<std::string> disabled_tools = {};  // ascending, each once
  std::optional<std::string> additional_source_context = {};
  std::optional<std::string> query_prefix = {};
  std::optional<std::string> query_suffix = {};
  friend bool operator==(const Profile&, const Profile&) = default;
};

// The three with a blank line between them; absent ones and an empty query are left out.
std::string WithAffixes(const std::optional<std::string>& prefix, std::string_view query,
                        const std::optional<std::string>& suffix);

}  // namespace assay

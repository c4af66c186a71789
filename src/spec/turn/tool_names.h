// The names of the research agent's tools, for code that reads what suites write about them; the tools
// themselves are in src/agent/tool_table.cc, and a test of that module compares.
#pragma once

#include <string_view>

namespace assay {

inline constexpr std::string_view kAgentToolNames[] = {
    "web_search",       "extract_links",   "get_link_summaries", "get_relevant_content",
    "get_full_content", "get_url_content", "get_url_details",    "save_finding",
    "list_dir",         "grep_search",     "save_memory",        "query_research_memory"};
// Those of the original's that it offers to nobody in an evaluation, and we do not have.
inline constexpr std::string_view kOriginalToolNames[] = {"list_sections", "summarize_section"};

}  // namespace assay

// The table of the research agent's tools: one row each, with the descriptions that models and `assay list
// tools` are given.
#include <algorithm>
#include <array>

#include "agent/tool.h"
#include "text/json/json.h"
#include "text/object.h"

namespace assay {

namespace {

// source: asky 0.4.15, spec research 9.6: names, arguments and when they are offered; the words are ours.
constexpr ToolParameter kWebSearch[] = {
    {.name = "q", .kind = ParameterKind::kText, .about = "What to search for.", .is_required = true},
    {.name = "count", .kind = ParameterKind::kCount, .about = "How many results.", .usual = "5"},
};
constexpr ToolParameter kExtractLinks[] = {
    {.name = "urls", .kind = ParameterKind::kTexts, .about = "The pages.", .is_required = true},
    {.name = "query", .kind = ParameterKind::kText, .about = "What the links should be about."},
    {.name = "max_links", .kind = ParameterKind::kCount, .about = "How many links of a page.", .usual = "30"},
};
constexpr ToolParameter kGetLinkSummaries[] = {
    {.name = "urls", .kind = ParameterKind::kTexts, .about = "The pages.", .is_required = true},
};
constexpr ToolParameter kGetRelevantContent[] = {
    {.name = "urls",
     .kind = ParameterKind::kTexts,
     .about = "Handles of documents (corpus://cache/1) or addresses of pages.",
     .is_required = true},
    {.name = "query",
     .kind = ParameterKind::kText,
     .about = "What the passages should be about.",
     .is_required = true},
    {.name = "max_chunks",
     .kind = ParameterKind::kCount,
     .about = "How many passages of a source.",
     .usual = "5"},
    {.name = "dense_weight",
     .kind = ParameterKind::kNumber,
     .about = "How much meaning counts against words, 0 to 1.",
     .usual = "0.75"},
    {.name = "min_relevance",
     .kind = ParameterKind::kNumber,
     .about = "Passages below are left out, 0 to 1.",
     .usual = "0.15"},
    {.name = "section_id", .kind = ParameterKind::kText, .about = "Only this section of the document."},
    {.name = "section_ref", .kind = ParameterKind::kText, .about = "A section by its full handle."},
};
constexpr ToolParameter kGetFullContent[] = {
    {.name = "urls", .kind = ParameterKind::kTexts, .about = "Handles or addresses.", .is_required = true},
};
constexpr ToolParameter kGetUrlContent[] = {
    {.name = "urls", .kind = ParameterKind::kTexts, .about = "The pages."},
    {.name = "url", .kind = ParameterKind::kText, .about = "One page."},
    {.name = "summarize",
     .kind = ParameterKind::kSwitch,
     .about = "Whether to shorten the text.",
     .usual = "false"},
};
constexpr ToolParameter kGetUrlDetails[] = {
    {.name = "url", .kind = ParameterKind::kText, .about = "The page.", .is_required = true},
};
constexpr ToolParameter kSaveFinding[] = {
    {.name = "finding",
     .kind = ParameterKind::kText,
     .about = "What was found, in one sentence.",
     .is_required = true},
    {.name = "source_url", .kind = ParameterKind::kText, .about = "The handle or address of the source."},
    {.name = "source_title", .kind = ParameterKind::kText, .about = "The title of the source."},
    {.name = "tags", .kind = ParameterKind::kTexts, .about = "Words to find it by."},
};
constexpr ToolParameter kQueryResearchMemory[] = {
    {.name = "query", .kind = ParameterKind::kText, .about = "What to look for.", .is_required = true},
    {.name = "limit", .kind = ParameterKind::kCount, .about = "How many findings.", .usual = "10"},
};
constexpr ToolParameter kListDir[] = {
    {.name = "path", .kind = ParameterKind::kText, .about = "A folder."},
    {.name = "flags", .kind = ParameterKind::kText, .about = "As of ls; they change nothing."},
};
constexpr ToolParameter kGrepSearch[] = {
    {.name = "pattern", .kind = ParameterKind::kText, .about = "A regular expression.", .is_required = true},
    {.name = "path", .kind = ParameterKind::kText, .about = "One document; all of them without it."},
};
constexpr ToolParameter kSaveMemory[] = {
    {.name = "memory", .kind = ParameterKind::kText, .about = "What to remember.", .is_required = true},
    {.name = "tags", .kind = ParameterKind::kTexts, .about = "Words to find it by."},
};

constexpr auto kRows = std::to_array<ToolRow>({
    {.name = "web_search",
     .description = "Searches the web and gives titles, addresses and short excerpts of what it finds.",
     .parameters = kWebSearch,
     .reach = ToolReach::kWeb,
     .in_research = true,
     .in_standard = true,
     .run = RunWebSearch},
    {.name = "extract_links",
     .description = "Lists the links of web pages, those first that have to do with the query.",
     .parameters = kExtractLinks,
     .reach = ToolReach::kLinks,
     .in_research = true,
     .run = RunExtractLinks},
    {.name = "get_link_summaries",
     .description = "Reads web pages and gives a short summary of each.",
     .parameters = kGetLinkSummaries,
     .reach = ToolReach::kLinks,
     .in_research = true,
     .run = RunGetLinkSummaries},
    {.name = "get_relevant_content",
     .description = "Finds the passages of documents or web pages that have to do with a query. An empty "
                    "list of urls means all sources at hand.",
     .parameters = kGetRelevantContent,
     .reach = ToolReach::kCase,
     .in_research = true,
     .run = RunGetRelevantContent},
    {.name = "get_full_content",
     .description =
         "Gives the whole text of documents or web pages. Prefer get_relevant_content for long ones.",
     .parameters = kGetFullContent,
     .reach = ToolReach::kLinks,
     .in_research = true,
     .run = RunGetFullContent},
    {.name = "get_url_content",
     .description = "Reads web pages and gives their text, shortened if asked.",
     .parameters = kGetUrlContent,
     .reach = ToolReach::kWeb,
     .in_standard = true,
     .run = RunGetUrlContent},
    {.name = "get_url_details",
     .description = "Reads one web page and gives its text together with its links.",
     .parameters = kGetUrlDetails,
     .reach = ToolReach::kWeb,
     .in_standard = true,
     .run = RunGetUrlDetails},
    {.name = "save_finding",
     .description = "Keeps a finding with its source for the rest of this question.",
     .parameters = kSaveFinding,
     .in_research = true,
     .run = RunSaveFinding},
    {.name = "query_research_memory",
     .description = "Looks among the findings that were kept for this question.",
     .parameters = kQueryResearchMemory,
     .in_research = true,
     .run = RunQueryResearchMemory},
    {.name = "list_dir",
     .description = "Lists the documents of this question by their names.",
     .parameters = kListDir,
     .in_research = true,
     .in_standard = true,
     .run = RunListDir},
    {.name = "grep_search",
     .description = "Finds the lines of the documents of this question that match a regular expression.",
     .parameters = kGrepSearch,
     .in_research = true,
     .in_standard = true,
     .run = RunGrepSearch},
    {.name = "save_memory",
     .description = "Remembers something about the user until this question is answered.",
     .parameters = kSaveMemory,
     .in_research = true,
     .in_standard = true,
     .run = RunSaveMemory},
});

}  // namespace

namespace {

Value SchemaOf(const ToolParameter& parameter) {
  Map schema;
  switch (parameter.kind) {
    case ParameterKind::kText:
      schema.Append("type", "string");
      break;
    case ParameterKind::kTexts: {
      Extend(schema, {{"type", "array"}, {"items", Object{{"type", "string"}}}});
      break;
    }
    case ParameterKind::kCount:
      schema.Append("type", "integer");
      break;
    case ParameterKind::kNumber:
      schema.Append("type", "number");
      break;
    case ParameterKind::kSwitch:
      schema.Append("type", "boolean");
      break;
  }
  Extend(schema, {{"default",
                   !parameter.usual.empty() ? Value(ParseJson(parameter.usual).value_or(Value())) : Value()},
                  {"description", parameter.about}});
  return schema;
}

}  // namespace

ToolSpec SpecOf(const ToolRow& row) {
  Map properties;
  List required;
  for (const ToolParameter& parameter : row.parameters) {
    properties.Append(std::string(parameter.name), SchemaOf(parameter));
    if (parameter.is_required) required.emplace_back(parameter.name);
  }
  return {.name = std::string(row.name),
          .description = std::string(row.description),
          .parameters = Object{{"type", "object"},
                               {"properties", std::move(properties)},
                               {"required", UnlessEmpty(std::move(required))}}};
}

std::span<const ToolRow> ToolTable() { return kRows; }

}  // namespace assay

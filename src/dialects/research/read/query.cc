// Builds the query text of a test: heading, sources, question.
#include "dialects/research/read/query.h"

#include <fmt/core.h>

#include "base/errors/diagnostics.h"
#include "spec/report/profile.h"

namespace assay::research {

namespace {

constexpr std::string_view kLocalHeading =
    "Use the following local research sources (already pinned snapshots). Treat these as primary references:";
constexpr std::string_view kWebHeading =
    "Start from these canonical web sources and use web tools/search as needed for verification:";

BuiltQuery Assembled(std::string_view heading, const std::vector<std::string>& lines,
                     std::string_view question) {
  BuiltQuery query;
  query.text = heading;
  for (const std::string& line : lines) query.text += "\n- " + line;
  query.text += fmt::format("\n\nQuestion:\n{}", question);
  return query;
}

}  // namespace

Result<BuiltQuery> BuildQuery(std::string_view provider, const std::vector<const Document*>& docs,
                              const std::optional<std::map<std::string, std::string>>& snapshots,
                              std::string_view question) {
  std::vector<std::string> lines;
  std::vector<std::string> sources;
  if (provider == kLiveWeb) {
    for (const Document* document : docs) {
      lines.push_back(fmt::format("{}: {}", document->title, document->url));
      sources.push_back(document->url);
    }
  } else if (provider == kLocalSnapshot) {
    if (!snapshots)
      return Error{ErrorCode::kNotFound, "the documents are not downloaded; `assay prepare` does it"};
    for (const Document* document : docs) {
      const auto path = snapshots->find(document->id);
      if (path == snapshots->end()) {
        return Error{
            ErrorCode::kNotFound,
            fmt::format("document {} is not downloaded; `assay prepare` does it", Quoted(document->id))};
      }
      lines.push_back(fmt::format("{}: \"{}\"", document->title, path->second));
      sources.push_back(path->second);
    }
  } else if (provider == kMockWeb) {
    return Error{ErrorCode::kUnsupported,
                 "mock_web needs a web from a file: write `mock_web_fixtures = \"FILE\"` in the "
                 "run, or give --mock-web FILE"};
  } else {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("the source provider {} reads no sources; use local_snapshot or live_web",
                             Quoted(provider))};
  }
  BuiltQuery query = Assembled(provider == kLiveWeb ? kWebHeading : kLocalHeading, lines, question);
  query.sources = std::move(sources);
  return query;
}

}  // namespace assay::research

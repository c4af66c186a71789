// EndpointRow: a path of the API, by a pattern and the function that makes its body. One file each in
// endpoints/, one row each in table.cc (docs/formats/view.md).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/errors/result.h"
#include "text/value.h"
#include "view/library.h"

namespace assay {

// The largest whole number that a page writes exactly: places may be added to it without an overflow.
inline constexpr std::uint64_t kAskedNumberMax = (1ull << 53) - 1;

// What was asked, without the part before "/api/1/".
struct Asked {
  std::vector<std::string> names;  // the words in the places of `*`, decoded
  std::vector<std::pair<std::string, std::string>> parameters;
  std::string last_event = {};  // of a stream that is taken up again

  std::optional<std::string> Parameter(std::string_view name) const;  // the first of the name
  std::vector<std::string> Parameters(std::string_view name) const;
  // kInvalidInput: no whole number, or one above kAskedNumberMax.
  Result<std::uint64_t> Number(std::string_view name, std::uint64_t otherwise) const;
};

struct Made {
  std::string type = "application/json";
  std::string body = {};
  std::function<std::optional<std::string>()> next = {};  // of a stream
};
Made MadeOf(const Value& value);
Made MadeOfBytes(std::string bytes);

struct EndpointRow {
  std::string_view pattern;  // words between "/"; "*" is any word
  // One of the two; of_run is handed the run that the first name is of.
  Result<Made> (*make)(Library& library, const Asked& asked) = nullptr;
  Result<Made> (*of_run)(Library& library, OpenedRun& run, const Asked& asked) = nullptr;
  bool has_tag = true;  // of_run: the same bytes as long as the run's tag is the same
};
std::span<const EndpointRow> EndpointTable();

// The row of a path, and what it names; null: there is none.
struct Routed {
  const EndpointRow* row = nullptr;
  Asked asked;
};
Routed Route(std::string_view path_and_query);

// The words of the path percent-decoded; nothing: they are no text.
std::optional<std::string> DecodedWord(std::string_view text);

// By its id. kNotFound.
Result<CaseIndex> CaseOf(const Suite& suite, std::string_view id);
Result<VariantIndex> VariantOf(const Suite& suite, std::string_view name);

Result<Made> MakeRuns(Library& library, const Asked& asked);
Result<Made> MakeRun(Library& library, OpenedRun& run, const Asked& asked);
Result<Made> MakeCells(Library& library, OpenedRun& run, const Asked& asked);
Result<Made> MakeRows(Library& library, OpenedRun& run, const Asked& asked);
Result<Made> MakeFind(Library& library, OpenedRun& run, const Asked& asked);
Result<Made> MakeCase(Library& library, OpenedRun& run, const Asked& asked);
Result<Made> MakeText(Library& library, const Asked& asked);
Result<Made> MakeCompare(Library& library, const Asked& asked);
Result<Made> MakeJudges(Library& library, OpenedRun& run, const Asked& asked);
Result<Made> MakeCost(Library& library, OpenedRun& run, const Asked& asked);
Result<Made> MakeBoard(Library& library, const Asked& asked);
Result<Made> MakeDocument(Library& library, OpenedRun& run, const Asked& asked);
Result<Made> MakeEvents(Library& library, const Asked& asked);

}  // namespace assay

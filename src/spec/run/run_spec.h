// What shapes a run: whom it asks, of which cases, where answers come from, how it is graded and what is
// told of it. Stored with the run, which is found again by it; what the run may touch and spend, where its
// files go and what a terminal shows are no part of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors/result.h"
#include "spec/ids.h"
#include "spec/suite/suite_rules.h"
#include "text/value.h"

namespace assay {

// "weval"; "" of kNone.
std::string_view CompatName(Compat tool);
std::optional<Compat> FindCompat(std::string_view name);  // of no empty name

// Options that only one dialect knows, by their names without dashes ("mock-web"), as they were written; the
// dialect has checked them.
struct OwnOptions {
  std::map<std::string, std::vector<std::string>, std::less<>> values;

  bool Has(std::string_view name) const { return values.contains(name); }
  // What was written last; "": nothing.
  std::string Text(std::string_view name) const;
  std::vector<std::string> Texts(std::string_view name) const;
  friend bool operator==(const OwnOptions&, const OwnOptions&) = default;
};

struct RunSpec {
  std::string file;                 // the suite, as the user named it
  std::vector<std::string> models;  // in place of the suite's own, if there are any
  std::vector<std::string> judges;  // likewise
  std::string filter;               // a glob over ids of cases; "" keeps all
  std::optional<std::size_t> limit;
  std::vector<std::string> selected;  // cases by the names that the suite gives them; empty: all
  std::optional<AttemptIndex> attempts;
  std::optional<std::int64_t> max_tokens;  // of every answer
  bool accept_partial = false;
  bool strict_programs = false;
  bool no_memo = false;
  Compat compat = Compat::kNone;
  std::string run_label;
  bool json_judges = false;
  std::optional<std::uint32_t> votes;  // of each judge on each point
  bool require_summary = false;
  bool skip_summary = false;
  std::vector<std::string> responses;  // sets of recorded answers, a variant or more each
  std::string fixtures;
  bool fixtures_strict = false;
  std::string replay;                   // "none": not even the recording beside the suite
  std::vector<std::string> base_urls;   // PROVIDER=URL
  std::optional<double> pass_at;        // the least score that passes; absent: the dialect's
  bool pass_at_is_setting = false;      // a file of settings says it, and a suite may say another
  std::optional<double> pass_attempts;  // the least share of a case's attempts that pass; absent: PassRule's
  std::vector<AttemptIndex> pass_at_k;  // numbers of tries to tell of, each once; empty: the suite's own
  bool artefacts = false;               // one small file for each pair and part as well
  // The questions that end the run once they are decided (spec/run/until.h), as they were written; empty: it
  // asks every case.
  std::vector<std::string> until;
  std::optional<double> within;             // points: variants that differ by less are settled
  std::string promise;                      // "world"; "": the suite
  std::string order_seed;                   // of the order in which such a run asks; "": 0
  std::optional<std::uint64_t> look_every;  // so many clusters of cases; absent: as many as is usual
  // The gates that may end the run early, as words of a command line ("--fail-under=0.8"); empty: none may.
  std::vector<std::string> gates;
  std::string gates_digest;  // of what they test, with the scores of their bases; "": there are none
  OwnOptions own;            // of its dialect

  friend bool operator==(const RunSpec&, const RunSpec&) = default;
};

// As JSON, in a fixed order, without what has its default; names, passwords and keys of addresses are
// digests. Equal specs have equal texts.
std::string EncodeRunSpec(const RunSpec& spec);
// The same as a value, for people's JSON.
Value RunSpecValue(const RunSpec& spec);
// Members that it does not know are left out; "" is a spec of defaults, as of runs that were imported.
// kCorrupt: no such text, or a value that no option takes.
Result<RunSpec> DecodeRunSpec(std::string_view text);

}  // namespace assay

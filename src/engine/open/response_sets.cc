// Appends the variants of each set and joins their recordings into one.
#include "engine/open/response_sets.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/hash.h"
#include "spec/suite/suite.h"

namespace assay {

namespace {

constexpr std::size_t kJoinedHexDigits = 12;

}  // namespace

void ResponseSets::Add(const Suite& suite, Recording recording, Diagnostics& diagnostics) {
  Set set{.recording = std::move(recording), .first = static_cast<VariantIndex>(variants_.size())};
  for (const Variant& variant : suite.variants) {
    const bool is_known = std::any_of(variants_.begin(), variants_.end(),
                                      [&variant](const Variant& known) { return known.id == variant.id; });
    if (is_known) {
      diagnostics.Error("recording.same-name",
                        fmt::format("{}: another set of answers is called {} as well", set.recording.path,
                                    Quoted(variant.id)),
                        Span{}, "rename the file or the folder: its name is the variant's");
    }
    variants_.push_back(variant);
  }
  set.end = static_cast<VariantIndex>(variants_.size());
  for (CaseIndex i = 0; i < suite.cases.size(); ++i) {
    const Case& the_case = suite.cases[i];
    Held held{.attempts = the_case.attempts.value_or(suite.attempts), .variants = {}};
    for (VariantIndex v = set.first; v < set.end; ++v) {
      const bool is_asked = the_case.variants->empty() ||
                            std::find(the_case.variants->begin(), the_case.variants->end(), v - set.first) !=
                                the_case.variants->end();
      if (is_asked) held.variants.push_back(v);
    }
    of_case_[i].push_back(std::move(held));
  }
  sets_.push_back(std::move(set));
}

Recording ResponseSets::Join(Suite& suite, Diagnostics& diagnostics) && {
  std::size_t cut = 0;
  suite.attempts = 1;
  for (CaseIndex i = 0; i < suite.cases.size(); ++i) {
    Case& the_case = suite.cases[i];
    AttemptIndex least = 0;
    AttemptIndex most = 0;
    std::vector<VariantIndex> asked;
    for (const Held& held : of_case_[i]) {
      if (held.attempts == 0) continue;
      least = least == 0 ? held.attempts : std::min(least, held.attempts);
      most = std::max(most, held.attempts);
      asked.insert(asked.end(), held.variants.begin(), held.variants.end());
    }
    cut += least < most ? 1 : 0;
    the_case.attempts = least;
    the_case.variants = asked.size() == variants_.size() ? std::vector<VariantIndex>() : std::move(asked);
    suite.attempts = std::max(suite.attempts, least);
  }
  if (cut > 0) {
    diagnostics.Warning(
        "recording.attempts",
        fmt::format("the sets differ in how many answers they have to {} of the {} cases: as many "
                    "are graded of each as the shortest has",
                    cut, suite.cases.size()),
        suite.span, "a set that is graded alone is graded whole");
  }
  suite.variants = std::move(variants_);
  if (sets_.size() == 1) return std::move(sets_.front().recording);
  Recording joined;
  Sha256 sources;
  for (const Set& set : sets_) {
    sources.Update(set.recording.source + "\n");
    joined.path += (joined.path.empty() ? "" : ", ") + set.recording.path;
  }
  joined.source = "responses:" + HexPrefix(sources.Finish(), kJoinedHexDigits);
  joined.strict = true;
  joined.only = sets_.front().recording.only;
  const auto sets = std::make_shared<const std::vector<Set>>(std::move(sets_));
  joined.find = [sets](const Suite& asked, const ModelRequest& request,
                       const RequestTag& tag) -> std::optional<ModelReply> {
    for (const Set& set : *sets) {
      if (tag.variant < set.first || tag.variant >= set.end) continue;
      RequestTag own = tag;
      own.variant = tag.variant - set.first;
      return set.recording.find(asked, request, own);
    }
    return std::nullopt;
  };
  joined.find_failure = [sets](const ModelRequest& request) -> std::optional<Error> {
    for (const Set& set : *sets) {
      if (!set.recording.find_failure) continue;
      if (std::optional<Error> failure = set.recording.find_failure(request)) return failure;
    }
    return std::nullopt;
  };
  return joined;
}

}  // namespace assay

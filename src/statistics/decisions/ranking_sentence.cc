// Words what a ranking shows, in one sentence with at most two names.
#include <fmt/core.h>

#include <algorithm>

#include "statistics/decisions/power.h"
#include "statistics/decisions/sentence_parts.h"
#include "statistics/decisions/sentences.h"

namespace assay {

namespace {

using Place = std::size_t;  // index into Ranking::places

// The places that the sentence is about, those that nobody is shown better than before the others.
struct Parts {
  std::vector<Place> top;
  std::vector<Place> rest;
  std::vector<Place> unable;  // too few cases for a rank; named at the end
};

Parts PartsOf(const Ranking& ranking) {
  Parts parts;
  const bool some_can = std::any_of(ranking.places.begin(), ranking.places.end(),
                                    [](const RankPlace& place) { return place.can_rank; });
  for (Place i = 0; i < ranking.places.size(); ++i) {
    const RankPlace& place = ranking.places[i];
    std::vector<Place>& part = some_can && !place.can_rank ? parts.unable
                               : place.rank == 1           ? parts.top
                                                           : parts.rest;
    part.push_back(i);
  }
  return parts;
}

// A ranking of three and more, and how it is worded.
struct Wording {
  std::span<const std::string> names;
  const Ranking& ranking;
  Parts parts = PartsOf(ranking);

  const std::string& Name(Place place) const { return names[ranking.places[place].variant]; }
  std::size_t count() const { return ranking.places.size(); }
  std::size_t among() const { return std::max(ranking.among, count()); }

  bool IsShownBetter(Place above, Place below) const {
    return above < below ? ranking.Test(above, below).verdict == Verdict::kLeads
                         : ranking.Test(below, above).verdict == Verdict::kTrails;
  }
  const PairedEstimate& Pair(Place one, Place other) const {
    return ranking.Test(std::min(one, other), std::max(one, other)).paired;
  }

  // What it would take to show a difference that is not shown.
  std::string Settle(const PairedEstimate& pair) const {
    if (IsShownAlone(pair)) return NotAmongText(among());
    const std::optional<std::string> more = MoreCasesText(MoreCasesNeeded(pair, among()), pair.cases);
    return more ? "; to show a difference of this size takes about " + *more : std::string();
  }

  // ": A − P, highest and lowest, is 50 points (95 %: −10 to 85) on 4 cases" of the first and the last; "" if
  // they share no case.
  std::string Extremes(Place first, Place last, bool settles) const {
    const PairedEstimate& pair = Pair(first, last);
    if (pair.cases == 0) return {};
    const std::string lowest = Name(last) + ", highest and lowest,";
    return ": " + DifferenceText(Name(first), lowest, pair) + (settles ? Settle(pair) : std::string());
  }
};

// No data of such a design could show anything.
std::string CannotRankText(const Wording& wording) {
  std::uint64_t most = 0;
  bool has_clusters = false;
  for (const RankTest& test : wording.ranking.tests) {
    most = std::max<std::uint64_t>(most, test.paired.clusters);
    has_clusters = has_clusters || test.paired.clusters < test.paired.cases;
  }
  return fmt::format("{} cannot rank {} variants; {} could{}",
                     CountedText(most, has_clusters ? "cluster" : "case"), wording.count(),
                     *wording.ranking.fewest(), wording.Extremes(0, wording.count() - 1, false));
}

std::string NothingShownText(const Wording& wording) {
  const std::vector<Place>& top = wording.parts.top;
  const std::string extremes = top.size() > 1 ? wording.Extremes(top.front(), top.back(), true) : "";
  return fmt::format("No difference between {} variants is shown{}", wording.count(), extremes);
}

// "the other", "the 4 others"
std::string TheOthers(std::size_t count) {
  return count == 1 ? "the other" : fmt::format("the {} others", count);
}
// "the other is", "4 others are"
std::string OthersAre(std::size_t count) {
  return count == 1 ? "the other is" : fmt::format("{} others are", count);
}

// The first of those that are shown to be worse than `first` in particular.
std::optional<Place> NextOf(const Wording& wording, Place first) {
  for (const Place place : wording.parts.rest) {
    if (wording.IsShownBetter(first, place)) return place;
  }
  return std::nullopt;
}

std::string OneLeadsText(const Wording& wording, Place first) {
  const std::vector<Place>& rest = wording.parts.rest;
  const std::optional<Place> next = NextOf(wording, first);
  const std::string by =
      next ? fmt::format("{}, by {}", wording.Name(*next), LeadText(wording.Pair(first, *next))) : "";
  const std::string& name = wording.Name(first);
  if (std::all_of(rest.begin(), rest.end(), [&](Place place) { return wording.IsShownBetter(first, place); }))
    return fmt::format("{} leads {}", name, TheOthers(rest.size())) + (next ? "; the next, " + by : "");
  return fmt::format("{} is first; each of {} is shown to be worse than another", name,
                     TheOthers(rest.size())) +
         (next ? fmt::format("; {} leads the next, {}", name, by) : "");
}

std::string TwoFirstText(const Wording& wording, Place first, Place second) {
  const PairedEstimate& pair = wording.Pair(first, second);
  const std::string& a = wording.Name(first);
  const std::string& b = wording.Name(second);
  const std::string difference =
      pair.cases == 0 ? "" : ": " + DifferenceText(a, b, pair) + wording.Settle(pair);
  return fmt::format("{} and {} are not shown to differ{}; {} shown to be worse", a, b, difference,
                     OthersAre(wording.parts.rest.size()));
}

std::string SeveralFirstText(const Wording& wording, Place first) {
  const Parts& parts = wording.parts;
  const std::string& name = wording.Name(first);
  std::string text = fmt::format("{} and {} others are not shown to differ; {} shown to be worse", name,
                                 parts.top.size() - 1, OthersAre(parts.rest.size()));
  const std::optional<Place> next = NextOf(wording, first);
  if (!next) return text;
  const std::string lead = LeadText(wording.Pair(first, *next));
  return text + (parts.rest.size() == 1
                     ? fmt::format("; {} leads it by {}", name, lead)
                     : fmt::format("; {} leads the next, {}, by {}", name, wording.Name(*next), lead));
}

std::string UnableText(const Wording& wording) {
  const std::vector<Place>& unable = wording.parts.unable;
  if (unable.empty()) return {};
  if (unable.size() == 1)
    return fmt::format("; {} has too few cases for a rank", wording.Name(unable.front()));
  return fmt::format("; {} have too few cases for a rank", unable.size());
}

// Three and more variants with a score.
std::string ManyText(const Wording& wording) {
  const Ranking& ranking = wording.ranking;
  const bool is_shown = std::any_of(ranking.tests.begin(), ranking.tests.end(), [](const RankTest& test) {
    return test.verdict == Verdict::kLeads || test.verdict == Verdict::kTrails;
  });
  const std::vector<Place>& top = wording.parts.top;
  if (!is_shown && !ranking.places[(top.empty() ? wording.parts.rest : top).front()].can_rank)
    return CannotRankText(wording);
  if (!is_shown) return NothingShownText(wording);
  if (top.empty()) {
    return fmt::format("Each of {} variants is shown to be worse than another: they have different cases",
                       wording.parts.rest.size());
  }
  if (top.size() == 1) return OneLeadsText(wording, top.front());
  if (top.size() == 2) return TwoFirstText(wording, top[0], top[1]);
  return SeveralFirstText(wording, top.front());
}

}  // namespace

std::string RankText(const RankPlace& place) {
  if (!place.can_rank) return "–";
  return place.rank == place.rank_last ? fmt::format("{}", place.rank)
                                       : fmt::format("{}–{}", place.rank, place.rank_last);
}

std::string RankingSentence(std::span<const std::string> names, const Ranking& ranking) {
  if (ranking.places.empty()) return "No variant has a score.";
  const RankPlace& first = ranking.places.front();
  if (ranking.places.size() == 1) return MeanSentence(names[first.variant], first.estimate);
  if (ranking.places.size() == 2) {
    const RankTest& test = ranking.tests.front();
    return PairedSentence(names[test.a], names[test.b], test.paired, test.p_corrected.value_or(1),
                          std::max<std::size_t>(ranking.among, 2));
  }
  const Wording wording{.names = names, .ranking = ranking};
  return ManyText(wording) + UnableText(wording) + ".";
}

}  // namespace assay

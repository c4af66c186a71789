"""Whether the sentences that the program prints agree with the other numbers of the same output.

A Checker collects what does not, in words; outputs_agree.py hands it every output of a suite. The rules are those of
docs/statistics.md, computed here once more and not taken from the program."""
import math

import student
from sentence_meanings import Unknown, read, sentences_of, without_remarks

LEVEL = 0.05
RULE_OF_20 = 20  # more cases than so many times what there are is no advice
CLUSTERS_MAX = 1_000_000


def fewest_clusters(variants):
    """The smallest number of clusters with which a sign test, corrected for the others, reaches the level."""
    clusters = 1
    while (variants - 1) * 2.0 ** (1 - clusters) > LEVEL:
        clusters += 1
    return clusters


def power_factor(df, variants=2):
    return student.quantile(1 - LEVEL / 2 / (variants - 1), df) + student.quantile(0.8, df)


def clusters_needed(spread, difference, variants):
    """The smallest number of clusters that sees the difference; None above a million."""
    def sees(clusters):
        return power_factor(clusters - 1, variants) * spread / math.sqrt(clusters) <= difference
    low = high = fewest_clusters(variants)
    while not sees(high):
        low, high = high, 2 * high
        if low > CLUSTERS_MAX:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if sees(middle) else (middle, high)
    return high if high <= CLUSTERS_MAX else None


def two_digits(count):
    unit = 1
    while count > 99 * unit:
        unit *= 10
    return (count + unit - 1) // unit * unit


def is_printed_as(text_value, score):
    """Whether a printed number of points is this score. Both ways to print it are taken: whole, and with a decimal."""
    if text_value is None or score is None:
        return text_value is None and score is None
    room = 0.05 if text_value != round(text_value) else 0.5
    return abs(text_value - 100 * score) <= room + 1e-6


def turned(pair):
    """The same pair as b − a."""
    if pair is None:
        return None
    interval = pair.get("interval")
    return {**pair, "difference": None if pair["difference"] is None else -pair["difference"],
            "interval": None if interval is None else [-interval[1], -interval[0]],
            "wins": pair.get("losses"), "losses": pair.get("wins")}


def is_noise(difference):
    """Scores lie between 0 and 1; what is below the rounding of their sums is no difference."""
    return abs(difference) <= 1e-12


def excludes_zero(pair):
    interval = pair["interval"]
    if interval is None:
        return pair.get("why") == "no_spread" and bool(pair["difference"])
    return interval[0] > 0 or interval[1] < 0


class Ranking:
    """What `show --json` says of variants or of models, by the names that sentences use."""

    def __init__(self, places, names, fewest, pairs):
        self.places, self.fewest, self.pairs = places, fewest, pairs
        self.key = "model" if places and "model" in places[0] else "variant"
        self.names = [names[place[self.key]] for place in places]
        some_can = any(place["can_rank"] for place in places)
        self.known = [i for i, place in enumerate(places) if place["can_rank"] or not some_can]
        self.unable = [i for i in range(len(places)) if i not in self.known]
        self.top = [i for i in self.known if places[i]["rank"] == 1]
        self.rest = [i for i in self.known if places[i]["rank"] > 1]

    def __len__(self):
        return len(self.places)

    def at(self, name):
        return self.names.index(name) if name in self.names else None

    def pair(self, a, b):
        """a − b of two places: what the ranking says of its first, else what `compare` says of the two."""
        found = self.pairs.get((self.places[a][self.key], self.places[b][self.key])) if self.key == "variant" else None
        back = self.pairs.get((self.places[b][self.key], self.places[a][self.key])) if self.key == "variant" else None
        pair = found or turned(back) or {}
        if a == 0 or b == 0:
            own = self.places[max(a, b)]["to_leader"]
            pair = {**pair, **(own if b == 0 else turned(own))} if own else pair
            if "wins" not in pair or pair["wins"] is None:
                pair = {key: value for key, value in pair.items() if key not in ("wins", "losses")}
        return pair or None


class Checker:
    def __init__(self, outputs):
        self.outputs = outputs
        self.found = []

    def expect(self, condition, where, message):
        if not condition:
            self.found.append(f"{where}: {message}")

    # Parts that several sentences have.

    def span(self, said, pair, where):
        """Points, limits and cases of a difference."""
        self.expect(is_printed_as(said.points, pair["difference"]), where,
                    f"{said.points} points are {pair['difference']} elsewhere")
        interval = pair["interval"] or [None, None]
        self.expect(is_printed_as(said.low, interval[0]) and is_printed_as(said.high, interval[1]), where,
                    f"the limits {said.low} to {said.high} are {pair['interval']} elsewhere")
        if said.none:
            self.expect((said.none == "no interval") == (pair.get("why") != "no_spread"), where,
                        f"“{said.none}”, but it is {pair.get('why')}")
        self.expect(said.cases == pair["cases"], where, f"{said.cases} cases are {pair['cases']} elsewhere")

    def lead(self, said, pair, where, p=None):
        """That one is better is shown: by the interval and by p."""
        self.span(said, pair, where)
        p = pair.get("p_corrected", pair.get("p")) if p is None else p
        self.expect(pair["difference"] is not None and pair["difference"] > 0, where, "a lead of nothing, or a deficit")
        self.expect(excludes_zero(pair), where, f"a lead, but the interval {pair['interval']} holds 0")
        self.expect(p is not None and p <= LEVEL, where, f"a lead, but p is {p}")
        self.expect(pair.get("is_worse", True), where, "a lead, but it is not shown to be worse")
        self.expect(pair["cases"] >= fewest_clusters(2), where, f"a lead on {pair['cases']} cases")

    def spread(self, pair):
        """The spread of the differences and their number, where no cluster joins cases."""
        if self.outputs.get("has_clusters", True) or not pair.get("se"):
            return None, None
        return pair["se"] * math.sqrt(pair["cases"]), pair["cases"]

    def more_needed(self, pair, variants):
        """How many more cases would show the difference; None: more than a million, or not known here."""
        spread, clusters = self.spread(pair)
        if spread is None or not pair["difference"]:
            return None
        needed = clusters_needed(spread, abs(pair["difference"]), variants)
        return None if needed is None else max(0, needed - clusters)

    def settle(self, said, pair, variants, where):
        """What is said of a difference that is not shown."""
        alone = excludes_zero(pair) and pair.get("p") is not None and pair["p"] <= LEVEL
        if said.among is not None:
            self.expect(said.among == variants, where, f"among {said.among} of {variants}")
            self.expect(alone, where, f"enough between two alone, but p is {pair.get('p')} and the interval "
                                      f"{pair['interval']}")
        elif "p" in pair:
            self.expect(not alone, where, "two alone are shown to differ, and nothing says that it is the number of "
                                          "variants")
        if said.more is not None:
            more = self.more_needed(pair, variants)
            self.expect(more is None or two_digits(more) == said.more, where, f"{said.more} more cases, not {more}")

    def means(self, ranking, a, b, pair, where):
        """Where no case is left out a difference is that of the means."""
        places = ranking.places
        whole = all(places[i]["cases"] == pair["cases"] and places[i]["cases_left_out"] == 0 for i in (a, b))
        if whole and pair["difference"] is not None:
            self.expect(abs(places[a]["mean"] - places[b]["mean"] - pair["difference"]) < 1e-9, where,
                        f"the means of {ranking.names[a]} and {ranking.names[b]} differ by another number")

    # Verdicts of rankings.

    def verdict(self, ranking, said, where):
        self.unable_part(ranking, said, where)
        if said.variants is not None:
            self.expect(said.variants == len(ranking), where, f"{said.variants} variants of {len(ranking)}")
        checks = {"leads the others": self.leads_the_others, "is first": self.is_first,
                  "two are first": self.two_are_first, "several are first": self.several_are_first,
                  "nothing is shown": self.nothing_is_shown, "cannot rank": self.cannot_rank,
                  "each is worse than another": self.each_is_worse, "scores": self.scores}
        if said.kind in checks:
            self.expect(len(ranking) > 2 or said.kind == "scores" and len(ranking) == 1, where,
                        f"“{said.kind}” of {len(ranking)} with a score")
            checks[said.kind](ranking, said, where)
        elif said.kind == "nobody has a score":
            self.expect(len(ranking) == 0, where, f"no score, but {len(ranking)} variants have one")
        else:
            self.expect(len(ranking) == 2, where, f"a sentence on two of {len(ranking)}")
            if len(ranking) == 2:
                self.pair_sentence(said, ranking.names[0], ranking.names[1], ranking.pair(0, 1), 2, where)

    def unable_part(self, ranking, said, where):
        unable = ranking.unable
        want = None if not unable or len(ranking) < 3 else (
            ranking.names[unable[0]] if len(unable) == 1 else str(len(unable)))
        self.expect(said.unable == want, where, f"too few cases for a rank: {said.unable}, not {want}")

    def is_alone_first(self, ranking, said, where):
        self.expect([ranking.names[i] for i in ranking.top] == [said.first], where,
                    f"{said.first} alone is first, but rank 1 have {[ranking.names[i] for i in ranking.top]}")
        self.expect(said.others == len(ranking.rest), where,
                    f"{said.others} others, but {len(ranking.rest)} are shown to be worse")

    def next_part(self, ranking, said, where):
        """`first` leads the next of the list that it is shown better than, by what is known of the two."""
        if said.points is None:
            return
        first = ranking.at(said.first)
        next_name = said.next or (ranking.names[ranking.rest[0]] if len(ranking.rest) == 1 else None)
        at = None if next_name is None else ranking.at(next_name)
        self.expect(first is not None and at in ranking.rest, where, f"the next, {next_name}, is not shown to be worse")
        if first is None or at is None:
            return
        pair = ranking.pair(first, at)
        if pair is None:
            return
        self.lead(said, pair, where)
        self.means(ranking, first, at, pair, where)
        for i in ranking.rest[:ranking.rest.index(at)] if at in ranking.rest else []:
            better = ranking.places[i]["to_leader"] if first == 0 else None
            self.expect(better is None or not better["is_worse"], where,
                        f"{ranking.names[i]} is the next, not {next_name}")

    def leads_the_others(self, ranking, said, where):
        self.is_alone_first(ranking, said, where)
        if ranking.at(said.first) == 0:
            behind = [ranking.names[i] for i in ranking.rest if not ranking.places[i]["to_leader"]["is_worse"]]
            self.expect(not behind, where, f"{said.first} leads all others, but is not shown better than {behind}")
        self.next_part(ranking, said, where)

    def is_first(self, ranking, said, where):
        self.is_alone_first(ranking, said, where)
        if ranking.at(said.first) == 0:
            self.expect(not all(ranking.places[i]["to_leader"]["is_worse"] for i in ranking.rest), where,
                        f"{said.first} leads all others, which it does not say")
        self.next_part(ranking, said, where)

    def two_are_first(self, ranking, said, where):
        first = [ranking.names[i] for i in ranking.top]
        self.expect(first == [said.first, said.second], where,
                    f"{said.first} and {said.second} are first, but rank 1 have {first}")
        self.expect(said.worse == len(ranking.rest), where,
                    f"{said.worse} are shown to be worse, but {len(ranking.rest)} have a rank below 1")
        self.difference_part(ranking, said, said.a, said.b, where)

    def several_are_first(self, ranking, said, where):
        self.expect(ranking.at(said.first) is not None and ranking.at(said.first) == ranking.top[0], where,
                    f"{said.first} is not the first")
        self.expect(said.others + 1 == len(ranking.top), where,
                    f"{said.others} others are not shown to differ, but {len(ranking.top)} have rank 1")
        self.expect(said.worse == len(ranking.rest), where,
                    f"{said.worse} are shown to be worse, but {len(ranking.rest)} have a rank below 1")
        self.next_part(ranking, said, where)

    def difference_part(self, ranking, said, a, b, where):
        if said.points is None:
            return
        places = ranking.at(a), ranking.at(b)
        self.expect(None not in places, where, f"{a} and {b} are not both in the ranking")
        pair = None if None in places else ranking.pair(*places)
        if pair is None:
            return
        self.span(said, pair, where)
        self.means(ranking, *places, pair, where)
        self.expect(not pair.get("is_worse"), where, "not shown to differ, but shown to be worse")
        if said.kind != "cannot rank":  # no data could show anything, so that nothing is advised
            self.settle(said, pair, len(ranking), where)

    def nothing_is_shown(self, ranking, said, where):
        worse = [ranking.names[i] for i, place in enumerate(ranking.places)
                 if place["rank"] > 1 or place["rank_last"] < len(ranking)]
        self.expect(not worse, where, f"no difference is shown, but the ranks of {worse} say more")
        self.expect(any(place["can_rank"] for place in ranking.places), where, "nobody can be ranked")
        self.extremes(ranking, said, where)

    def extremes(self, ranking, said, where):
        if said.points is None:
            return
        ends = [ranking.names[i] for i in (ranking.known[0], ranking.known[-1])]
        self.expect([said.first, said.last] == ends, where, f"highest and lowest are {ends}")
        self.difference_part(ranking, said, said.first, said.last, where)

    def cannot_rank(self, ranking, said, where):
        self.expect(not any(place["can_rank"] for place in ranking.places), where, "some can be ranked")
        self.expect(said.fewest == fewest_clusters(len(ranking)), where,
                    f"{said.fewest} could, but it takes {fewest_clusters(len(ranking))}")
        self.expect(said.clusters < said.fewest, where, f"{said.clusters} are not fewer than {said.fewest}")
        self.extremes(ranking, said, where)

    def each_is_worse(self, ranking, said, where):
        self.expect(not ranking.top, where, "some have rank 1")

    def scores(self, ranking, said, where):
        place = ranking.places[0]
        interval = place["interval"] or [None, None]
        self.expect(is_printed_as(said.points, place["mean"]), where, f"{said.points} is {place['mean']} elsewhere")
        self.expect(is_printed_as(said.low, interval[0]) and is_printed_as(said.high, interval[1]), where,
                    f"the limits {said.low} to {said.high} are {place['interval']} elsewhere")
        self.expect(said.cases == place["cases"], where, f"{said.cases} cases are {place['cases']} elsewhere")

    # Sentences on two.

    def pair_sentence(self, said, a, b, pair, variants, where):
        """`pair` is a − b, and its p counts: corrected where several are compared."""
        if pair is None:
            return
        p = pair.get("p_corrected", pair.get("p"))
        if said.kind == "no case in common":
            self.expect(pair["cases"] == 0, where, f"they have {pair['cases']} cases in common")
        elif said.kind == "a leads b":
            self.expect({said.first, said.second} == {a, b}, where, f"the sentence is not on {a} and {b}")
            self.lead(said, pair if said.first == a else turned(pair), where)
        else:
            self.expect((said.first, said.second, said.a, said.b) == (a, b, a, b), where,
                        f"the sentence is not on {a} and {b}")
            self.span(said, pair, where)
            self.expect(not (excludes_zero(pair) and p is not None and p <= LEVEL), where,
                        f"not shown to differ, but p is {p} and the interval {pair['interval']}")
            self.reason(said, pair, variants, where)

    def reason(self, said, pair, variants, where):
        changed = pair["wins"] + pair["losses"] if pair.get("wins") is not None else None
        if said.reason == "; their means are equal":
            self.expect(is_noise(pair["difference"]), where, f"equal means differ by {pair['difference']}")
        elif said.fewest is not None:
            self.expect(said.fewest == fewest_clusters(2), where, f"at least {fewest_clusters(2)}, not {said.fewest}")
            self.expect(said.noun == "clusters" or pair["cases"] < said.fewest, where,
                        f"fewer than {said.fewest} cases, but they are {pair['cases']}")
        elif said.changed is not None:
            self.expect(excludes_zero(pair), where, "too few changed, but the interval holds 0")
            self.expect(changed in (None, said.changed), where, f"{said.changed} changed, but {changed} did")
        elif said.differ is not None:
            self.expect(changed in (None, said.differ), where, f"they differ on {said.differ}, but on {changed}")
        elif said.among is not None:
            self.settle(said, pair, variants, where) if "p_corrected" in pair else None
            self.expect(said.among == variants, where, f"among {said.among} of {variants}")
            self.expect(excludes_zero(pair) and variants > 2, where, "two alone are shown to differ, but not here")
        elif said.reason:
            more, cases = self.more_needed(pair, 2), pair["cases"]
            spread, _ = self.spread(pair)
            if said.more is not None:
                self.expect(spread is None or more is not None and two_digits(more) == said.more, where,
                            f"{said.more} more cases, not {more}")
            else:
                self.expect(more is None or more > RULE_OF_20 * cases, where, f"20 times as many, but {more} would do")
        if not (said.reason or "").startswith(("; their", "; fewer")):
            self.expect(not is_noise(pair["difference"]), where, "their means are equal, which it does not say")
        if excludes_zero(pair) and pair["cases"] >= fewest_clusters(2):
            self.expect(bool(said.reason), where, "not shown to differ beside an interval without 0, and no word why")

    def remark(self, said, verdict, where, pair=None):
        """What stands behind a verdict; `pair` is the one that it is on, where that is known."""
        if said.kind == "go the other way":
            self.expect(f"too few cases changed ({said.changed})" in verdict, where, f"{said.changed} did not change")
            self.expect(0 < said.contrary <= said.changed / 2, where, f"{said.contrary} of {said.changed} are contrary")
            if pair is not None and pair.get("wins") is not None:
                self.expect(said.contrary == min(pair["wins"], pair["losses"]), where,
                            f"{said.contrary} are contrary, of {pair['wins']} wins and {pair['losses']} losses")
        elif said.kind == "equal means":
            self.expect(f"on {said.cases} case" in verdict and "their means are equal" in verdict, where,
                        f"equal means on {said.cases} cases, which the verdict does not say")
        else:
            self.expect("cannot rank" in verdict, where, "few cases are shared, but that is not why")
            self.expect(said.shared < said.cases, where, f"{said.shared} of {said.cases} are all")

    def verdict_of(self, text, where, pair=None):
        """The text without its remarks, which are looked at."""
        verdict, remarks = without_remarks(text)
        for said in remarks:
            self.remark(said, verdict, where, pair)
        return verdict

    # Whole outputs.

    def read_or_report(self, text, names, where, kinds=None):
        try:
            return read(text, names, kinds) if kinds else sentences_of(text, names)
        except Unknown:
            self.expect(False, where, f"a sentence of no known kind: {text}")
            return None

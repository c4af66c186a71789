"""Whether what the program prints of one suite agrees with itself: `show`, `compare`, `plan --power`, `check`, gates
and the exports to Markdown and JUnit, a function each. `contradictions(outputs)` lists what does not, in words.
`outputs` is what drawn_suites.py collects; a part that is missing is not looked at."""
import json
import math
import re
import xml.etree.ElementTree as ElementTree

from sentence_meanings import GATES, KINDS, NOTES, POWER, STOPPED, number
from sentences_agree import (LEVEL, Checker, Ranking, clusters_needed, excludes_zero, fewest_clusters,
                             is_printed_as, power_factor, turned)

NOTHING = "–"
PAIR_KINDS = {kind: KINDS[kind] for kind in ("a leads b", "a and b are not shown to differ", "no case in common")}
NO_SPREAD = "no_spread"


def table_below(text, *titles):
    """The first table whose heading begins with these titles: a list of rows, each by title."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        heads = re.split(r" {2,}", line.strip())
        if heads[:len(titles)] != list(titles):
            continue
        rows = []
        for row in lines[at + 1:]:
            cells = re.split(r" {2,}", row.strip())
            if len(cells) != len(heads):
                break
            rows.append(dict(zip(heads, cells)))
        return rows
    return []


def names_of(checker):
    """What sentences call each variant and each model, by id."""
    shown = json.loads(checker.outputs["show_json"])
    ids = [variant["id"] for variant in shown["variants"]]
    names = {ids[int(row["#"]) - 1]: row["variant"] for row in table_below(checker.outputs["show"], "rank", "#")}
    return {**{place["model"]: place["model"] for place in shown["statistics"]["models"]}, **names}


def pairs_of(checker):
    """What `compare` says of two alone, by their ids."""
    pairs = {}
    for _, text in checker.outputs.get("pairs", []):
        for one in json.loads(text)["comparisons"]:
            pairs[(one["a"].split("#", 1)[-1], one["b"].split("#", 1)[-1])] = one
    return pairs


def rankings_of(checker):
    statistics = json.loads(checker.outputs["show_json"])["statistics"]
    names, pairs = names_of(checker), pairs_of(checker)
    of_variants = Ranking(statistics["ranking"], names, statistics["fewest"], pairs)
    of_models = Ranking(statistics["models"], names, statistics["model_fewest"], pairs)
    return of_variants, of_models if statistics["models"] else None


def ranking_is_sound(checker, ranking, where):
    """Ranks, means and what is known of each against the first."""
    count = len(ranking)
    if count > 1:
        checker.expect(ranking.fewest == fewest_clusters(count), where,
                       f"fewest is {ranking.fewest}, but of {count} it is {fewest_clusters(count)}")
    means = [place["mean"] for place in ranking.places]
    checker.expect(all(a >= b - 1e-9 for a, b in zip(means, means[1:])), where, f"the means do not fall: {means}")
    worse = 0
    for name, place in zip(ranking.names, ranking.places):
        here = f"{where}, {name}"
        checker.expect(1 <= place["rank"] <= place["rank_last"] <= count, here,
                       f"rank {place['rank']} to {place['rank_last']} of {count}")
        checker.expect(place["can_rank"] or (place["rank"], place["rank_last"]) == (1, count), here,
                       "no data could rank it, but its ranks say more")
        interval = place["interval"]
        checker.expect(interval is None or interval[0] - 1e-9 <= place["mean"] <= interval[1] + 1e-9, here,
                       f"the mean {place['mean']} is not in {interval}")
        pair = place["to_leader"]
        if pair is None:
            continue
        worse += pair["is_worse"]
        checker.expect(not pair["is_worse"] or place["rank"] > 1, here, "worse than the first, but of rank 1")
        checker.expect(pair["excludes_0"] == (pair["interval"] is not None and excludes_zero(pair)), here,
                       f"excludes_0 is {pair['excludes_0']}, the interval {pair['interval']}")
        shown = excludes_zero(pair) and pair["p_corrected"] is not None and pair["p_corrected"] <= LEVEL
        checker.expect(pair["is_worse"] == (shown and pair["difference"] < 0), here,
                       f"is_worse is {pair['is_worse']}, p {pair['p_corrected']}, the interval {pair['interval']}")
        checker.expect(pair["p"] is None or pair["p_corrected"] >= pair["p"] - 1e-12, here, "corrected to a smaller p")
        all_lost = pair["difference"] == -1 and pair["cases"] >= fewest_clusters(count)
        checker.expect(not all_lost or pair["is_worse"] or checker.outputs.get("has_clusters", True), here,
                       "100 and 0 percent share a rank")
    if ranking.places:
        checker.expect(ranking.places[0]["rank_last"] == count - worse, where,
                       f"the last rank of the first is {ranking.places[0]['rank_last']}, {worse} of {count} are worse")
        others = sum(place["rank"] - 1 for place in ranking.places)
        checker.expect(others == sum(count - place["rank_last"] for place in ranking.places), where,
                       "as many are shown to be better as are shown to be worse")


def show_agrees(checker):
    text, shown = checker.outputs["show"], json.loads(checker.outputs["show_json"])
    sentence = shown["statistics"]["sentence"]
    checker.expect(sentence in text.split("\n"), "show", f"the sentence of --json is not in the text: {sentence}")
    names = names_of(checker)
    of_variants, of_models = rankings_of(checker)
    ranking_is_sound(checker, of_variants, "ranking")
    verdict = checker.verdict_of(sentence, "show")
    verdicts = checker.read_or_report(verdict, list(names.values()), "show") or []
    if of_models:
        ranking_is_sound(checker, of_models, "models")
        for ranking, said in zip((of_models, of_variants), verdicts):
            checker.verdict(ranking, said, f"show: {said.text}")
        models_are_of_their_variants(checker, of_models, of_variants, len(verdicts))
    elif verdicts:
        checker.expect(len(verdicts) == 1, "show", "two sentences, but the variants are no models × parameters")
        checker.verdict(of_variants, verdicts[0], f"show: {verdicts[0].text}")
    heading = re.search(r"^run \S+ · (\d+) cases? × (\d+) variants?", text, re.M)
    checker.expect(heading and int(heading.group(2)) == len(shown["variants"]), "show", f"the heading: {heading}")
    value = shown["statistics"].get("value", "mean")  # "best of 10", where attempts are not averaged
    rows = table_below(text, "rank", "#")
    cells = [(row["rank"], row["variant"], row[value], row["95 %"]) for row in rows]
    table_agrees(checker, of_variants, cells, "table")
    passed_agrees(checker, rows)
    factors_agree(checker, shown["statistics"]["factors"], text)


def passed_agrees(checker, rows):
    """Of one attempt each the share that passes is that of JUnit."""
    if checker.outputs.get("attempts", 1) > 1 or not checker.outputs.get("junit"):
        return
    suites = ElementTree.fromstring(checker.outputs["junit"]).findall("testsuite")
    for row in rows:
        suite = suites[int(row["#"]) - 1]
        counts = {key: int(suite.get(key)) for key in ("tests", "failures", "errors", "skipped")}
        scored = counts["tests"] - counts["errors"] - counts["skipped"]
        if row.get("passed", NOTHING) == NOTHING or scored == 0:
            continue
        share = 100 * (scored - counts["failures"]) / scored
        checker.expect(abs(int(row["passed"].removesuffix(" %")) - share) <= 0.5 + 1e-6, f"table, {row['variant']}",
                       f"{row['passed']} passed, but of JUnit's {scored} {counts['failures']} failed")


def models_are_of_their_variants(checker, of_models, of_variants, sentences):
    """Of one sentence alone the variants say nothing else."""
    models = {variant: place["model"] for place in of_models.places for variant in place["variants"]}
    best = {of_models.places[i]["model"] for i, place in enumerate(of_models.places) if place["rank"] == 1}
    best_of_variants = {models[place["variant"]] for place in of_variants.places if place["rank"] == 1}
    if sentences == 1:
        checker.expect(best == best_of_variants, "show", f"of the models {best} may be the best, of the variants "
                                                         f"{best_of_variants}, and no sentence says it")
        leader = of_variants.places[0]["variant"]
        own = [place["variant"] for place in of_variants.places[1:]
               if place["to_leader"]["is_worse"] and models[place["variant"]] == models[leader]]
        checker.expect(not own, "show", f"{own} are worse than {leader} of the same model, and no sentence says it")


def rank_text(place):
    if not place["can_rank"]:
        return NOTHING
    return str(place["rank"]) if place["rank"] == place["rank_last"] else f"{place['rank']}–{place['rank_last']}"


def interval_agrees(printed, interval):
    if printed == NOTHING or interval is None:
        return printed == NOTHING and interval is None
    low, high = (number(part) for part in printed.split(" to "))
    return is_printed_as(low, interval[0]) and is_printed_as(high, interval[1])


def table_agrees(checker, ranking, rows, where):
    """(rank, name, mean, 95 %) of each row."""
    checker.expect([row[1] for row in rows[:len(ranking)]] == ranking.names, where,
                   f"the order {[row[1] for row in rows]} is not {ranking.names}")
    for (rank, name, mean, interval), place in zip(rows, ranking.places):
        here = f"{where}, {name}"
        checker.expect(rank == rank_text(place), here, f"rank {rank} is {rank_text(place)} elsewhere")
        checker.expect(abs(number(mean) - 100 * place["mean"]) <= 0.05 + 1e-6, here,
                       f"the mean {mean} is {place['mean']} elsewhere")
        checker.expect(interval_agrees(interval, place["interval"]), here,
                       f"{interval} is {place['interval']} elsewhere")
    for rank, name, mean, interval in rows[len(ranking):]:
        checker.expect((rank, mean, interval) == (NOTHING,) * 3, f"{where}, {name}", "numbers of one without a score")


def factors_agree(checker, factors, text):
    for factor in factors:
        where = f"factor: {factor['sentence']}"
        checker.expect(f"{factor['sentence']} Over {factor['pairs']} pair" in text, where, "not in the text")
        names = [name[:1].lower() + name[1:] for name in (factor["level"], factor["base"])]
        names = [factor["level"], factor["base"], *names]
        for said in checker.read_or_report(factor["sentence"], names, where) or []:
            checker.pair_sentence(said, factor["level"], factor["base"], factor, 2, where)


def check_agrees(checker):
    """The note that so few cases cannot rank so many."""
    outputs = checker.outputs
    if outputs.get("check") is None:
        return
    variants, clusters = outputs["variants"], outputs["clusters"]
    notes = re.findall(r"note(?:\[[^\]]*\])?: (.*(?:cannot rank|cannot show which).*?)(?: \[[\w.-]+\])?$",
                       outputs["check"], re.M)
    is_wanted = variants > 1 and clusters < fewest_clusters(variants)
    checker.expect(bool(notes) == is_wanted, "check", f"{clusters} clusters, {variants} variants: the notes {notes}")
    for text in notes:
        said = checker.read_or_report(text, [], "check", NOTES)
        if said is None:
            continue
        checker.expect(said.clusters == clusters, "check", f"{said.clusters} of {clusters}: {text}")
        checker.expect(said.variants in (None, variants), "check", f"{said.variants} variants of {variants}: {text}")
        checker.expect(said.fewest == fewest_clusters(variants), "check",
                       f"{fewest_clusters(variants)} could: {text}")


def plan_agrees(checker):
    if checker.outputs.get("plan") is None:
        return
    text, power = checker.outputs["plan"], json.loads(checker.outputs["plan_json"])[0]["power"]
    first = text.split("\n")[0]
    checker.expect(first.startswith(power["sentence"] + " ("), "plan", f"--json says {power['sentence']}")
    checker.expect(power["fewest"] == fewest_clusters(power["variants"]), "plan", f"fewest is {power['fewest']}")
    checker.expect(power["variants"] == checker.outputs["variants"], "plan", f"{power['variants']} variants")
    checker.expect(power["cases"] == checker.outputs["clusters"], "plan", f"{power['cases']} clusters of cases")
    clusters, spread = power["cases"], power["spread"]
    needed = clusters_needed(spread, 0.05, 2)
    checker.expect(power["cases_for_5_points"] == needed, "plan", f"5 points need {needed} cases: {power}")
    found = re.search(r"5 points need (\d+) cases", power["sentence"])
    checker.expect(found is None or int(found.group(1)) == needed, "plan", f"5 points need {needed} cases")
    for key, variants in (("smallest_difference", 2), ("smallest_in_ranking", power["variants"])):
        want = None
        if clusters >= fewest_clusters(variants):
            want = power_factor(clusters - 1, variants) * spread / math.sqrt(clusters)
        got = power[key]
        checker.expect((want is None) == (got is None) and (want is None or abs(want - got) < 1e-6), "plan",
                       f"{key} is {got}, not {want}")
    sentence = re.match(r".*?\.(?= |$)", power["sentence"]).group()
    said = checker.read_or_report(sentence, [], "plan", POWER)
    if said is None:
        return
    checker.expect(said.clusters in (None, clusters), "plan", f"{said.clusters} cases of {clusters}")
    checker.expect(said.variants in (None, power["variants"]), "plan", f"a ranking of {said.variants}")
    checker.expect(said.unranked in (None, power["variants"]), "plan", f"cannot rank {said.unranked}")
    checker.expect(said.fewest in (None, power["fewest"]), "plan", f"{said.fewest} could")
    checker.expect((said.fewest is not None) == (power["variants"] > 2 and clusters < power["fewest"]), "plan",
                   f"{clusters} cases can rank {power['variants']}, and the sentence says: {sentence}")
    checker.expect((said.kind == "sees") == (clusters >= fewest_clusters(2)), "plan", f"{clusters} cases: {sentence}")
    if said.kind == "sees":
        checker.expect(is_printed_as(said.two, power["smallest_difference"]), "plan",
                       f"{said.two} points are {power['smallest_difference']} elsewhere")
        checker.expect(said.ranking is None or is_printed_as(said.ranking, power["smallest_in_ranking"]), "plan",
                       f"{said.ranking} points are {power['smallest_in_ranking']} elsewhere")
    models_are_planned(checker, power)


def models_are_planned(checker, power):
    found = re.search(r"(\d+) cases are needed to rank (\d+) variants, (\d+) to rank their (\d+) models\.",
                      power["sentence"])
    if not found:
        return
    of_variants, variants, of_models, models = map(int, found.groups())
    checker.expect(of_variants == fewest_clusters(variants) and variants == power["variants"], "plan", found.group())
    checker.expect(of_models == fewest_clusters(models) and models <= variants, "plan", found.group())


def compare_agrees(checker):
    """Pairs alone, and the first of a ranking against all others: what a ranking shows `compare` shows."""
    for text, as_json in checker.outputs.get("pairs", []):
        comparisons_agree(checker, text, json.loads(as_json)["comparisons"])
    if checker.outputs.get("leader"):
        text, as_json = checker.outputs["leader"]
        comparisons = json.loads(as_json)["comparisons"]
        comparisons_agree(checker, text, comparisons)
        ranking_is_compared(checker, comparisons)


def comparisons_agree(checker, text, comparisons):
    names = list(names_of(checker).values())
    lines = text.split("\n")
    rows = {}
    for head in [line for line in lines if re.match(r".* against {2,}.*points {2,}95 %", line)]:
        rows.update({row[next(iter(row))]: row for row in table_below("\n".join(lines[lines.index(head):]),
                                                                      *re.split(r" {2,}", head.strip())[:1])})
    for one in comparisons:
        where = f"compare: {one['sentence']}"
        checker.expect(one["sentence"] in lines, where, "not in the text")
        shown = excludes_zero(one) and one["p"] is not None and one["p"] <= LEVEL
        want = "not_defined" if one["cases"] == 0 else "tie" if not shown else (
            "leads" if one["difference"] > 0 else "trails")
        checker.expect(one["verdict"] == want, where, f"the verdict {one['verdict']} is {want}")
        checker.expect(one["wins"] + one["losses"] + one["ties"] == one["cases"], where, "wins, losses, ties and cases")
        checker.expect(one["wins"] + one["losses"] == len(one["flips"]), where, "the cases that differ")
        if one.get("mean_a") is not None and one["difference"] is not None:
            checker.expect(abs(one["mean_a"] - one["mean_b"] - one["difference"]) < 1e-9, where,
                           f"the means {one['mean_a']} and {one['mean_b']} differ by another number")
        verdict = checker.verdict_of(one["sentence"], where, one)
        said = checker.read_or_report(verdict, names, where, PAIR_KINDS)
        if said is None:
            continue
        spoken = names_of(checker)
        a, b = (spoken.get(one[side].split("#", 1)[-1], one[side]) for side in "ab")
        pair = one if len(comparisons) == 1 else {**one, "p_corrected": one["p"], "p": uncorrected_p(checker, one)}
        checker.pair_sentence(said, a, b, pair, len(comparisons) + 1, where)
        row = rows.get(one["b"])
        checker.expect(row is not None, where, f"no row of {one['b']}")
        if row is not None:
            row_agrees(checker, row, one, where)


def uncorrected_p(checker, one):
    """Of the first of the ranking against another, as the ranking says it."""
    ids = {one[side].split("#", 1)[-1] for side in "ab"}
    places = json.loads(checker.outputs["show_json"])["statistics"]["ranking"]
    found = [place["to_leader"]["p"] for place in places[1:] if {place["variant"], places[0]["variant"]} == ids]
    return found[0] if found else one["p"]


def row_agrees(checker, row, one, where):
    points, interval = row["points"].lstrip("+"), row["95 %"].replace("+", "")
    checker.expect(points == NOTHING and one["difference"] is None or points != NOTHING
                   and abs(number(points) - 100 * one["difference"]) <= 0.05 + 1e-6, where, f"the row has {points}")
    checker.expect(interval_agrees(interval, one["interval"]), where, f"the row has {interval}")
    counts = [int(row[key]) for key in ("wins", "losses", "ties", "cases")]
    checker.expect(counts == [one[key] for key in ("wins", "losses", "ties", "cases")], where, f"the row has {counts}")
    if "means" in row and NOTHING not in row["means"]:
        means = [number(mean) for mean in row["means"].split(" against ")]
        checker.expect(all(abs(mean - 100 * one[key]) <= 0.05 + 1e-6 for mean, key in zip(means, ("mean_a", "mean_b"))),
                       where, f"the row has the means {means}")
    p = row.get("p", NOTHING)
    checker.expect((p == NOTHING) == (one["p"] is None) and (p == NOTHING or math.isclose(
        float(p), one["p"], rel_tol=6e-3, abs_tol=1e-12)), where, f"the row has p {p}, not {one['p']}")


def ranking_is_compared(checker, comparisons):
    places = json.loads(checker.outputs["show_json"])["statistics"]["ranking"]
    compared = {one["b"].split("#", 1)[-1]: one for one in comparisons}
    for place in places[1:]:
        one, pair = compared.get(place["variant"]), place["to_leader"]
        if one is None or pair is None:
            continue
        where = f"{place['variant']} against the first"
        for key in ("difference", "interval"):
            mine, own = one[key], pair[key]
            if mine is not None and own is not None:
                mine, own = ([mine], [-own]) if key == "difference" else (mine, [-own[1], -own[0]])
                checker.expect(all(abs(x - y) < 1e-9 for x, y in zip(mine, own)), where, f"{key}: {mine}, {own}")
        checker.expect(one["cases"] == pair["cases"], where, f"cases: {one['cases']}, {pair['cases']}")
        checker.expect(not pair["is_worse"] or one["verdict"] == "leads", where,
                       "the ranking shows that it is worse, compare does not")
        checker.expect(pair["p_corrected"] is None or one["p"] <= pair["p_corrected"] + 1e-12, where,
                       f"the ranking's p {pair['p_corrected']} is below that of compare, {one['p']}")


def gates_agree(checker):
    gates = checker.outputs.get("gates")
    if not gates:
        return
    values = json.loads(gates["json"])["gates"]
    states = [value["state"] for value in values]
    want = 4 if "regression" in states else 2 if {"cannot_tell", "not_defined"} & set(states) else 0
    has_errors = any(row["errors"] + row["partial"] for row in json.loads(gates["json"])["variants"])
    checker.expect(gates["exit"] == want or has_errors and gates["exit"] == 2 and want == 0, "gates",
                   f"exit {gates['exit']} of {states}")
    for value in values:
        if value["gate"] != "regression":
            continue
        where = f"gate of {value['variant']}: {value['sentence']}"
        is_left_out = re.search(r"^ +and \d+ variants? more$", gates["text"], re.M) and value["state"] == "none"
        checker.expect(is_left_out or value["sentence"] in gates["text"], where, "not on standard error")
        own, _, failing = value["sentence"].partition(" newly fail: ")
        own = re.sub(r" \d+$", "", own) if failing else re.sub(r" \d+ newly fails?: .*$", "", own)
        said = checker.read_or_report(own, [], where, GATES)
        if said is not None:
            gate_agrees(checker, said, value, where, sum(each["gate"] == "regression" for each in values))
        if "comparison" in value:
            gate_is_compared(checker, value)


def gate_is_compared(checker, value):
    """What `compare` would say of the new run and the base; the sentence may call both by one name."""
    where = f"comparison of a gate: {value['comparison']['sentence']}"
    said = checker.read_or_report(value["comparison"]["sentence"], [], where, PAIR_KINDS)
    if said is None:
        return
    pair = {**value, "p": value["comparison"]["p"]}
    if said.kind == "a leads b":
        checker.lead(said, pair if value["comparison"]["verdict"] == "leads" else turned(pair), where)
    else:
        checker.pair_sentence(said, said.first, said.second, pair, 2, where)


def gate_agrees(checker, said, value, where, gates):
    states = {"no regression": "none", "regression": "regression", "cannot tell": "cannot_tell",
              "no case for the gate": "not_defined"}
    checker.expect(value["state"] == states[said.kind], where, f"its state is {value['state']}")
    if said.kind == "no case for the gate":
        checker.expect(value["cases"] == 0, where, f"{value['cases']} cases")
        return
    checker.span(said, value, where)
    interval, difference = value["interval"], value["difference"]
    below = interval[1] < 0 if interval else value.get("why") == NO_SPREAD and difference < 0
    if said.kind == "regression":
        checker.expect(below, where, f"a regression, but the interval {interval} does not lie below 0")
        checker.expect(value["p"] is not None and value["p"] <= LEVEL, where, f"a regression, but p is {value['p']}")
    else:
        checker.expect(not (below and value["p"] <= LEVEL), where, f"no regression: p {value['p']}, {interval}")
    if said.kind == "no regression":
        checker.expect(not below, where, f"no regression shown, but {interval} lies below 0")
        seen = value["smallest_drop_seen"]
        checker.expect(said.unseen != 0, where, "drops below nothing often go unseen")
        checker.expect(said.unseen is None and seen is None or is_printed_as(said.unseen, seen), where,
                       f"drops below {said.unseen} are {seen} elsewhere")
        checker.expect(seen is None or difference > -seen - 1e-9, where,
                       f"a drop of {-difference} is larger than {seen}, and no regression is shown")
    if said.kind == "cannot tell":
        checker.expect(difference < 0, where, "cannot tell, but it does not look worse")
        changed = value["wins"] + value["losses"]
        least = math.ceil(math.log2(gates / LEVEL))
        checker.expect(said.least in (None, least) and said.fewest in (None, least), where, f"at least {least} of them")
        checker.expect(said.changed is None or said.changed <= changed and said.changed < least, where,
                       f"{said.changed} changed, but {changed} did")
        checker.expect(said.fewest is None or said.noun == "clusters" or value["cases"] < said.fewest, where,
                       f"fewer than {said.fewest} of {value['cases']}")
        checker.expect(said.p is None or abs(said.p - value["p"]) <= 0.005 + 1e-9, where, f"p is {value['p']}")


def plain(cell):
    """A cell of a Markdown table as it is read."""
    return re.sub(r"\\(.)", r"\1", cell.strip()).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def markdown_agrees(checker):
    text = checker.outputs.get("markdown")
    if text is None:
        return
    shown = json.loads(checker.outputs["show_json"])
    headline = re.search(r"^\*\*(.*)\*\*$", text, re.M)
    checker.expect(headline and plain(headline.group(1)) == shown["statistics"]["sentence"], "markdown",
                   f"the headline {headline and headline.group(1)}")
    of_variants, _ = rankings_of(checker)
    of_variants.names = [place["variant"] for place in of_variants.places]
    lines = text.split("\n")
    start = next((at for at, line in enumerate(lines) if line.startswith("| rank | variant | ")), None)
    checker.expect(start is not None, "markdown", "no table")
    if start is None:
        return
    heads = [plain(cell) for cell in lines[start].strip("|").split("|")]
    rows = []
    for line in lines[start + 2:]:
        if not line.startswith("|"):
            break
        row = dict(zip(heads, [plain(cell) for cell in re.split(r"(?<!\\)\|", line)[1:-1]]))
        rows.append((row["rank"], row["variant"], row[shown["statistics"].get("value", "mean")], row["95 %"]))
    table_agrees(checker, of_variants, rows, "markdown")
    if checker.outputs.get("gates"):
        for value in json.loads(checker.outputs["gates"]["json"])["gates"]:
            checker.expect(value["sentence"] in plain(checker.outputs["gates"]["markdown"]), "markdown",
                           f"the gate is not there: {value['sentence']}")


def junit_agrees(checker):
    gates = checker.outputs.get("gates")
    for name, text in (("junit", checker.outputs.get("junit")), ("junit of gates", gates and gates["junit"])):
        if text is not None:
            junit_counts(checker, ElementTree.fromstring(text), name)
    if checker.outputs.get("junit"):
        suites = ElementTree.fromstring(checker.outputs["junit"]).findall("testsuite")
        shown = json.loads(checker.outputs["show_json"])["variants"]
        passes_agree(checker, suites)
        for variant, suite in zip(shown, suites):
            checker.expect(int(suite.get("errors")) == variant["errors"] or checker.outputs.get("attempts", 1) > 1,
                           "junit", f"{suite.get('errors')} errors of {variant['errors']} of {variant['id']}")
    if gates:
        junit_gates(checker, ElementTree.fromstring(gates["junit"]), json.loads(gates["json"])["gates"])


def passes_agree(checker, suites):
    """The table of cases, where `show` prints it, marks as failed what JUnit counts."""
    rows = table_below(checker.outputs["show"], "case", "1")
    for i, suite in enumerate(suites if rows else []):
        failed = sum(row[str(i + 1)].startswith("✗") for row in rows)
        checker.expect(failed == int(suite.get("failures")), "junit",
                       f"{suite.get('name')}: {suite.get('failures')} failures, but the table has {failed}")


def junit_counts(checker, root, where):
    for suite in root:
        for attribute, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            count = len(suite.findall(f"testcase/{kind}"))
            checker.expect(int(suite.get(attribute)) == count, where,
                           f"{suite.get('name')}: {attribute} {suite.get(attribute)}, but there are {count}")
        count = len(suite.findall("testcase"))
        checker.expect(int(suite.get("tests")) == count, where, f"{count} tests of {suite.get('name')}")
    for attribute in ("tests", "failures", "errors", "skipped"):
        total = sum(int(suite.get(attribute)) for suite in root)
        checker.expect(int(root.get(attribute)) == total, where, f"{attribute} {root.get(attribute)}, not {total}")


def junit_gates(checker, root, values):
    tests = root.findall(".//testcase[@name='regression gate']")
    kinds = {"regression": "failure", "cannot_tell": "error", "not_defined": "error", "none": "system-out"}
    values = [value for value in values if value["gate"] == "regression"]
    checker.expect(len(tests) == len(values), "junit", f"{len(tests)} gates of {len(values)}")
    for test, value in zip(tests, values):
        found = test.find(kinds[value["state"]])
        checker.expect(found is not None, "junit", f"the gate of {value['variant']} is no {kinds[value['state']]}")
        if found is not None:
            line = found.text if value["state"] == "none" else found.get("message")
            checker.expect(value["sentence"] in line, "junit", f"the gate says {line}, not {value['sentence']}")


def stopped_agrees(checker):
    """A run with `--until decided`: its sentence against its looks, its ranks, and the head of every output."""
    outputs = checker.outputs.get("stopped")
    if outputs is None:
        return
    shown = json.loads(outputs["show_json"])
    course = shown["until"][0]
    names = names_of(Checker(outputs))
    (sentence,) = [each["sentence"] for each in shown["until"]]
    for name in ("show", "markdown"):
        text = plain(outputs[name]) if name == "markdown" else outputs[name]
        checker.expect(sentence in text, f"stopped, {name}", f"the sentence of --json is not there: {sentence}")
    checker.expect(shown["statistics"]["sentence"] == sentence, "stopped", "statistics and until differ")
    said = checker.read_or_report(sentence, list(names.values()), "stopped", STOPPED)
    if not said:
        return
    is_stopped = shown["stopped"] == "decided"
    checker.expect(is_stopped == bool(shown["asked_part"]), "stopped", f"asked_part is {shown['asked_part']}")
    if is_stopped:
        part = f"{said.asked or said['of']} of {said['of']} cases (stopped: decided)"
        for name in ("show", "markdown", "csv", "jsonl", "junit"):
            checker.expect(part in outputs[name], f"stopped, {name}", f"its head does not say {part}")
        checker.expect(all(place["to_leader"] is None or place["to_leader"]["p"] is None
                           for place in shown["statistics"]["ranking"]), "stopped", "p of a run that was stopped")
    end = course["end"]
    checker.expect(said["of"] == course["cases"], "stopped", f"{said['of']} cases are {course['cases']}")
    race_is_sound(checker, course, shown, said, names)
    if said.kind == "is first on this suite":
        checker.expect(end["reason"] == "first" and [names[name] for name in course["in_race"]] == [said.first],
                       "stopped", f"{said.first} is first, but {course['in_race']} ended with {end['reason']}")
        lead_of_race(checker, course, said, names)
    else:
        checker.expect(said.kind == "all were asked" and end["reason"] == "all", "stopped",
                       f"“{said.kind}”, but it ended with {end['reason']}")


def race_is_sound(checker, course, shown, said, names):
    """Who was dropped, when, and which ranks are left."""
    end = course["end"]
    in_units = checker.outputs.get("has_clusters", True)
    early = [f"{names[each['name']]} {'after' if each['by'] else 'given up after'} {each['after']}"
             for each in course["dropped"] if each["after"] < end["n"]]
    if not in_units:
        checker.expect(said.asked in (None, end["n"]), "stopped", f"{said.asked} cases, but the last look was at {end}")
        told = ", ".join(early if len(early) <= 4 else [*early[:3], f"{len(early) - 3} others before"])
        checker.expect((said.gone or "") == told, "stopped", f"dropped were {told}, but it says {said.gone}")
    left = len(course["in_race"])
    places = {place["variant"]: place for place in shown["statistics"]["ranking"]}
    for name in places if shown["stopped"] == "decided" else []:
        wanted = (1, left) if name in course["in_race"] else (left + 1, len(course["asked"]))
        found = (places[name]["rank"], places[name]["rank_last"])
        checker.expect(found == wanted, f"stopped, {name}", f"ranks {found}, but the race says {wanted}")
    for each in course["dropped"]:
        look = next(look for look in course["looks"] if look["n"] == each["after"]) if each["by"] else None
        pair = next(pair for pair in look["pairs"] if pair["against"] == each["name"]) if look else None
        checker.expect(pair is None or (pair["state"] == "leads" and pair["lo"] > 0), "stopped",
                       f"{each['name']} was dropped, but its pair was {pair}")


def lead_of_race(checker, course, said, names):
    """The limits of the lead are those of the last look, and it is ahead."""
    last = course["looks"][-1]
    pair = next((pair for pair in last["pairs"] if names[pair["against"]] == said.second), None)
    checker.expect(pair is not None and names[last["leader"]] == said.first, "stopped",
                   f"the last look did not compare {said.first} with {said.second}")
    if pair is None:
        return
    checker.expect(pair["lo"] > 0 and pair["state"] == "leads", "stopped", f"a lead, but the pair is {pair}")
    checker.expect((said.world_low is not None) == (pair["world_lo"] > 0), "stopped",
                   f"on other cases it is from {pair['world_lo']} on")
    world = (said.world_low if said.world_low is not None else said.unshown_low,
             said.world_high if said.world_high is not None else said.unshown_high)
    limits = ((said.low, "lo"), (said.high, "hi"), (world[0], "world_lo"), (world[1], "world_hi"))
    for printed, key in limits:
        checker.expect(is_printed_as(printed, pair[key]) or 0 < pair[key] < 0.001, "stopped",
                       f"{key} is {pair[key]}, but it says {printed}")


CHECKS = (show_agrees, check_agrees, plan_agrees, compare_agrees, gates_agree, markdown_agrees, junit_agrees,
          stopped_agrees)


def contradictions(outputs):
    checker = Checker(outputs)
    for check in CHECKS:
        check(checker)
    return checker.found

"""Suites that are drawn at random, answered by fixtures and taken through the command line.

`draw(seed)` says what a suite is; `outputs_of(suite, folder)` writes it, runs it twice (the second time as the gate of
the first) and collects what every command printed, for outputs_agree.contradictions."""
import json
import math
import random
from pathlib import Path

import e2e
from outputs_agree import PAIR_KINDS, contradictions, table_below
from sentence_meanings import Unknown, sentences_of

WORDS = ["amber", "birch", "cedar", "delta", "ember"]
NOTHING = "no word of it"


class Suite:
    """Models × parameters, cases and what each answers: `scores[variant][case]` counts the words that are right."""

    def __init__(self, models, cases, parameters=None, words=1, clusters=None, attempts=1):
        self.models, self.cases, self.words, self.attempts = models, cases, words, attempts
        self.parameters = parameters or {}  # of "temperatures", "systems"
        self.clusters = clusters  # of each case, None where each is one
        self.scores, self.fresh = {}, {}

    @property
    def variants(self):
        temperatures = [f"[temp:{x:g}]" for x in self.parameters.get("temperatures", [])] or [""]
        systems = [f"[sp_idx:{i}]" for i in range(len(self.parameters.get("systems", [])))] or [""]
        return [model + t + s for model in self.models for t in temperatures for s in systems]

    def text(self):
        lines = ["title: Drawn", "id: drawn", f"models: {json.dumps(self.models)}"]
        lines += [f"{key}: {json.dumps(value)}" for key, value in self.parameters.items()] + ["prompts:"]
        should = "[" + ", ".join(f"$icontains: {word}" for word in WORDS[:self.words]) + "]"
        for i in range(self.cases):
            cluster = f", cluster: g{self.clusters[i]}" if self.clusters else ""
            lines.append(f"  - {{id: q{i}, prompt: question {i}{cluster}, should: {should}}}")
        return "\n".join(lines) + "\n"

    def answers(self, scores):
        def said(count):
            return " ".join(WORDS[:count]) or NOTHING

        responses = {}
        for i in range(self.cases):
            by_model = {}
            for variant in self.variants:
                right = scores[variant][i]
                if right is not None:
                    by_model[variant] = [said(each) for each in right] if isinstance(right, list) else said(right)
            responses[f"q{i}"] = {"byModel": by_model}
        return json.dumps({"responses": responses})

    def count_clusters(self):
        return len(set(self.clusters)) if self.clusters else self.cases


def between(random_, low, high):
    """As many of 2 to 6 as of 11 to 33."""
    return round(math.exp(random_.uniform(math.log(low), math.log(high))))


def skills(random_, count):
    kind = random_.choice(["equal", "spread", "one leads", "one is hopeless", "two groups", "two lead"])
    if kind == "equal":
        return [0.5] * count
    if kind == "spread":
        return [random_.gauss(0.5, 1) for _ in range(count)]
    lead = random_.uniform(0.5, 4)
    heads = {"one leads": 1, "one is hopeless": count - 1, "two groups": count // 2, "two lead": 2}[kind]
    return [lead if i < heads else 0 for i in random_.sample(range(count), count)]


def right_answers(random_, suite, skill, hardness):
    chance = 1 / (1 + math.exp(hardness - skill))

    def once():
        return sum(random_.random() < chance for _ in range(suite.words))

    return [once() for _ in range(3)] if suite.attempts > 1 else once()


def draw(seed):
    random_ = random.Random(seed)
    variants, cases = between(random_, 2, 33), between(random_, 5, 300)
    parameters, models = {}, variants
    if variants >= 4 and random_.random() < 0.3:
        parameters = random_.choice([{"temperatures": [0, 0.8]}, {"systems": [None, "Be brief."]},
                                     {"temperatures": [0, 0.8], "systems": [None, "Be brief."]}])
        models = max(variants // math.prod(map(len, parameters.values())), 1)
    clusters = None
    if random_.random() < 0.25:
        groups = random_.randint(max(2, cases // 5), cases)
        clusters = [random_.randrange(groups) for _ in range(cases)]
    suite = Suite([f"echo:v{i:02}" for i in range(models)], cases, parameters, words=random_.choice([1, 1, 5]),
                  clusters=clusters, attempts=random_.choice([1, 1, 1, 1, 2]))
    missing = random_.choice([0, 0, 0, 0.02, 0.3])
    few = random_.choice([None, None, random_.choice(suite.variants)])  # one that answers next to nothing
    fall = random_.choice([0, 0, 0.3, 2])
    hardness = [random_.gauss(0, random_.choice([0.3, 2])) for _ in range(cases)]
    for variant, skill in zip(suite.variants, skills(random_, len(suite.variants))):
        lost = 0.9 if variant == few else missing
        suite.scores[variant] = [None if random_.random() < lost else right_answers(random_, suite, skill, hardness[i])
                                 for i in range(cases)]
        change = random_.choice([0.05, 0.3])  # of the cases, the second time
        suite.fresh[variant] = [right_answers(random_, suite, skill - fall, hardness[i])
                                if random_.random() < change or fall > 1 else known
                                for i, known in enumerate(suite.scores[variant])]
    return suite


def said(folder, *words, codes=(0, 2)):
    result = e2e.assay(*words, cwd=folder)
    e2e.check(result.returncode in codes, f"assay {' '.join(map(str, words))}", result)
    return result


def names_in(sentence, shown):
    """Two variants of the sentence that `compare` can say more of, by their ids."""
    rows, of = table_below(shown["show"], "rank", "#"), json.loads(shown["show_json"])
    ids = {row["variant"]: of["variants"][int(row["#"]) - 1]["id"] for row in rows}
    models = [place["model"] for place in of["statistics"]["models"]]
    try:
        verdicts = sentences_of(sentence, [*ids, *models])
    except Unknown:
        return []
    named = [[one.first, one.last or one.second or one.next] for one in verdicts if one.kind not in PAIR_KINDS]
    return [[ids[name] for name in pair] for pair in named if all(name in ids for name in pair)]


def outputs_of(suite, folder):
    folder = Path(folder)
    folder.joinpath("s.yml").write_text(suite.text())
    folder.joinpath("base.json").write_text(suite.answers(suite.scores))
    folder.joinpath("fresh.json").write_text(suite.answers(suite.fresh))
    ran = ["run", "s.yml", "-q", "--fixtures-strict", f"--attempts={suite.attempts}"]
    checked = said(folder, "check", "s.yml")
    shown = {"variants": len(suite.variants), "clusters": suite.count_clusters(), "attempts": suite.attempts,
             "has_clusters": suite.clusters is not None, "check": checked.stdout + checked.stderr,
             "plan": said(folder, "plan", "s.yml", "--power").stdout,
             "plan_json": said(folder, "plan", "s.yml", "--power", "--json").stdout}
    said(folder, *ran, "--fixtures", "base.json", codes=(0, 2, 3))
    show = said(folder, "show", "latest")
    shown |= {"show": show.stdout, "show_json": said(folder, "show", "latest", "--json").stdout,
              "markdown": said(folder, "export", "latest", "--to", "markdown").stdout,
              "junit": said(folder, "export", "latest", "--to", "junit").stdout}
    places = [place["variant"] for place in json.loads(shown["show_json"])["statistics"]["ranking"]]
    sentence = json.loads(shown["show_json"])["statistics"]["sentence"]
    asked = names_in(sentence, shown) + ([places[:2]] if len(places) > 1 else [])
    shown["pairs"] = [both(folder, *(f"latest#{name}" for name in pair)) for pair in asked]
    if len(places) > 1:
        shown["leader"] = both(folder, f"latest#{places[0]}", "latest")
    shown["gates"] = gates_of(folder, ran)
    if len(suite.variants) > 1:
        shown["stopped"] = stopped_of(folder, ran)
    return shown


def stopped_of(folder, ran):
    """The same suite, asked until it is decided who is first."""
    said(folder, *ran, "--fixtures", "base.json", "--until", "decided", codes=(0, 2, 3))
    exports = {form: said(folder, "export", "latest", "--to", form).stdout
               for form in ("markdown", "csv", "jsonl", "junit")}
    return {"show": said(folder, "show", "latest").stdout, "show_json": said(folder, "show", "latest", "--json").stdout,
            **exports}


def both(folder, *names):
    return tuple(said(folder, "compare", *names, *form).stdout for form in ([], ["--json"]))


def gates_of(folder, ran):
    base = json.loads(said(folder, "show", "latest", "--json").stdout)["run"]
    gate = ["--fail-on-regression", base]
    first = said(folder, *ran, "--fixtures", "fresh.json", *gate, codes=(0, 2, 3, 4))
    again = said(folder, "show", "latest", "--json", *gate, codes=(0, 2, 3, 4))
    return {"exit": again.returncode, "text": first.stderr, "json": again.stdout,
            "markdown": said(folder, "export", "latest", "--to", "markdown").stdout,
            "junit": said(folder, "export", "latest", "--to", "junit").stdout}


def contradictions_of(seed):
    """What contradicts itself in the outputs of the suite of this seed."""
    with e2e.scratch() as folder:
        return contradictions(outputs_of(draw(seed), folder))

#!/usr/bin/env python3
"""Files of OpenAI Evals, of its hosted evals and of lm-evaluation-harness run as they are, with their graders and the
models that grade; what they cannot say here is refused with its place and a remedy."""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402

REGISTRY = """rivers:
  id: rivers.dev.v0
  description: Names the river of a town.
  metrics: [accuracy]
rivers.dev.v0:
  class: evals.elsuite.basic.match:Match
  args: {samples_jsonl: rivers.jsonl, num_few_shot: 1, few_shot_jsonl: shots.jsonl, max_tokens: 40}
rivers-json.dev.v0:
  class: evals.elsuite.basic.json_match:JsonMatch
  args: {samples_jsonl: as_json.jsonl}
"""
RIVERS = [{"input": [{"role": "system", "content": "One word."}, {"role": "user", "content": "The river of Cologne?"}],
           "ideal": "Rhine"}, {"input": "The river of Vienna?", "ideal": ["Danube", "Donau"]}]
SHOTS = [{"sample": [{"role": "system", "name": "example_user", "content": "The river of Paris?"},
                     {"role": "system", "name": "example_assistant", "content": "Seine"}]}]
AS_JSON = [{"input": "Two and a half as JSON?", "ideal": ["{\"a\": 2.5}", "2.5"]}]

TASK = """task: prices
dataset_path: json
dataset_kwargs: {data_files: {test: prices.jsonl}}
test_split: test
output_type: generate_until
doc_to_text: "Question: {{question}}\\nAnswer:"
doc_to_target: "{{answer}}"
generation_kwargs: {until: ["Question:"], do_sample: false, max_gen_toks: 60}
filter_list:
  - {name: strict, filter: [{function: regex, regex_pattern: "#### (-?[0-9.,]+)"}, {function: take_first}]}
  - {name: loose, filter: [{function: regex, group_select: -1, regex_pattern: "(-?[0-9.,]*[0-9])"}]}
metric_list: [{metric: exact_match, regexes_to_ignore: [",", "#### "]}]
"""
PRICES = [{"question": "Three loaves at two euros?", "answer": "#### 6"},
          {"question": "A thousand loaves at 1.50?", "answer": "#### 1,500"}]

CRITERIA = [
    {"type": "string_check", "name": "exact", "operation": "eq", "input": "{{ sample.output_text }}",
     "reference": "{{item.label}}"},
    {"type": "text_similarity", "name": "near", "input": "{{sample.output_text}}", "reference": "{{item.label}}",
     "evaluation_metric": "rouge_l", "pass_threshold": 0.5},
    {"type": "label_model", "name": "tone", "model": "gpt-6-luna", "labels": ["kind", "rude"],
     "passing_labels": ["kind"],
     "input": [{"role": "developer", "content": "Judge the tone."},
               {"role": "user", "content": {"type": "input_text", "text": "{{item.text}}: {{sample.output_text}}"}}]},
    {"type": "multi", "name": "both", "calculate_output": "(a + b) / 2", "graders": {
        "a": {"type": "string_check", "operation": "like", "input": "{{sample.output_text}}",
              "reference": "{{item.label}}"},
        "b": {"type": "score_model", "model": "gpt-6-luna", "range": [0, 1],
              "input": [{"role": "user", "content": "How good is {{sample.output_text}}?"}]}}}]
EXPORT = {"name": "Tickets", "data_source_config": {"type": "custom"}, "testing_criteria": CRITERIA,
          "data_source": {"type": "completions", "model": "gpt-6-sol",
                          "input_messages": {"type": "template", "template": [
                              {"role": "developer", "content": "Name the topic."},
                              {"role": "user", "content": "{{item.text}}"}]},
                          "source": {"type": "file_content", "content": [
                              {"item": {"text": "The screen is dark.", "label": "Hardware"}},
                              {"item": {"text": "I forgot my password.", "label": "Account"}}]}}}


def lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def write(folder, **files):
    for name, text in files.items():
        Path(folder, name.replace("__", ".")).write_text(text)


def graded(folder, suite, answers):
    """The points of each case, in order, where it is answered so: lists of numbers."""
    prompts = json.loads(e2e.assay("check", suite, "-m", "echo:a", "--json", cwd=folder).stdout)["prompts"]
    ids = [prompt["id"] for prompt in prompts]
    replies = {"responses": {name: {"default": answer} for name, answer in zip(ids, answers)}}
    Path(folder, "replies.json").write_text(json.dumps(replies))
    e2e.expect(e2e.assay("run", suite, "-m", "echo:a", "--fixtures", "replies.json", cwd=folder), 0)
    found = []
    for name in ids:
        shown = json.loads(e2e.assay("show", "latest", "--case", name, "--json", cwd=folder).stdout)
        found.append(numbers_in(shown))
    return found


def numbers_in(shown):
    if isinstance(shown, list):
        return [number for each in shown for number in numbers_in(each)]
    if not isinstance(shown, dict):
        return []
    if isinstance(shown.get("points"), list):
        return [point["score"] for point in shown["points"]]
    return [number for each in shown.values() for number in numbers_in(each)]


with e2e.scratch() as folder:
    write(folder, rivers__yaml=REGISTRY, rivers__jsonl=lines(RIVERS), shots__jsonl=lines(SHOTS),
          as_json__jsonl=lines(AS_JSON))
    checked = e2e.assay("check", "rivers.yaml", "-m", "echo:a", cwd=folder)
    e2e.expect(checked, 0)
    e2e.check("openai-evals, 3 cases" in checked.stdout, "three samples of two evals", checked)
    e2e.expect(e2e.assay("plan", "rivers.yaml", "-m", "echo:a", cwd=folder), 0)
    ran = e2e.assay("run", "rivers.yaml", "-m", "echo:a", cwd=folder)
    e2e.expect(ran, 0)
    found = graded(folder, "rivers.yaml", ["Rhine.", "The Donau", '{"a": 2.5}'])
    e2e.check(found[:2] == [[1], [0]] and max(found[2]) == 1, f"scores of samples: {found}")
    for old, new, said in ((":Match", ":Translate", ["rivers.yaml:6:10", "evals.class", "as a point of a blueprint"]),
                           ("rivers.jsonl", "river.jsonl", ["rivers.yaml:7:25", "dataset.file"]),
                           ("num_few_shot: 1", "num_few_shot: 4", ["expected 4 examples, found 1", "evals.few-shot"])):
        write(folder, rivers__yaml=REGISTRY.replace(old, new))
        e2e.expect(e2e.assay("check", "rivers.yaml", "-m", "echo:a", cwd=folder), 1, *said)
    write(folder, rivers__yaml=REGISTRY, rivers__jsonl=lines([RIVERS[0], {"input": "q"}]))
    e2e.expect(e2e.assay("check", "rivers.yaml", "-m", "echo:a", cwd=folder), 1, "rivers.jsonl:2:1", "evals.ideal")

with e2e.scratch() as folder:
    write(folder, prices__yaml=TASK, prices__jsonl=lines(PRICES))
    checked = e2e.assay("check", "prices.yaml", "-m", "echo:a", cwd=folder)
    e2e.expect(checked, 0)
    e2e.check("lm-eval, 2 cases" in checked.stdout and "4 checks" in checked.stdout, "a point a filter", checked)
    ran = e2e.assay("run", "prices.yaml", "-m", "echo:a", cwd=folder)
    e2e.expect(ran, 0)
    e2e.check("echo:a" in ran.stdout, "a ranking", ran)
    found = graded(folder, "prices.yaml", ["#### 6", "It is 1500. #### 15 Question: 1"])
    e2e.check(found == [[1, 1], [0, 0]], f"scores of filters: {found}")
    elsewhere = TASK.replace("dataset_path: json\ndataset_kwargs: {data_files: {test: prices.jsonl}}",
                             "dataset_path: someone/prices")
    write(folder, hub__yaml=elsewhere)
    e2e.expect(e2e.assay("check", "hub.yaml", "-m", "echo:a", cwd=folder), 1, "--data prices=FILE", "hub.yaml:2:15")
    e2e.expect(e2e.assay("check", "hub.yaml", "-m", "echo:a", "--data", "prices=prices.jsonl", cwd=folder), 0)
    e2e.expect(e2e.assay("check", "hub.yaml", "-m", "echo:a", "--data", "price=prices.jsonl", cwd=folder), 1,
               'no task "price"', 'did you mean "prices"?')
    write(folder, train__jsonl=lines(PRICES))
    for split, code, *said in (("test", 0), ("tst", 1, 'no split "tst"', 'did you mean "test"?', "lm-eval.data"),
                               ("pool", 1, 'no split "pool"', "its splits: test")):
        words = ["check", "hub.yaml", "-m", "echo:a", "--data", f"prices/{split}=prices.jsonl"]
        e2e.expect(e2e.assay(*words, cwd=folder), code, *said)
    for old, new, said in (
            ('doc_to_target: "{{answer}}"', "doc_to_target: !function utils.target", ["Python", "prices.yaml:7:16"]),
            ("output_type: generate_until", "output_type: multiple_choice", ["lm-eval.likelihood", "$choice"]),
            ("{{question}}", "{% if a %}{{question}}{% endif %}", ["lm-eval.template", "prices.yaml:6:14"]),
            ("{{question}}", "{{question.strip()}}", ["template.syntax", "prices.yaml:6:"]),
            ("{{question}}", "{{qestion}}", ["did you mean {{question}}?", "prices.yaml:6:"]),
            ("metric: exact_match", "metric: bleu", ["lm-eval.metric", "$bleu"]),
            ("function: take_first", "function: my_filter", ["lm-eval.filter", "multi_choice_regex"]),
            ('regex_pattern: "#### (-?[0-9.,]+)"', 'regex_pattern: "("', ["pattern of Python", "prices.yaml:"])):
        write(folder, prices__yaml=TASK.replace(old, new))
        e2e.expect(e2e.assay("check", "prices.yaml", "-m", "echo:a", cwd=folder), 1, *said)
    write(folder, prices__yaml=TASK, base__yaml=TASK.replace("task: prices\n", ""),
          other__yaml="include: base.yaml\ntask: other\n", both__yaml="group: both\ntask: [prices, other]\n")
    write(folder, train__jsonl=lines([{"question": "One loaf at two euros?", "answer": "#### 2"}]),
          shots__yaml=TASK.replace("{test: prices.jsonl}", "{test: prices.jsonl, train: train.jsonl}")
          + "fewshot_split: train\nnum_fewshot: 1\nfewshot_config: {sampler: first_n}\n")
    e2e.expect(e2e.assay("run", "shots.yaml", "-m", "echo:a", cwd=folder), 0)
    prompts = json.loads(e2e.assay("check", "shots.yaml", "-m", "echo:a", "--json", cwd=folder).stdout)["prompts"]
    e2e.check(prompts[0]["messages"][-1]["content"] == "Question: One loaf at two euros?\nAnswer: #### 2\n\n"
              "Question: Three loaves at two euros?\nAnswer:", f"an example before the question: {prompts[0]}")
    for name in ("hub.yaml", "shots.yaml"):  # their task has the same name
        Path(folder, name).unlink()
    both = e2e.assay("check", "both.yaml", "-m", "echo:a", cwd=folder)
    e2e.expect(both, 0)
    e2e.check("4 cases" in both.stdout, "the tasks of a group", both)
    write(folder, both__yaml="group: both\ntask: [prices, anothr]\n")
    e2e.expect(e2e.assay("check", "both.yaml", "-m", "echo:a", cwd=folder), 1, "lm-eval.group", "both.yaml:2:16")

with e2e.scratch() as folder:
    write(folder, tickets__json=json.dumps(EXPORT))
    checked = e2e.assay("check", "tickets.json", cwd=folder)
    e2e.expect(checked, 0)
    e2e.check("openai-hosted, 2 cases" in checked.stdout and "8 checks" in checked.stdout, "a point a grader", checked)
    planned = e2e.assay("plan", "tickets.json", cwd=folder)
    e2e.expect(planned, 0)
    e2e.check("openai:gpt-6-luna" in planned.stdout and "openai:gpt-6-sol" in planned.stdout,
              "the model that is asked and the one that grades", planned)
    for change, said in (({"type": "python", "source": "def grade(): pass"}, ["hosted.python", "sandbox"]),
                         ({**CRITERIA[1], "evaluation_metric": "meteor"}, ["hosted.metric", '"meteor"']),
                         ({**CRITERIA[1], "evaluation_metric": "cosine"}, ["hosted.metric", "embedder"]),
                         ({**CRITERIA[0], "input": "{{sample.model}}"}, ["hosted.template", "output_json"]),
                         ({**CRITERIA[0], "operation": "is"}, ["string_check"]),
                         ({**CRITERIA[0], "reference": "{{item.lable}}"},
                          ["template.unknown", 'no row has "item.lable"', "did you mean {{item.label}}?"])):
        write(folder, tickets__json=json.dumps({**EXPORT, "testing_criteria": [CRITERIA[0], change]}, indent=1))
        e2e.expect(e2e.assay("check", "tickets.json", cwd=folder), 1, "tickets.json:", *said)
    away = json.loads(json.dumps(EXPORT))
    away["data_source"]["source"] = {"type": "file_id", "id": "file-17"}
    write(folder, tickets__json=json.dumps(away),
          items__jsonl=lines(EXPORT["data_source"]["source"]["content"]),
          items__csv="text,label\nThe screen is dark.,Hardware\n")
    e2e.expect(e2e.assay("check", "tickets.json", cwd=folder), 1, "file-17", "--data items=FILE.jsonl")
    e2e.expect(e2e.assay("check", "tickets.json", "--data", "items=items.jsonl", cwd=folder), 0)
    e2e.expect(e2e.assay("check", "tickets.json", "--data", "items=items.csv", cwd=folder), 0)

#!/usr/bin/env python3
"""The Jobs of `--cluster kubernetes` are what a server of Kubernetes takes: its own types decode them strictly, its
admission library lets them pass Pod Security's "restricted", and its strategic merge makes of patches what ours does.
Needs Go, whose modules are fetched once (tests/support/admission)."""
import fcntl
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
import e2e  # noqa: E402
import interop  # noqa: E402

SOURCES = e2e.ROOT / "tests/support/admission"
QUEUE = """metadata: {labels: {kueue.x-k8s.io/queue-name: night}}
spec:
  suspend: true
  template:
    metadata: {annotations: {team: physics}}
    spec:
      serviceAccountName: runner
      nodeSelector: {disk: ssd}
      priorityClassName: low
      imagePullSecrets: [{name: registry}]
      tolerations: [{key: spot, operator: Exists, effect: NoSchedule}]
      volumes: [{name: scratch, emptyDir: {sizeLimit: 1Gi}}]
      containers:
      - name: assay
        resources: {requests: {cpu: 500m, memory: 1Gi}, limits: {memory: 2Gi}}
        env: [{name: TZ, value: UTC}]
        volumeMounts: [{mountPath: /tmp, name: scratch}]
"""
PATCHES = {
    "queue": QUEUE,
    "null removes": "spec: {template: {spec: {securityContext: {fsGroup: null}, restartPolicy: null}}}",
    "delete and replace": "spec: {template: {spec: {containers: [{name: assay, securityContext: {$patch: replace, "
                          "allowPrivilegeEscalation: false, runAsUser: 7}}], volumes: [{name: secret, "
                          "$patch: delete}]}}}",
    "merge by mount": "spec: {template: {spec: {containers: [{name: assay, volumeMounts: [{mountPath: "
                      "/run/secrets/assay, readOnly: false}]}]}}}",
    "a container beside": "spec: {template: {spec: {containers: [{name: log, image: x}]}}}",
    "a map that is new": "spec: {template: {spec: {affinity: {nodeAffinity: {a: null}}}}}",
    "several": "metadata: {labels: {a: b}}\n---\nmetadata: {labels: {a: c, d: e}}\n",
}
# Lists whose members have names: their order says nothing.
NAMED = {"containers": "name", "volumes": "name", "env": "name", "volumeMounts": "mountPath",
         "imagePullSecrets": "name"}


def program():
    """The judge, built by the first test that asks for it."""
    go = shutil.which("go") or shutil.which("go", path="/usr/local/go/bin")
    if go is None:
        e2e.skip("Go is not installed")
    folder = interop.folder() / "admission"
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        built = subprocess.run([go, "build", "-o", folder / "admission", "."], cwd=SOURCES, capture_output=True,
                               text=True, env={**os.environ, "GOFLAGS": "-mod=readonly"})
    if built.returncode != 0:
        e2e.skip(f"the judge cannot be built: {(built.stderr.strip() or 'nothing said').splitlines()[-1]}")
    return folder / "admission"


def sorted_names(value, key=None):
    if isinstance(value, dict):
        return {name: sorted_names(each, name) for name, each in value.items()}
    if isinstance(value, list):
        items = [sorted_names(each) for each in value]
        return sorted(items, key=lambda item: str(item[NAMED[key]])) if key in NAMED else items
    return value


def lines_of(result):
    e2e.check(result.returncode == 0, "the judge", result)
    return [json.loads(line) for line in result.stdout.splitlines()]


with e2e.scratch() as folder:
    judge = program()
    place = Path(folder)
    (place / "suite.yml").write_text(e2e.suite(3))
    words = ["run", "suite.yml", "--cluster", "kubernetes", "--shards", "4", "--dry-run", "--cluster-arg=claim=suites",
             "--cluster-arg=image=registry.example/assay:1", "--cluster-arg=secret=keys", "--store",
             "postgresql://db.example/runs?service=runs"]

    def jobs(*more):
        shown = e2e.assay(*words, *more, cwd=place, env={"PGSERVICEFILE": "/run/secrets/assay/pg_service.conf"})
        e2e.check(shown.returncode == 0, "jobs", shown)
        return shown.stdout

    plain = jobs()
    verdicts = lines_of(subprocess.run([judge], input=plain, capture_output=True, text=True))
    e2e.check(len(verdicts) == 2, f"two Jobs: {verdicts}")
    for verdict in verdicts:
        e2e.check(verdict["allowed"], f"{verdict['name']} is not let in: {verdict['why']}")
        e2e.check((verdict["kind"], verdict["apiVersion"]) == ("Job", "batch/v1"), str(verdict))
    rules = verdicts[0]["spec"]["podFailurePolicy"]["rules"]
    e2e.check([rule["action"] for rule in rules] == ["Ignore", "FailIndex", "Count"], f"the rules: {rules}")
    e2e.check(rules[1]["onExitCodes"]["values"] == [1] and rules[2]["onExitCodes"]["values"] == [75], str(rules))
    # The judge refuses what is wrong: a weaker pod, and a word that no Job has.
    weak = plain.replace("allowPrivilegeEscalation: false", "allowPrivilegeEscalation: true")
    e2e.check(not lines_of(subprocess.run([judge], input=weak, capture_output=True, text=True))[0]["allowed"],
              "the judge lets everything in")
    odd = subprocess.run([judge], input=plain.replace("completionMode:", "completionMood:"), capture_output=True,
                         text=True)
    e2e.check(odd.returncode == 1 and "completionMood" in odd.stderr, "the judge takes any word", odd)

    (place / "plain.yml").write_text(plain)
    for name, patch in PATCHES.items():
        (place / "patch.yml").write_text(patch)
        ours = jobs("--cluster-arg=patch=patch.yml")
        theirs = lines_of(subprocess.run([judge, "plain.yml", "patch.yml"], cwd=place, capture_output=True, text=True))
        # Ours is decoded by the judge too: an empty patch changes nothing.
        (place / "ours.yml").write_text(ours)
        (place / "none.yml").write_text("{}\n")
        decoded = lines_of(subprocess.run([judge, "ours.yml", "none.yml"], cwd=place, capture_output=True, text=True))
        e2e.check(sorted_names(decoded) == sorted_names(theirs), f"{name}:\n{decoded}\n---\n{theirs}")
    (place / "patch.yml").write_text(QUEUE)
    queued = lines_of(subprocess.run([judge], input=jobs("--cluster-arg=patch=patch.yml"), capture_output=True,
                                     text=True))
    e2e.check(all(verdict["allowed"] and verdict["spec"]["suspend"] for verdict in queued), f"with a queue: {queued}")

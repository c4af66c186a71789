// Judges Jobs as a Kubernetes server does: strict decoding into its own types, and Pod Security's "restricted" by the
// admission library. With arguments, a file of Jobs and of patches, it prints the Jobs as the server's strategic merge
// makes them. One JSON document a line comes out.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
	"sigs.k8s.io/yaml"
)

func fail(format string, values ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", values...)
	os.Exit(1)
}

func documents(text []byte) [][]byte {
	var found [][]byte
	for _, part := range bytes.Split(append([]byte("\n"), text...), []byte("\n---")) {
		if len(strings.TrimSpace(string(part))) > 0 {
			found = append(found, part)
		}
	}
	return found
}

func print(value any) {
	line, err := json.Marshal(value)
	if err != nil {
		fail("%v", err)
	}
	fmt.Println(string(line))
}

// What each patch makes of each Job.
func merge(jobs, patches []byte) {
	for _, job := range documents(jobs) {
		merged, err := yaml.YAMLToJSON(job)
		for _, patch := range documents(patches) {
			var change []byte
			if err == nil {
				change, err = yaml.YAMLToJSON(patch)
			}
			if err == nil {
				merged, err = strategicpatch.StrategicMergePatch(merged, change, batchv1.Job{})
			}
		}
		if err != nil {
			fail("%v", err)
		}
		fmt.Println(string(bytes.TrimSpace(merged)))
	}
}

func judge(text []byte) {
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks())
	if err != nil {
		fail("%v", err)
	}
	restricted := api.LevelVersion{Level: api.LevelRestricted, Version: api.LatestVersion()}
	for _, document := range documents(text) {
		var job batchv1.Job
		if err := yaml.UnmarshalStrict(document, &job); err != nil {
			fail("%v", err)
		}
		verdict := policy.AggregateCheckResults(
			evaluator.EvaluatePod(restricted, &job.Spec.Template.ObjectMeta, &job.Spec.Template.Spec))
		print(map[string]any{"name": job.Name, "kind": job.Kind, "apiVersion": job.APIVersion,
			"allowed": verdict.Allowed, "why": verdict.ForbiddenDetail(), "spec": job.Spec})
	}
}

func read(path string) []byte {
	text, err := os.ReadFile(path)
	if err != nil {
		fail("%v", err)
	}
	return text
}

func main() {
	if len(os.Args) == 3 {
		merge(read(os.Args[1]), read(os.Args[2]))
		return
	}
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		fail("%v", err)
	}
	judge(text)
}

package definition_test

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkSelect checks a definition of 500 jobs with rules, and selects them.
func BenchmarkSelect(b *testing.B) {
	var text strings.Builder
	text.WriteString("variables: {A: 1, B: 2}\ndefault: {image: golang, tags: [linux]}\n")
	for i := range 500 {
		fmt.Fprintf(&text, "job%d: {script: [one, two], variables: {N: %d}, rules: ["+
			"{if: '$CI_COMMIT_TAG =~ /^v\\d+/'}, "+
			"{if: '$CI_COMMIT_BRANCH == \"main\"', changes: ['src/%d/**/*', '**/*.go']}]}\n", i, i, i)
	}
	config := mustCheck(b, text.String())
	of := contextOf(b, "push main changed=src/1/a.go,b/c.go")
	b.ReportAllocs()
	for b.Loop() {
		if p, err := config.Select(b.Context(), of); err != nil || len(p.Jobs) != 500 {
			b.Fatal(err)
		}
	}
}

package definition_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/ci/definition"
	"hew/server/ci/document"
)

// TestMistakes compares every error of the blocks of testdata/mistakes.txt.
func TestMistakes(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("testdata/mistakes.txt")
	require.NoError(t, err)
	blocks := strings.Split(strings.TrimSpace(string(content)), "\n\n")[1:]
	require.Greater(t, len(blocks), 20)
	for _, block := range blocks {
		name, rest, _ := strings.Cut(block, "\n")
		file, want, _ := strings.Cut(rest, "\n=> ")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tree, err := load(t, shorthand.ReplaceAllString(file, "${1}script: x$2"))
			require.NoError(t, err)
			config, errors, _ := definition.Check(tree)
			require.Nil(t, config)
			var got []string
			for _, e := range errors {
				require.Equal(t, ".gitlab-ci.yml", e.File)
				got = append(got, fmt.Sprintf("%d %s", e.Line, e.Text))
			}
			require.Equal(t, strings.Split(want, "\n=> "), got)
		})
	}
}

func TestLongNames(t *testing.T) {
	t.Parallel()
	_, err := check(t, strings.Repeat("A", 255)+": {script: x}")
	require.NoError(t, err)
	_, err = check(t, strings.Repeat("A", 256)+": {script: x}")
	require.EqualError(t, err, "jobs:"+strings.Repeat("a", 256)+" name is too long (maximum is 255 characters)")
	_, err = check(t, "workflow: {name: "+strings.Repeat("A", 256)+"}\na: {script: x}")
	require.EqualError(t, err, "workflow name is too long (maximum is 255 characters)")
	_, err = check(t, "a: {script: x, environment: {name: a, url: "+strings.Repeat("u", 256)+"}}")
	require.EqualError(t, err, "jobs:a:environment url is too long (maximum is 255 characters)")
	_, err = check(t, "a: {script: x, needs: ["+strings.Repeat("b", 256)+"]}")
	require.EqualError(t, err, "jobs:a:needs:need config is too long (maximum is 255 characters)")
	_, err = check(t, "a: {script: x, artifacts: {paths: [a], expose_as: "+strings.Repeat("b", 101)+"}}")
	require.EqualError(t, err, "jobs:a:artifacts expose as is too long (maximum is 100 characters)")
}

func TestLongLists(t *testing.T) {
	t.Parallel()
	_, err := check(t, "a: {script: x, rules: [{changes: ["+strings.Repeat("a, ", 51)+"]}]}")
	require.EqualError(t, err, "jobs:a:rules:rule:changes config has too many entries (maximum 50)")
	_, err = check(t, "a: {script: x, rules: [{exists: {paths: ["+strings.Repeat("a, ", 51)+"]}}]}")
	require.EqualError(t, err, "jobs:a:rules:rule:exists:paths config has too many entries (maximum 50)")
	_, err = check(t, "a: {script: x, tags: ["+strings.Repeat("a, ", 50)+"]}")
	require.EqualError(t, err, "jobs:a:tags config must be less than the limit of 50 tags")
	_, err = check(t, "a: {script: x, needs: ["+strings.Repeat("{pipeline: $P, job: b}, ", 6)+"]}")
	require.EqualError(t, err, "jobs:a:needs config must be less than or equal to 5")
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	warnings := func(text string) []*definition.Warning {
		tree, err := load(t, text)
		require.NoError(t, err)
		config, errors, warnings := definition.Check(tree)
		require.Empty(t, errors)
		require.NotNil(t, config)
		return warnings
	}
	found := warnings("b: {script: x}\nA: {script: x, rules: [{if: $A}, {when: always}]}")
	require.Equal(t, []*definition.Warning{{File: ".gitlab-ci.yml", Line: 2, Text: "jobs:a may allow multiple " +
		"pipelines to run for a single action due to `rules:when` clause with no `workflow:rules`"}}, found)
	for _, text := range []string{
		"a: {script: x, rules: [{when: always}, {when: never}]}",
		"a: {script: x, rules: [{when: always, allow_failure: true}]}",
		"workflow: {rules: [{when: always}]}\na: {script: x, rules: [{when: always}]}",
	} {
		require.Empty(t, warnings(text), text)
	}
	var many strings.Builder
	for i := range 30 {
		fmt.Fprintf(&many, "a%d: {script: x, rules: [{when: always}]}\n", i)
	}
	require.Len(t, warnings(many.String()), 25)
}

// Trees that Load never returns.
func TestOddTrees(t *testing.T) {
	t.Parallel()
	for _, tree := range []*document.Node{nil, {}, {Kind: document.List}, {Kind: document.String, Text: "x"}} {
		_, errors, _ := definition.Check(tree)
		require.Equal(t, "Invalid configuration format", errors[0].Text)
	}
	tree := &document.Node{Kind: document.Map, Entries: []document.Entry{{Key: "a", Plain: true,
		Value: &document.Node{Kind: document.Map, Entries: []document.Entry{
			{Key: "script", Plain: true, Value: &document.Node{Kind: document.String, Text: "x\x00"}}}}}}}
	_, errors, _ := definition.Check(tree)
	require.Equal(t, "The configuration contains a NUL character", errors[0].Text)
}

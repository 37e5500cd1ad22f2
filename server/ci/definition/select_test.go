package definition_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/ci/definition"
	"hew/server/ci/document"
	"hew/server/ci/expression"
)

func mustCheck(t testing.TB, text string) *definition.Config {
	t.Helper()
	config, err := check(t, text)
	require.NoError(t, err)
	return config
}

func TestWorkflow(t *testing.T) {
	t.Parallel()
	config := mustCheck(t, `
workflow:
  name: ' $T of ${CI_COMMIT_BRANCH} $UNKNOWN'
  auto_cancel: {on_new_commit: interruptible}
  rules:
    - {if: '$CI_JOB_NAME || $CI_JOB_STAGE', when: never}
    - {if: $CI_COMMIT_BRANCH, variables: {T: "rule $N"}, auto_cancel: {on_job_failure: all}}
variables: {T: top, N: {value: n, description: N of it, options: [n, m]}, R: {value: $N, expand: false}}
a: {script: x}
`)
	require.Equal(t, []definition.Variable{
		{Variable: expression.Variable{Key: "T", Value: "top"}},
		{Variable: expression.Variable{Key: "N", Value: "n"}, Description: "N of it", Options: []string{"n", "m"}},
		{Variable: expression.Variable{Key: "R", Value: "$N", Raw: true}},
	}, config.Variables)
	p, err := config.Select(t.Context(), contextOf(t, "push main N=2"))
	require.NoError(t, err)
	require.Equal(t, "rule 2 of main", p.Name)
	require.Equal(t, definition.AutoCancel{OnNewCommit: "interruptible", OnJobFailure: "all"}, p.AutoCancel)
	require.Equal(t, []string{".pre", "build", "test", "deploy", ".post"}, p.Stages)
	require.Equal(t, []expression.Variable{
		{Key: "T", Value: "rule $N"}, {Key: "N", Value: "n"}, {Key: "R", Value: "$N", Raw: true},
	}, p.Jobs[0].Variables)
	_, err = config.Select(t.Context(), contextOf(t, "tag v1"))
	require.ErrorIs(t, err, definition.ErrFiltered)

	config = mustCheck(t, "workflow: {name: $A}\nvariables: {A: $B, B: $A}\na: {script: x}")
	_, err = config.Select(t.Context(), contextOf(t, ""))
	require.EqualError(t, err, `workflow:name: circular variable reference detected: ["A", "B"]`)
}

func TestFiftyNeeds(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{50: "", 51: "b: one job can only need 50 others, but you have listed 51. " +
		"See needs keyword documentation for more details"} {
		config := mustCheck(t, fmt.Sprintf("a: {script: x, parallel: %d}\nb: {script: x, needs: [a]}", n))
		p, err := config.Select(t.Context(), contextOf(t, ""))
		if want != "" {
			require.EqualError(t, err, want)
			continue
		}
		require.NoError(t, err)
		require.Len(t, p.Jobs[50].Needs, 50)
	}
}

// Variables of the project may be for an environment, whose name has variables of the job.
func TestStoredVariables(t *testing.T) {
	t.Parallel()
	config := mustCheck(t, `
a: {script: x, variables: {N: prod}, environment: {name: $N/$P}, rules: [{if: $KEY == "prod/eu"}]}
b: {script: x, rules: [{if: $KEY == ""}]}
c: {script: x, variables: {KEY: c}, rules: [{if: $KEY == "c"}]}
d: {script: x, variables: {A: $B, B: $A}, environment: $A, rules: [{if: $NO}]}
`)
	of := contextOf(t, "push main P=eu")
	asked := map[string]int{}
	of.Stored = func(environment string) []expression.Variable {
		asked[environment]++
		return []expression.Variable{{Key: "KEY", Value: environment}}
	}
	_, err := config.Select(t.Context(), of)
	require.EqualError(t, err, `d: circular variable reference detected: ["A", "B"]`)
	require.Equal(t, map[string]int{"": 1, "prod/eu": 1}, asked)
	require.Equal(t, 5, err.(*definition.Error).Line)

	of.Stored = nil
	p, err := config.Select(t.Context(), of)
	require.NoError(t, err)
	require.Equal(t, "test[c KEY=c]", describe(p, nil))
}

// Files are asked for once, whatever the number of jobs.
func TestFilesAreAskedForOnce(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range 20 {
		fmt.Fprintf(&text, "a%d: {script: x, rules: [{changes: [a], exists: [b, 'c*']}]}\n", i)
	}
	of, changed, files := contextOf(t, ""), 0, 0
	of.Changed = func(context.Context, string) ([]string, bool, error) { changed++; return []string{"a"}, true, nil }
	of.Files = func(context.Context, string, string) ([]string, error) { files++; return []string{"c"}, nil }
	p, err := mustCheck(t, text.String()).Select(t.Context(), of)
	require.NoError(t, err)
	require.Len(t, p.Jobs, 20)
	require.Equal(t, 1, changed)
	require.Equal(t, 1, files)

	failure := errors.New("disk")
	of.Files = func(context.Context, string, string) ([]string, error) { return nil, failure }
	_, err = mustCheck(t, text.String()).Select(t.Context(), of)
	require.ErrorIs(t, err, failure)
}

func TestExistsElsewhere(t *testing.T) {
	t.Parallel()
	config := mustCheck(t, "a: {script: x, rules: [{exists: {paths: [a], project: $P, ref: v1}}]}")
	of := contextOf(t, "push main P=g/q")
	of.Files = func(_ context.Context, project, ref string) ([]string, error) {
		require.Equal(t, "g/q v1", project+" "+ref)
		return nil, &definition.Error{Text: "no such project"}
	}
	_, err := config.Select(t.Context(), of)
	require.EqualError(t, err, "no such project")
}

// A regular expression that is too large for a value is an error, not a long wait.
func TestExpensiveRules(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"a: {script: x, rules: [{if: '$A =~ /(a?){900}b{900}c/'}]}",
		"a: {script: x, only: {variables: ['$A =~ /(a?){900}b{900}c/']}}",
	} {
		of := contextOf(t, "")
		of.Pipeline = []expression.Variable{{Key: "A", Value: strings.Repeat("a", 100_000)}}
		_, err := mustCheck(t, text).Select(t.Context(), of)
		require.EqualError(t, err, "Failed to parse rule for a: regular expression is too large for the text it is compared with")
	}
}

func TestSelectStops(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := mustCheck(t, "a: {script: x}").Select(ctx, contextOf(t, ""))
	require.ErrorIs(t, err, context.Canceled)
}

func TestIncludes(t *testing.T) {
	t.Parallel()
	for rules, want := range map[string]string{
		`[{if: $CI_COMMIT_BRANCH == "main"}]`: "true",
		`[{if: $NO}]`:                         "false",
		`[{when: never}]`:                     "false",
		`[{if: $NO}, {exists: [a.yml], changes: [b], when: always}]`: "true",
		`[{exists: [b.yml]}]`: "false",
		`null`:                "true",
		`[{foo: 1}]`:          "include:rules:rule config contains unknown keys: foo",
		`[{when: manual}]`:    "include:rules:rule when unknown value: manual",
		`x`:                   "include:rules config should be an array containing hashes and arrays of hashes",
	} {
		tree, err := load(t, "rules: "+rules)
		require.NoError(t, err)
		included, err := contextOf(t, "push main changed=b files=a.yml").Includes(t.Context(), tree.Get("rules"))
		got := fmt.Sprint(included)
		if err != nil {
			got = err.Error()
		}
		require.Equal(t, want, got, rules)
	}
	included, err := definition.Context{}.Includes(t.Context(), nil)
	require.True(t, included)
	require.NoError(t, err)
}

// Small files that ask for much get an error within the time of a request.
func TestLargeDefinitions(t *testing.T) {
	t.Parallel()
	begin := time.Now()
	repeat := func(n int, format string) string {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, format, i)
		}
		return text.String()
	}
	_, err := check(t, repeat(51, "a%d: {script: x, parallel: 200}\n"))
	require.EqualError(t, err, "Pipeline has too many jobs! Requested 10200, but the limit is 10000.")

	variables := "variables: {" + repeat(3000, "V%d: x, ") + "}\n"
	config := mustCheck(t, variables+repeat(2, "a%d: {script: x, parallel: 200, variables: {A: b}}\n"))
	_, err = config.Select(t.Context(), contextOf(t, ""))
	require.ErrorContains(t, err, "the jobs of the pipeline have more than 1000000 variables")
	config = mustCheck(t, variables+repeat(25, "a%d: {script: x, parallel: 200}\n")) // all share them
	p, err := config.Select(t.Context(), contextOf(t, ""))
	require.NoError(t, err)
	require.Len(t, p.Jobs, 5000)

	config = mustCheck(t, repeat(49, "a%d: {script: x, parallel: 200}\n")+
		"b: {script: x, parallel: 200, dependencies: ["+repeat(49, "a%d, ")+"]}")
	_, err = config.Select(t.Context(), contextOf(t, ""))
	require.ErrorContains(t, err, "the pipeline has more than 200000 dependencies")

	_, err = check(t, "a: {script: x, foo"+strings.Repeat("o", 100_000)+": 1}")
	require.Less(t, len(err.Error()), 11_000)
	require.Less(t, time.Since(begin), 30*time.Second)
}

func TestNames(t *testing.T) {
	t.Parallel()
	for name, group := range map[string]string{
		"a 1/3": "a", "a: [x, y]": "a", "a": "a", "1/2": "1/2", "a 1 2": "a", "a b": "a b", "a: [x] 1/2": "a",
		"a:1:3": "a", "[x]": "[x]",
	} {
		require.Equal(t, group, (&definition.Job{Name: name}).Group(), name)
	}
	for text, slug := range map[string]string{
		"Deploy: [EU, x]": "deploy---eu--x", "é": "", strings.Repeat("a", 80): strings.Repeat("a", 63), "-a_b-": "a-b",
	} {
		require.Equal(t, slug, definition.Slug(text))
	}
	p, err := mustCheck(t, "a/b: {script: x, parallel: 2, when: manual, "+
		"environment: {name: live/$X, action: stop, url: 'http://$X'}}").
		Select(t.Context(), contextOf(t, ""))
	require.NoError(t, err)
	var got []string
	for _, v := range p.Jobs[1].Predefined() {
		got = append(got, v.Key+"="+v.Value)
	}
	require.Equal(t, []string{"CI_JOB_NAME=a/b 2/2", "CI_JOB_NAME_SLUG=a-b-2-2", "CI_JOB_STAGE=test",
		"CI_JOB_GROUP_NAME=a/b", "CI_NODE_TOTAL=2", "CI_NODE_INDEX=2", "CI_JOB_MANUAL=true",
		"CI_ENVIRONMENT_NAME=live/$X", "CI_ENVIRONMENT_ACTION=stop", "CI_ENVIRONMENT_TIER=production",
		"CI_ENVIRONMENT_URL=http://$X"}, got)
}

// FuzzCheck checks and selects whatever can be loaded.
func FuzzCheck(f *testing.F) {
	for _, c := range readTable(f) {
		f.Add(c.file)
	}
	f.Add("default: {retry: {max: 1}}\na: {script: [[x]], needs: [{job: b, parallel: {matrix: [{A: [1]}]}}]}")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := document.Load(t.Context(), document.Request{Content: []byte(text)})
		if err != nil {
			return
		}
		config, errors, warnings := definition.Check(d.Root)
		require.Equal(t, config == nil, len(errors) > 0)
		require.LessOrEqual(t, len(warnings), 25)
		if config == nil {
			return
		}
		for _, context := range []string{"push main A=1 changed=a,b files=a,b/c", "tag v1", "mr feat changed=nil"} {
			p, err := config.Select(t.Context(), contextOf(t, context))
			if err != nil {
				continue
			}
			require.NotEmpty(t, p.Jobs)
			for _, j := range p.Jobs {
				require.Contains(t, p.Stages, j.Stage)
				require.LessOrEqual(t, len(j.Needs), 50)
				require.NotEqual(t, definition.Never, j.When)
			}
		}
	})
}

package definition_test

import (
	"context"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/ci/definition"
	"hew/server/ci/document"
	"hew/server/ci/expression"
)

// tableCase is a block of testdata/pipelines.txt.
type tableCase struct {
	name, context, file, want string
	show                      []string
}

var (
	headline  = regexp.MustCompile(`^([^\[]*?)(?: \[(.*)\])?(?: show (.*))?$`)
	shorthand = regexp.MustCompile(`([{ ])S([,}])`)
)

func readTable(t testing.TB) (cases []tableCase) {
	t.Helper()
	content, err := os.ReadFile("testdata/pipelines.txt")
	require.NoError(t, err)
	for _, block := range strings.Split(string(content), "\n\n") {
		if strings.HasPrefix(block, "#") {
			continue
		}
		head, rest, _ := strings.Cut(strings.TrimSpace(block), "\n")
		file, want, found := strings.Cut(rest, "\n=> ")
		require.True(t, found, block)
		parts := headline.FindStringSubmatch(head)
		cases = append(cases, tableCase{parts[1], parts[2], shorthand.ReplaceAllString(file, "${1}script: x$2"), want,
			strings.Fields(parts[3])})
	}
	return cases
}

func TestPipelines(t *testing.T) {
	t.Parallel()
	cases := readTable(t)
	require.Greater(t, len(cases), 40)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, outcome(t, c))
		})
	}
}

// outcome returns the result of a case as the table writes it.
func outcome(t *testing.T, c tableCase) string {
	t.Helper()
	config, err := check(t, c.file)
	if err != nil {
		return "error " + err.Error()
	}
	pipeline, err := config.Select(t.Context(), contextOf(t, c.context))
	if err != nil {
		return "error " + err.Error()
	}
	return describe(pipeline, c.show)
}

// load returns the tree of a definition.
func load(t testing.TB, text string) (*document.Node, error) {
	t.Helper()
	d, err := document.Load(t.Context(), document.Request{File: ".gitlab-ci.yml", Content: []byte(text)})
	if err != nil {
		return nil, err
	}
	return d.Root, nil
}

// check returns the definition of a text, or its first error.
func check(t testing.TB, text string) (*definition.Config, error) {
	t.Helper()
	tree, err := load(t, text)
	if err != nil {
		return nil, err
	}
	config, errors, _ := definition.Check(tree)
	if len(errors) > 0 {
		require.Nil(t, config)
		return nil, errors[0]
	}
	return config, nil
}

// contextOf reads "push main A=1 changed=a,b files=c".
func contextOf(t testing.TB, text string) definition.Context {
	t.Helper()
	words := strings.Fields(text)
	if len(words) == 0 {
		words = []string{"push", "main"}
	}
	of := definition.Context{Source: words[0], Ref: words[1], ProjectPath: "g/p"}
	predefined := map[string]string{"CI_COMMIT_REF_NAME": words[1], "CI_DEFAULT_BRANCH": "main"}
	switch words[0] {
	case "tag":
		of.Source, of.Kind, predefined["CI_COMMIT_TAG"] = "push", definition.Tag, words[1]
	case "mr":
		of.Source, of.Kind = "merge_request_event", definition.MergeRequest
	default:
		predefined["CI_COMMIT_BRANCH"] = words[1]
	}
	predefined["CI_PIPELINE_SOURCE"] = of.Source
	for key, value := range predefined {
		of.Predefined = append(of.Predefined, expression.Variable{Key: key, Value: value})
	}
	changed, files := map[string][]string{}, []string(nil)
	for _, word := range words[2:] {
		key, value, _ := strings.Cut(word, "=")
		list := strings.FieldsFunc(value, func(r rune) bool { return r == ',' })
		name, ref, _ := strings.Cut(key, "@")
		switch {
		case name == "changed" && value != "nil":
			changed[ref] = list
		case key == "files":
			files = list
		case name != "changed":
			of.Pipeline = append(of.Pipeline, expression.Variable{Key: key, Value: value})
		}
	}
	of.Changed = func(_ context.Context, to string) ([]string, bool, error) {
		list, ok := changed[to]
		if to != "" && !ok {
			return nil, false, definition.ErrBadRef
		}
		return list, ok, nil
	}
	of.Files = func(context.Context, string, string) ([]string, error) { return files, nil }
	return of
}

// describe writes a pipeline as the table has it.
func describe(p *definition.Pipeline, show []string) string {
	var stages []string
	for _, stage := range p.Stages {
		var jobs []string
		for _, j := range p.Jobs {
			if j.Stage == stage {
				jobs = append(jobs, describeJob(j, show))
			}
		}
		if jobs != nil {
			stages = append(stages, stage+"["+strings.Join(jobs, "; ")+"]")
		}
	}
	return strings.Join(stages, " ")
}

func describeJob(j *definition.Job, show []string) string {
	text := j.Name
	if j.When != definition.OnSuccess {
		text += "{" + string(j.When) + "}"
	}
	if j.AllowFailure {
		text += "!af"
	}
	if j.Needs != nil {
		var names []string
		for _, n := range j.Needs {
			names = append(names, n.Job)
		}
		text += "<-" + strings.Join(names, ",")
	}
	var variables []string
	for _, v := range j.Variables {
		variables = append(variables, v.Key+"="+v.Value)
	}
	if variables != nil {
		text += " " + strings.Join(variables, ",")
	}
	for _, what := range show {
		if list := detail(j, what); list != nil {
			text += " " + strings.TrimSpace(what+" "+strings.Join(list, ","))
		}
	}
	return text
}

// detail returns what a job has of a keyword, nil if nothing.
func detail(j *definition.Job, what string) []string {
	switch what {
	case "script":
		return j.Options.Script
	case "before_script":
		return j.Options.BeforeScript
	case "tags":
		return j.Tags
	case "dependencies":
		return j.Options.Dependencies
	case "retry":
		if j.Options.Retry != nil {
			return []string{strconv.Itoa(j.Options.Retry.Max)}
		}
	case "paths":
		if j.Options.Artifacts != nil {
			return j.Options.Artifacts.Paths
		}
	}
	return nil
}

// The example of this project is valid, and has jobs for branches, merge requests and schedules.
func TestExample(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../examples/ci/gitlab-ci.yml")
	require.NoError(t, err)
	config, err := check(t, string(text))
	require.NoError(t, err)
	for _, context := range []string{"push main", "mr feat", "schedule main"} {
		p, err := config.Select(t.Context(), contextOf(t, context))
		require.NoError(t, err, context)
		t.Log(context, describe(p, nil))
	}
}

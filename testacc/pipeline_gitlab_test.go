package testacc

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"hew/testacc/notes"
)

// gitlabJob is a job of what GitLab reads.
type gitlabJob struct {
	Stage, Environment string
	Rules              []struct{ If string }
	Variables          map[string]string
	Script             []string
	ResourceGroup      string `yaml:"resource_group"`
	AllowFailure       struct {
		ExitCodes int `yaml:"exit_codes"`
	} `yaml:"allow_failure"`
	Artifacts struct {
		When    string
		Paths   []string
		Reports map[string]string
	}
}

// TestPipelineOfGitLab runs the jobs of examples/ci/gitlab-ci.yml as they stand there.
func TestPipelineOfGitLab(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(pipelines + "gitlab-ci.yml")
	require.NoError(t, err)
	var file struct {
		Stages             []string
		Variables          map[string]string
		Plan, Apply, Drift gitlabJob
	}
	require.NoError(t, yaml.Unmarshal(text, &file))
	jobs := map[string]gitlabJob{"plan": file.Plan, "apply": file.Apply, "drift": file.Drift}
	for name, j := range jobs {
		require.Contains(t, file.Stages, j.Stage, name)
		require.Len(t, j.Rules, 1, name)
		require.NotEmpty(t, j.Script, name)
	}
	require.Equal(t, `$CI_PIPELINE_SOURCE == "merge_request_event"`, file.Plan.Rules[0].If)
	require.Contains(t, file.Apply.Rules[0].If, "$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH")
	require.Equal(t, `$CI_PIPELINE_SOURCE == "schedule"`, file.Drift.Rules[0].If)
	require.Equal(t, "hew", file.Apply.ResourceGroup)
	require.Equal(t, "hew", file.Drift.ResourceGroup)
	require.NotEmpty(t, file.Apply.Environment)
	for name, token := range map[string]string{"plan": "$HEW_PLAN_TOKEN", "drift": "$HEW_PLAN_TOKEN",
		"apply": "$HEW_APPLY_TOKEN"} {
		require.Equal(t, token, jobs[name].Variables["HEW_TOKEN"], "only what applies may write")
	}
	require.Equal(t, 2, file.Drift.AllowFailure.ExitCodes)
	require.Equal(t, "always", file.Plan.Artifacts.When)

	r := newRunner(t)
	do := func(name string, more map[string]string) (int, string) {
		j := jobs[name]
		env := maps.Clone(r.project)
		maps.Copy(env, map[string]string{"CI": "true", "CI_API_V4_URL": r.forge.URL + "/api/v4", "CI_PROJECT_ID": "5",
			"CI_PROJECT_PATH": "acme/infra", "CI_PROJECT_DIR": r.dir,
			"CI_SERVER_URL": r.forge.URL, "CI_DEFAULT_BRANCH": "main", "CI_PIPELINE_ID": "345",
			"CI_PIPELINE_URL": r.forge.URL + "/acme/infra/-/pipelines/345",
			"CI_JOB_URL":      r.forge.URL + "/acme/infra/-/jobs/6", "CI_COMMIT_SHA": "of-the-branch"})
		if more["iid"] != "" {
			env["CI_PIPELINE_SOURCE"] = "merge_request_event"
			env["CI_MERGE_REQUEST_IID"], env["CI_MERGE_REQUEST_PROJECT_ID"] = more["iid"], "5"
		} else {
			env["CI_PIPELINE_SOURCE"], env["CI_COMMIT_BRANCH"], env["CI_COMMIT_SHA"] = "push", "main", more["commit"]
		}
		for _, variables := range []map[string]string{file.Variables, j.Variables} {
			for name, value := range variables {
				env[name] = os.Expand(value, func(name string) string { return env[name] })
			}
		}
		code, log := r.run(strings.Join(j.Script, "\n"), env)
		if name == "apply" {
			return code, log
		}
		kept := slices.Concat(j.Artifacts.Paths, slices.Collect(maps.Values(j.Artifacts.Reports)))
		for _, file := range kept {
			require.FileExists(t, filepath.Join(r.dir, file))
		}
		return code, log
	}
	r.forge.Add(12, notes.Person, "Please plan.")
	r.tellPipeline(do, func(commit string, iid int) {
		r.forge.merge(commit, iid)
		r.forge.keep(t, iid, r.dir, "plan.json")
	})
	require.Len(t, r.forge.said(12), 1)
	require.Contains(t, r.forge.said(12)[0], "3 to create")
	require.Regexp(t, `<!-- hew plan [0-9a-f]+ 345 -->$`, r.forge.said(12)[0])
	require.Len(t, r.forge.said(14), 1)
	require.Contains(t, r.forge.said(14)[0], "There is no plan")
	require.Equal(t, "Please plan.", r.forge.On(12, notes.Person)[0].Body)
	require.NotContains(t, strings.Join(r.forge.Asked(), "\n"), "DELETE")
}

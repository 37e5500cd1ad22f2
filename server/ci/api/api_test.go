package api_test

import (
	"testing"

	"hew/server/ci/api"
	"hew/server/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

func TestTranscripts(t *testing.T) { servertest.Transcripts(t, "testdata") }

func TestAccess(t *testing.T) { servertest.Access(t, api.Part, ask) }

// ask has requests for the route whose parameters decide who can create a runner.
var ask = map[string][]string{
	"POST /user/runners": {
		"/user/runners?runner_type=instance_type",
		"/user/runners?runner_type=group_type&group_id={here}",
		"/user/runners?runner_type=project_type&project_id={project_id}",
	},
}

func TestParameters(t *testing.T) { servertest.Parameters(t, api.Part) }

func TestStatements(t *testing.T) {
	// The lists of who is admitted would need as many projects and groups; a transcript has them.
	servertest.Statements(t, api.Part,
		"/projects/{id}/job_token_scope/allowlist", "/projects/{id}/job_token_scope/groups_allowlist")
}

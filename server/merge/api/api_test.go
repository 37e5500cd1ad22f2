package api_test

import (
	"testing"

	"hew/server/merge/api"
	"hew/server/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

func TestTranscripts(t *testing.T) { servertest.Transcripts(t, "testdata") }

func TestAccess(t *testing.T) { servertest.Access(t, api.Part, nil) }

func TestParameters(t *testing.T) { servertest.Parameters(t, api.Part) }

func TestStatements(t *testing.T) {
	const one = "/projects/{id}/merge_requests/{merge_request_iid}"
	servertest.Statements(t, api.Part,
		one+"/draft_notes as A", // wrote none
	)
}

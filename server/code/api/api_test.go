package api_test

import (
	"testing"

	"hew/server/code/api"
	"hew/server/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

func TestTranscripts(t *testing.T) { servertest.Transcripts(t, "testdata") }

func TestAccess(t *testing.T) {
	servertest.Access(t, api.Part, map[string][]string{
		"POST /projects/{id}/fork": {"", "/projects/{id}/fork?namespace=x&namespace_id=1"},
	})
}

func TestParameters(t *testing.T) { servertest.Parameters(t, api.Part) }

func TestStatements(t *testing.T) { servertest.Statements(t, api.Part) }

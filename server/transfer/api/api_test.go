package api_test

import (
	"testing"

	"hew/server/part"
	"hew/server/servertest"
	"hew/server/transfer/api"
)

func TestMain(m *testing.M) { servertest.Main(m) }

func TestTranscripts(t *testing.T) { servertest.Transcripts(t, "testdata") }

func TestAccess(t *testing.T) { servertest.Access(t, api.Part, nil) }

func TestParameters(t *testing.T) {
	far := newFarHost(t, "archive")
	servertest.Parameters(t, func(h part.Host) part.Part {
		h.ImportS3, h.Out = far.URL, far.guard(t)
		return api.Part(h)
	})
}

func TestStatements(t *testing.T) { servertest.Statements(t, api.Part) }

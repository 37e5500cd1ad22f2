package api_test

import (
	"testing"

	"hew/server/forge/api"
	"hew/server/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

func TestTranscripts(t *testing.T) { servertest.Transcripts(t, "testdata") }

func TestAccess(t *testing.T) { servertest.Access(t, api.Part, nil) }

func TestStatements(t *testing.T) { servertest.Statements(t, api.Part) }

package api_test

import (
	"testing"

	"hew/server/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

func TestTranscripts(t *testing.T) { servertest.Transcripts(t, "testdata") }

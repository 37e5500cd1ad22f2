package server_test

import (
	"testing"

	"hew/server/servertest"
)

func TestTranscripts(t *testing.T) { servertest.Transcripts(t, "testdata") }

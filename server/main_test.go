package server_test

import (
	"os"
	"testing"

	"hew/server/servertest"
)

func TestMain(m *testing.M) {
	if target := os.Getenv(loadVar); target != "" { // the benchmark's clients: see load
		os.Exit(shoot(target))
	}
	servertest.Main(m)
}

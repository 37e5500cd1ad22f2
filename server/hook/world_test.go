package hook_test

import (
	"testing"

	"hew/server/servertest"
)

// world is a database without the API, with what the tests here need beside it.
type world struct {
	servertest.World
	t *testing.T
}

func newWorld(t *testing.T) world { return world{servertest.NewWorld(t), t} }

package db_test

import (
	"testing"

	"hew/server/servertest"
)

// world is a database without the API, and the helpers of the tests here.
type world struct {
	servertest.World
	t *testing.T
}

func newWorld(t *testing.T) world { return world{servertest.NewWorld(t), t} }

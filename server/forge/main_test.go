package forge_test

import (
	"testing"

	"hew/server/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

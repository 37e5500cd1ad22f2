package testacc

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"hew/server/servertest"
)

// bin is where the hew under test is.
var bin string

func TestMain(m *testing.M) { servertest.Main(built{m}) }

// built runs the tests with a hew that was built from this tree, and removes it.
type built struct{ *testing.M }

func (b built) Run() int {
	var err error
	if bin, err = os.MkdirTemp("", "hew-testacc-"); err == nil {
		defer func() { _ = os.RemoveAll(bin) }()
		build := exec.Command("go", "build", "-o", filepath.Join(bin, "hew"), "hew/cmd/hew")
		build.Env = append(os.Environ(), "CGO_ENABLED=0") // as releases are
		build.Stderr = os.Stderr
		err = build.Run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "testacc: hew cannot be built:", err)
		return 1
	}
	return b.M.Run()
}

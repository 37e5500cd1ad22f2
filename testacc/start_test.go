package testacc

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What the initialisation of packages may allocate at each start of hew, in bytes: those of this
// module, and all of them. Kinds, tables and patterns are built by the commands that use them.
const (
	ownInit   = 96 << 10
	wholeInit = 768 << 10
)

// initialised matches a line of GODEBUG=inittrace=1.
var initialised = regexp.MustCompile(`(?m)^init (\S+) @.* ms clock, (\d+) bytes, \d+ allocs$`)

func TestStart(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(filepath.Join(bin, "hew"), "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var said strings.Builder
	cmd.Stderr = &said
	require.NoError(t, cmd.Run())
	own, whole := 0, 0
	var most []string
	for _, line := range initialised.FindAllStringSubmatch(said.String(), -1) {
		n, err := strconv.Atoi(line[2])
		require.NoError(t, err)
		whole += n
		if strings.HasPrefix(line[1], "hew/") {
			own += n
			most = append(most, fmt.Sprintf("%s: %d", line[1], n))
		}
	}
	require.NotZero(t, whole, said.String())
	require.LessOrEqual(t, own, ownInit, "%q", most)
	require.LessOrEqual(t, whole, wholeInit, said.String())
}

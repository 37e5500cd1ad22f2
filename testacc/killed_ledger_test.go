package testacc

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// several are kinds that have others in them, or stand in others.
var several = []string{
	"group", "group_label", "group_member", "project", "project_hook", "project_label", "project_variable",
}

// TestKilledOverItsLedger kills hew at ten points of an apply and more, where the ledger is kept
// elsewhere: over writes to the host, over writes of the ledger, and over its lock; as each is
// about to arrive, or is done and the answer on its way. The next run begins where the last was cut
// off, one finishes, and nothing is there twice.
func TestKilledOverItsLedger(t *testing.T) {
	t.Parallel()
	t.Run("http", func(t *testing.T) {
		t.Parallel()
		m := newElsewhere(
			t, "hew {\n  ledger \"http\" {\n    lock_method   = \"POST\"\n    unlock_method = \"DELETE\"\n  }\n}\n",
		)
		var keep struct{ ID int64 }
		m.server.Do(t, m.server.RootToken, "POST", "/projects", map[string]string{"path": "keep"}).Into(t, &keep)
		address := fmt.Sprintf("%s/api/v4/projects/%d/terraform/state/hew", m.proxy.URL, keep.ID)
		m.env = append(m.env, "TF_HTTP_ADDRESS="+address, "TF_HTTP_LOCK_ADDRESS="+address+"/lock")
		kills, locks := 0, 0
		for n := 1; n <= 7; n++ { // the first is that of the lock, and every other one that of a ledger
			for _, after := range []bool{false, true} {
				if m.killed(&kill{n: n, after: after}, "apply") {
					kills++
					locks += m.freed()
				}
			}
		}
		t.Logf("killed %d times, and left %d locks", kills, locks)
		require.GreaterOrEqual(t, kills, 10)
		// How many writes of the ledger a run makes depends on what is written together, so that
		// the last kill may meet the request that frees the lock.
		require.GreaterOrEqual(t, locks, kills-2, "all but the one killed before it had the lock, and one after")
		m.finished()
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		m := newElsewhere(t, "hew {\n  ledger \"postgres\" {}\n}\n")
		relay := newRelay(t, servertest.URL(t))
		m.env = append(m.env, "HEW_LEDGER_URL="+relay.url)
		kills := map[killing]int{}
		for n := 1; n <= 4; n++ {
			for _, by := range []killing{relay, m.proxy} {
				for _, after := range []bool{false, true} {
					// Nobody frees the lock of the one before: that ended with its connection.
					if m.killedOver(by, &kill{n: n, after: after}, "apply", "-auto-approve", "-lock-timeout=1m",
						"-parallelism=1") { // else the number of writes depends on what is written together
						kills[by]++
					}
				}
			}
		}
		t.Logf("killed %d times over the host, and %d times over the ledger", kills[m.proxy], kills[relay])
		require.GreaterOrEqual(t, kills[m.proxy], 4)
		require.GreaterOrEqual(t, kills[relay], 6)
		m.finished()
	})
}

// newElsewhere is a mixture whose ledger is where a block says.
func newElsewhere(t *testing.T, ledger string) *mixture {
	known := kinds(t)
	var some []kind
	for _, name := range several {
		require.Contains(t, known, name)
		some = append(some, known[name])
	}
	m := newMixture(t, known, some)
	m.env = []string{"HEW_LEDGER_KEY=a key that all runs of this test have"}
	require.NoError(t, os.WriteFile(filepath.Join(m.dir, "ledger.hcl"), []byte(ledger), 0o600))
	m.state(0)
	return m
}

// freed frees the lock that somebody has left behind who was killed, as the next run is told to. It
// counts it.
func (m *mixture) freed() int {
	m.Helper()
	code, _, text := m.run("ledger", "unlock")
	if code == 0 {
		require.Contains(m, text, "is not locked")
		return 0
	}
	_, id, told := strings.Cut(strings.Join(strings.Fields(text), " "), "run hew ledger unlock ")
	require.True(m, told, text)
	code, _, text = m.run("ledger", "unlock", "-force", strings.TrimSuffix(id, "."))
	require.Zero(m, code, text)
	return 1
}

// finished insists that a run gets to the end of it, that nothing is left then, and that the ledger
// is nowhere else.
func (m *mixture) finished() {
	m.Helper()
	code, _, text := m.run("apply", "-auto-approve", "-lock-timeout=1m")
	require.Zero(m, code, text)
	m.settled()
	known := m.ledger()
	for _, name := range several {
		require.True(m, slices.ContainsFunc(known, func(e entry) bool { return e.Kind == name }), "there is no %s",
			name)
	}
	require.NoDirExists(m, filepath.Join(m.dir, ".hew"))
}

package testacc

import (
	"flag"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

var lives = flag.Int("lives", 1, "how many times TestKilledAnywhere leads every kind through its life")

// mostWrites is how many writes a hew may get done before it is killed.
const mostWrites = 16

// TestKilledAnywhere leads all kinds that bear company through their lives, at once, and kills
// every hew that has something to do: as a write is about to reach the server, or as the server is
// done with it. The next begins where it was cut off; one finishes, and nothing is there twice.
func TestKilledAnywhere(t *testing.T) {
	t.Parallel()
	known := kinds(t)
	for i := range *lives {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			dice, kills := rand.New(rand.NewPCG(uint64(i), 0)), 0
			m := newMixture(t, known, sociable(known))
			for round := range 2 {
				m.state(round)
				for m.killed(&kill{n: 1 + dice.IntN(mostWrites), after: dice.IntN(2) == 0}, "apply") {
					kills++
				}
				m.settled()
			}
			there := m.roots()
			for m.killed(&kill{n: 1 + dice.IntN(mostWrites), after: dice.IntN(2) == 0}, "destroy") {
				kills++
			}
			m.emptied(there)
			t.Logf("killed %d times", kills)
			require.NotZero(t, kills)
		})
	}
}

// killed tells whether a hew was killed over a write, or else has ended as it should.
func (m *mixture) killed(k *kill, command string) bool {
	m.Helper()
	return m.killedOver(m.proxy, k, command, "-auto-approve")
}

// killing are those that can kill a hew over what passes them; nil spares it.
type killing interface{ reset(*kill) }

// killedOver is killed, over something that passes by.
func (m *mixture) killedOver(by killing, k *kill, args ...string) bool {
	m.Helper()
	cmd := exec.CommandContext(m.Context(), filepath.Join(bin, "hew"), args...)
	cmd.Dir, cmd.Env = m.dir, m.environ()
	k.signal = sync.OnceFunc(func() { _ = cmd.Process.Kill() }) // who has ended is looked at below
	by.reset(k)
	out, _ := cmd.CombinedOutput()
	by.reset(nil)
	if cmd.ProcessState.ExitCode() == -1 {
		return true
	}
	require.Zero(m, cmd.ProcessState.ExitCode(), "%s", out)
	return false
}

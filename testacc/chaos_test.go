package testacc

import (
	"flag"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	seeds = flag.Int("seeds", 1, "how many seeds TestChaos is run with")
	first = flag.Uint64("seed", 1, "the first of them")
)

const (
	mixed = 12 // kinds at once
	tries = 4  // applies in bad weather, before it clears up
)

// TestChaos applies what it can of some kinds in bad weather, a run for each seed: made, changed,
// and taken down. Every hew does what it says, or says what it has not done; when the weather
// clears up the rest is done, and nothing is there twice.
func TestChaos(t *testing.T) {
	t.Parallel()
	known := kinds(t)
	for seed := *first; seed < *first+uint64(*seeds); seed++ {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			c := &chaos{mixture: newMixture(t, known, pick(known, seed)), weather: newWeather(seed)}
			c.proxy.weather = c.weather
			defer func() {
				if t.Failed() {
					t.Logf("run it again: go test ./testacc -run TestChaos -seeds 1 -seed %d", seed)
				}
			}()
			for round := range 2 {
				c.state(round)
				c.through("apply", c.left)
				c.settled()
			}
			there := c.roots()
			c.through("destroy", c.remembered)
			c.emptied(there)
			t.Logf("%d of %d requests were hit, and %d of %d hews did not do all", c.weather.hit, c.weather.seen,
				c.short, c.runs)
			require.NotZero(t, c.weather.hit)
		})
	}
}

// pick takes some of the kinds, or the one that bears no company.
func pick(known map[string]kind, seed uint64) []kind {
	list := everyKind(known)
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	if list[0].whole() {
		return list[:1]
	}
	return slices.DeleteFunc(list, kind.whole)[:mixed]
}

// chaos is a mixture in bad weather.
type chaos struct {
	*mixture
	weather     *weather
	runs, short int // of hew, and of those that did not do all
}

// through runs a command until it has done everything, in fair weather in the end. What is left
// tells whether it has.
func (c *chaos) through(command string, left func() []string) {
	c.Helper()
	for try := range tries + 1 {
		c.weather.set(try < tries)
		code, said, text := c.run(command, "-auto-approve", "-json")
		c.weather.set(false)
		if try == tries {
			require.Zero(c, code, "in fair weather\n%s", text)
		}
		c.truthful(code, said, left(), text)
		c.runs++
		if code == 0 {
			return
		}
		c.short++
	}
}

// remembered are the addresses in the ledger.
func (c *chaos) remembered() (list []string) {
	c.Helper()
	for _, e := range c.ledger() {
		list = append(list, e.Address)
	}
	return list
}

// truthful holds what a hew has said to what is left.
func (c *chaos) truthful(code int, said report, left []string, text string) {
	c.Helper()
	var told, done []string
	for _, b := range said.Blocked {
		told = append(told, b.Address)
	}
	if said.Outcome != nil {
		for _, f := range slices.Concat(said.Outcome.Failed, said.Outcome.Skipped) {
			require.NotEmpty(c, f.Error, "%s failed without a word", f.Address)
			told = append(told, f.Address)
		}
		for _, d := range said.Outcome.Done {
			done = append(done, d.Address)
		}
	}
	switch code {
	case 0:
		require.Empty(c, left, "hew ended with 0\n%s", text)
		require.Empty(c, told, "hew ended with 0\n%s", text)
		return
	case 1:
	default:
		require.Fail(c, "hew died", "%d\n%s", code, text)
	}
	if said.Outcome == nil {
		require.NotZero(c, len(said.Diagnostics)+len(said.Guards), "hew ended with 1 and did not say why\n%s", text)
		return
	}
	for _, at := range left {
		require.NotContains(c, done, at, "it was told to be done\n%s", text)
		require.True(c,
			slices.ContainsFunc(told, func(t string) bool { return t == at || strings.HasPrefix(at, t+"[") }),
			"nothing was said of %s\n%s", at, text)
	}
}

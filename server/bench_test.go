package server_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/cluster"
	"hew/server/servertest"
)

// ofFirstPage is the bar of a page by key far behind the first, in its requests a second.
const ofFirstPage = 0.8

// How large and how long it is; go test -short makes it small.
var (
	million = 1_000_000
	warm    = 3 * time.Second
	measure = 5 * time.Second
)

// comparison is a request that is sent to hewd and to the bare handler in turns. The bars are of
// the requests a second of the bare handler, and of the same handler if it does not count the list.
type comparison struct {
	name, path          string
	ofBare, ofUncounted float64
}

// BenchmarkServer asks hewd for groups and projects beside a bare handler on the same database, and
// fails where it misses a bar.
func BenchmarkServer(b *testing.B) {
	if testing.Short() {
		million, warm, measure = 100_000, time.Second, 2*time.Second
	}
	on := servertest.Machine()
	e := newEstate(b, million)
	t := &table{}
	defer func() { fmt.Fprintf(b.Output(), "\n%s\n%s\n", on, t) }() // of a failure, too
	list := fmt.Sprintf("of %d visible", visible)
	for _, c := range []comparison{
		{"one group", fmt.Sprintf("/groups/%d", e.group), 0.85, 0},
		{"one group without its projects", fmt.Sprintf("/groups/%d?with_projects=false", e.group), 0.85, 0},
		{"one project", fmt.Sprintf("/projects/%d", e.project), 0.6, 0},
		{"20 groups " + list, "/groups?per_page=20", 3, 0.7},
		{"100 groups " + list, "/groups?per_page=100", 0.8, 0},
		{"20 projects " + list, "/projects?membership=true&per_page=20", 0.5, 0},
	} {
		b.Run(c.name, func(b *testing.B) { e.beside(b, t, c) })
	}
	b.Run("by key", func(b *testing.B) { e.far(b, t, min(5000, million/40)) })
	b.Run("planning", func(b *testing.B) { e.requirePlanned(b) })
	e.requireCaps(b)
	for _, mode := range []string{"simple", "prepared"} {
		b.Run("pgbench "+mode, func(b *testing.B) { t.pgbench(b, mode) })
	}
}

// far measures a page by key beside the first one.
func (e *estate) far(b *testing.B, t *table, page int) {
	path := e.keysetPage(b, page) // before any client waits for it
	first, later := e.load(b, e.addr, e.keysetPage(b, 1)), e.load(b, e.addr, path)
	sideBySide(b, e.Server, first, later)
	t.row("20 of all by key, page 1", first.sum)
	t.row(fmt.Sprintf("20 of all by key, page %d", page), later.sum)
	t.bar(b, fmt.Sprintf("page %d by key, of page 1", page), later.sum.rps()/first.sum.rps(), ofFirstPage)
}

func (e *estate) load(b *testing.B, addr, path string) *load {
	return aim(b, addr, e.reader.Token, "/api/v4"+path)
}

// beside measures hewd beside the bare handler, once both have answered alike.
func (e *estate) beside(b *testing.B, t *table, c comparison) {
	ours, bare := e.answer(b, e.addr, c.path), e.answer(b, e.bare, c.path)
	require.JSONEq(b, string(bare.Body), string(ours.Body))
	require.Equal(b, bare.Header.Get("X-Total"), ours.Header.Get("X-Total"))
	loads := []*load{e.load(b, e.addr, c.path), e.load(b, e.bare, c.path)}
	if c.ofUncounted != 0 {
		loads = append(loads, e.load(b, e.bare, c.path+"&uncounted"))
	}
	sideBySide(b, e.Server, loads...)
	t.row(c.name, loads[0].sum)
	t.row("  bare", loads[1].sum)
	t.bar(b, c.name+", of bare", loads[0].sum.rps()/loads[1].sum.rps(), c.ofBare)
	if c.ofUncounted != 0 {
		t.row("  bare, without a count", loads[2].sum)
		t.bar(b, c.name+", of bare without a count", loads[0].sum.rps()/loads[2].sum.rps(), c.ofUncounted)
	}
}

func (e *estate) answer(b *testing.B, addr, path string) servertest.Reply {
	b.Helper()
	there := *e.Server
	there.URL = "http://" + addr + "/api/v4"
	reply := there.Do(b, e.reader.Token, http.MethodGet, path, nil)
	require.Equal(b, http.StatusOK, reply.Status, "%s", reply.Body)
	return reply
}

// table collects what is printed at the end.
type table struct{ rows, bars []string }

func (t *table) row(name string, m measured) {
	t.rows = append(t.rows, fmt.Sprintf("%s\t%.0f\t%.2f\t%.2f\t%.0f\t%.0f\t",
		name, m.rps(), m.quantile(.5), m.quantile(.99), m.each(m.server), m.each(m.postgres)))
}

// bar holds a figure to its bar.
func (t *table) bar(b *testing.B, what string, got, least float64) {
	b.Helper()
	verdict := "holds"
	if got < least {
		verdict = fmt.Sprintf("MISSED by %.0f %%", 100*(1-got/least))
		b.Errorf("%s: %.2f, and the bar is %.2f", what, got, least)
	}
	t.bars = append(t.bars, fmt.Sprintf("%s\t%.2f\tof %.2f\t%s", what, got, least, verdict))
}

var tps, average = regexp.MustCompile(`tps = ([0-9.]+)`), regexp.MustCompile(`latency average = ([0-9.]+)`)

// pgbench adds what Postgres alone is good for here: the rows of pgbench by their keys, with as
// many clients.
func (t *table) pgbench(b *testing.B, mode string) {
	b.Helper()
	name := "pgbench -S -M " + mode
	bin, err := cluster.FindBin("")
	require.NoError(b, err)
	program := filepath.Join(bin, "pgbench")
	if _, err := os.Stat(program); err != nil {
		t.rows = append(t.rows, name+"\tthere is no pgbench in "+bin)
		return
	}
	url := servertest.URL(b)
	run := func(args ...string) string {
		said, err := exec.CommandContext(b.Context(), program, append(args, url)...).CombinedOutput()
		require.NoError(b, err, "%s", said)
		return string(said)
	}
	run("-i", "-q", "-s", "10")
	seconds := strconv.Itoa(int(max(1, measure.Seconds())))
	said := run("-S", "-M", mode, "-c", strconv.Itoa(clients), "-j", "2", "-T", seconds)
	rate, ms := tps.FindStringSubmatch(said), average.FindStringSubmatch(said)
	require.True(b, rate != nil && ms != nil, said)
	perSecond, err := strconv.ParseFloat(rate[1], 64)
	require.NoError(b, err)
	t.rows = append(t.rows, fmt.Sprintf("%s\t%.0f\tmean %s\t", name, perSecond, ms[1]))
}

func (t *table) String() string {
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 8, 2, ' ', 0)
	fmt.Fprintf(w,
		"%d connections\trequests/s\tp50 ms\tp99 ms\tserver CPU µs\tPostgres CPU µs\t\n%s\n\t\nbar\t\t\t\n%s\n",
		clients, strings.Join(t.rows, "\n"), strings.Join(t.bars, "\n"))
	_ = w.Flush() // into memory
	return out.String()
}

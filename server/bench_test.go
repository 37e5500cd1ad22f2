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

// The bars are shares of requests a second, of two that took turns in one run.
const (
	ofBare      = 0.6 // of a bare handler that answers the same
	ofFirstPage = 0.8 // of a list's first page by key, far behind it
)

// How large and how long it is; go test -short makes it small.
var (
	million = 1_000_000
	warm    = 3 * time.Second
	measure = 5 * time.Second
)

// BenchmarkServer asks hewd for groups beside a bare handler on the same database, and fails where
// it misses a bar.
func BenchmarkServer(b *testing.B) {
	if testing.Short() {
		million, warm, measure = 100_000, time.Second, 2*time.Second
	}
	on := servertest.Machine()
	e := newEstate(b, million)
	t := &table{}
	defer func() { fmt.Fprintf(b.Output(), "\n%s\n%s", on, t) }() // of a failure, too
	list := fmt.Sprintf("of %d visible groups among %d", visible, million)
	for _, c := range []struct{ name, path, easier string }{
		{"one group", fmt.Sprintf("/groups/%d", e.group), ""},
		{"one group without its projects", fmt.Sprintf("/groups/%d?with_projects=false", e.group), ""},
		{"20 " + list, "/groups?per_page=20", "&uncounted"},
		{"100 " + list, "/groups?per_page=100", "&uncounted"},
	} {
		b.Run(c.name, func(b *testing.B) { e.beside(b, t, c.name, c.path, c.easier) })
	}
	b.Run("by key", func(b *testing.B) { e.far(b, t, min(5000, million/40)) })
	e.requireCaps(b)
	for _, mode := range []string{"simple", "prepared"} {
		b.Run("pgbench "+mode, func(b *testing.B) { t.pgbench(b, mode) })
	}
}

// far measures a page by key beside the first one.
func (e *estate) far(b *testing.B, t *table, page int) {
	path := e.keysetPage(b, page) // before any client waits for it
	first, later := e.load(b, e.addr, e.keysetPage(b, 1)), e.load(b, e.addr, path)
	sideBySide(b, e.postgres, first, later)
	t.row("20 of all by key, page 1", first.sum)
	t.row(fmt.Sprintf("20 of all by key, page %d", page), later.sum)
	t.bar(b, fmt.Sprintf("page %d by key, of page 1", page), later.sum.rps()/first.sum.rps(), ofFirstPage)
}

func (e *estate) load(b *testing.B, addr, path string) *load {
	return aim(b, addr, e.reader.Token, "/api/v4"+path)
}

// beside measures hewd beside the bare handler, once both have answered alike. With an easier query
// the bare handler may leave out what the route cannot; that is shown, without a bar.
func (e *estate) beside(b *testing.B, t *table, name, path, easier string) {
	ours, bare := e.answer(b, e.addr, path), e.answer(b, e.bare, path)
	require.JSONEq(b, string(bare.Body), string(ours.Body))
	require.Equal(b, bare.Header.Get("X-Total"), ours.Header.Get("X-Total"))
	loads := []*load{e.load(b, e.addr, path), e.load(b, e.bare, path)}
	if easier != "" {
		loads = append(loads, e.load(b, e.bare, path+easier))
	}
	sideBySide(b, e.postgres, loads...)
	t.row(name, loads[0].sum)
	t.row("  bare", loads[1].sum)
	if easier != "" {
		t.row("  bare, without a count", loads[2].sum)
	}
	t.bar(b, name+", of bare", loads[0].sum.rps()/loads[1].sum.rps(), ofBare)
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

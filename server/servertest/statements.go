package servertest

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/auth"
	"hew/server/code"
	"hew/server/db"
	"hew/server/git/exec"
	"hew/server/jobs"
	"hew/server/outbound"
	"hew/server/part"
	"hew/server/rest"
	"hew/server/view"
)

// listParameters asks for everything that a list can add to its rows. A route ignores parameters
// that it does not have.
const listParameters = "?per_page=100&with_shared=true&statistics=true&with_custom_attributes=true" +
	"&show_seat_info=true&include_subgroups=true&with_counts=true"

// manyRows is the number of rows that lists have in the statement test.
const manyRows = 20

// more returns how many more statements all has than one.
func more(one, all map[string]int) (n int) {
	for _, count := range all {
		n += count
	}
	for _, count := range one {
		n -= count
	}
	return n
}

// Statements fails the test if a route that reads executes more statements for twenty rows than for
// one: no list may query once a row. Every list must have twenty rows, except those of the paths in
// empty; "PATH as A" is an exception for one role alone.
func Statements(t *testing.T, of func(part.Host) part.Part, empty ...string) {
	t.Parallel()
	few, full := newPopulated(t, of, 1), newPopulated(t, of, manyRows)
	for _, name := range empty {
		path, _, _ := strings.Cut(name, " as ")
		require.True(t, slices.ContainsFunc(few.part.Routes, func(r rest.Route) bool { return r.Path == path }),
			"no route %s", path)
	}
	for _, route := range few.part.Routes {
		if route.Method != http.MethodGet {
			continue
		}
		for _, letter := range "AO-" {
			t.Run(route.Path+" as "+string(letter), func(t *testing.T) {
				one, rows := few.ask(t, route, letter)
				all, length := full.ask(t, route, letter)
				if more(one, all) > 0 { // a cache may have expired meanwhile, which is read once
					all, length = full.ask(t, route, letter)
				}
				for sql, n := range all {
					require.LessOrEqual(t, n-one[sql], 1, "so many more for %d rows than for one:\n%s", manyRows, sql)
				}
				require.LessOrEqual(t, more(one, all), 2, "more statements for %d rows than for one, of different texts",
					manyRows)
				if rows < 0 || letter == '-' {
					return
				}
				if slices.Contains(empty, route.Path) || slices.Contains(empty, route.Path+" as "+string(letter)) {
					require.Zero(t, length, "not empty any more: fill it")
					return
				}
				require.NotEmpty(t, all, "nothing was counted")
				require.NotZero(t, rows, "a list of nothing proves nothing: the specimen has to fill it")
				require.GreaterOrEqual(t, length, manyRows, "the specimen has to make as many as it is asked for")
			})
		}
	}
}

// populated is a database with n rows of every kind that a part stores, and the API of the part
// over it, without background work.
type populated struct {
	*Server
	part    part.Part
	handler http.Handler
	cast    cast
	values  part.Values
	counted Counted
}

func newPopulated(t *testing.T, of func(part.Host) part.Part, n int) *populated {
	s := Fresh(t)
	h := &populated{Server: s, part: of(host("https://host")), cast: s.cast(t)}
	h.values = s.scene(t, h.part, db.Public, h.cast, n)
	require.NoError(t, s.Store.Exec(t.Context(), "analyze", nil)) // or plans would be those for empty tables
	h.counted = s.Counted(t)
	h.handler = rest.New(rest.Config{
		Auth: auth.New(h.counted.Store, rest.Param).Authenticate, Lend: server.Lend(h.counted.Store),
		Begin: server.Begin,
		Base:  "https://host", Log: slog.New(slog.DiscardHandler),
	}, h.part.Routes)
	return h
}

// host returns the host that tests pass to a part.
func host(base string) part.Host {
	return part.Host{
		Site: &view.Site{Base: base, Version: "test"}, Out: &outbound.Guard{}, Log: slog.New(slog.DiscardHandler),
	}
}

// ask sends a request and returns the number of its statements by their text, and the length of the
// list that it answers, -1 if it is not a list.
func (h *populated) ask(t *testing.T, route rest.Route, letter rune) (statements map[string]int, length int) {
	t.Helper()
	send := func() []byte {
		r := httptest.NewRequestWithContext(
			t.Context(), route.Method, "/api/v4"+FillPath(t, route.Path, h.values)+listParameters, nil,
		)
		if token := h.tokenOf(h.cast, letter); token != "" {
			r.Header.Set("Private-Token", token)
		}
		w := httptest.NewRecorder()
		h.handler.ServeHTTP(w, r)
		require.False(t, Failed(w.Code), "%s as %c: %d %s", route, letter, w.Code, w.Body)
		return w.Body.Bytes()
	}
	send() // fills the caches
	var body []byte
	statements = h.counted.During(t, func() { body = send() })
	var list []json.RawMessage
	if json.Unmarshal(body, &list) != nil {
		return statements, -1
	}
	return statements, len(list)
}

// Counted counts the statements of a database. It has a pool of its own, so that statements of the
// server's background work are not counted.
type Counted struct{ *db.Store }

// Counted returns the database of a server for counting statements.
func (s *Server) Counted(t *testing.T) Counted {
	t.Helper()
	st, pool, err := connect(t.Context(), s.database)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	git, err := exec.Find("")
	require.NoError(t, err)
	repositories := code.NewStorage(t.TempDir(), git)
	code.Attach(st, repositories)
	kinds := server.Sum(server.Parts(host("https://host"))).Jobs // may be enqueued, and are never done
	_, err = jobs.Open(pool, st, kinds, nil, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, repositories.Close()) })
	return Counted{st}
}

// During returns the number of executions of each statement while do runs, by its text.
func (c Counted) During(t *testing.T, do func()) map[string]int {
	t.Helper()
	before := c.executed(t)
	do()
	during := c.executed(t)
	for sql, n := range before {
		if during[sql] -= n; during[sql] == 0 {
			delete(during, sql)
		}
	}
	return during
}

// executed returns the number of executions of each statement so far, as counted by Postgres.
func (c Counted) executed(t *testing.T) map[string]int {
	t.Helper()
	sum := map[string]int{}
	for _, conn := range c.DB().(*pgxpool.Pool).AcquireAllIdle(t.Context()) {
		rows, err := conn.Query(t.Context(), `select statement, generic_plans + custom_plans
			from pg_prepared_statements`)
		require.NoError(t, err)
		var sql string
		var n int
		_, err = pgx.ForEachRow(rows, []any{&sql, &n}, func() error { sum[sql] += n; return nil })
		conn.Release()
		require.NoError(t, err)
	}
	for sql := range sum {
		if strings.Contains(sql, "pg_prepared_statements") {
			delete(sum, sql)
		}
	}
	return sum
}

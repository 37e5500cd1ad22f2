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
	"hew/server/db"
	"hew/server/outbound"
	"hew/server/part"
	"hew/server/rest"
	"hew/server/view"
)

// everything asks for all that a list may show with its rows; a route ignores what it does not
// know.
const everything = "?per_page=100&with_shared=true&statistics=true&with_custom_attributes=true&show_seat_info=true&include_subgroups=true"

// many is how many rows lists have in the statement test.
const many = 20

// Statements demands that what is read costs no more statements for twenty rows of everything than
// for one: no list asks for what belongs to its rows one by one. Every list must have twenty rows,
// but those of empty: paths of what there cannot be yet.
func Statements(t *testing.T, of func(part.Host) part.Part, empty ...string) {
	t.Parallel()
	few, full := newHoard(t, of, 1), newHoard(t, of, many)
	for _, path := range empty {
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
				for sql, n := range all {
					// What is remembered for seconds may be read again in between: once, not for
					// every row.
					require.Less(t, n-one[sql], many/2, "so many more for %d rows than for one:\n%s", many, sql)
				}
				if rows < 0 || letter == '-' {
					return
				}
				if slices.Contains(empty, route.Path) {
					require.Zero(t, length, "not empty any more: fill it")
					return
				}
				require.NotEmpty(t, all, "nothing was counted")
				require.NotZero(t, rows, "a list of nothing proves nothing: the specimen has to fill it")
				require.GreaterOrEqual(t, length, many, "the specimen has to make as many as it is asked for")
			})
		}
	}
}

// hoard is a database with n of everything that a part keeps, and the API of the part over it,
// without anything that works beside the requests.
type hoard struct {
	*Server
	part    part.Part
	handler http.Handler
	cast    cast
	values  part.Values
	counted Counted
}

func newHoard(t *testing.T, of func(part.Host) part.Part, n int) *hoard {
	s := Fresh(t)
	h := &hoard{Server: s, part: of(host("https://host")), cast: s.cast(t)}
	h.values = s.scene(t, h.part, db.Public, h.cast, n)
	require.NoError(t, s.Store.Exec(t.Context(), "analyze", nil)) // else plans are those for empty tables
	h.counted = s.Counted(t)
	h.handler = rest.New(rest.Config{
		Auth: auth.New(h.counted.Store, rest.Param).Authenticate, Lend: server.Lend(h.counted.Store),
		Begin: server.Begin,
		Base:  "https://host", Log: slog.New(slog.DiscardHandler),
	}, h.part.Routes)
	return h
}

// host is what a part is made with in tests.
func host(base string) part.Host {
	return part.Host{
		Site: &view.Site{Base: base, Version: "test"}, Out: &outbound.Guard{}, Log: slog.New(slog.DiscardHandler),
	}
}

// ask sends a request and counts its statements by their text. Of an answer that is no list, the
// length is -1.
func (h *hoard) ask(t *testing.T, route rest.Route, letter rune) (statements map[string]int, length int) {
	t.Helper()
	send := func() []byte {
		r := httptest.NewRequestWithContext(
			t.Context(), route.Method, "/api/v4"+FillPath(t, route.Path, h.values)+everything, nil,
		)
		if token := h.tokenOf(h.cast, letter); token != "" {
			r.Header.Set("Private-Token", token)
		}
		w := httptest.NewRecorder()
		h.handler.ServeHTTP(w, r)
		require.True(
			t, w.Code < 500 || w.Code == http.StatusNotImplemented, "%s as %c: %d %s", route, letter, w.Code, w.Body,
		)
		return w.Body.Bytes()
	}
	send() // what is remembered is read once
	var body []byte
	statements = h.counted.During(t, func() { body = send() })
	var list []json.RawMessage
	if json.Unmarshal(body, &list) != nil {
		return statements, -1
	}
	return statements, len(list)
}

// Counted is a database whose statements are counted. It has a pool of its own, since the
// statements that a server makes in the background are not to be counted.
type Counted struct{ *db.Store }

// Counted returns the database of a server for counting statements.
func (s *Server) Counted(t *testing.T) Counted {
	t.Helper()
	st, pool, err := connect(t.Context(), s.database)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return Counted{st}
}

// During returns how often each statement was executed while do ran, by its text.
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

// executed returns how often each statement has been executed so far, as Postgres counts.
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

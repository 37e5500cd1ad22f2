package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// pager serves rows 1…n as hosts do (gaps §1.4).
type pager struct {
	rows     int
	uncount  bool     // X-Total and X-Total-Pages are left out
	unlinked bool     // all paging headers are
	keyset   []string // orders it has keyset pages for
	unpaged  bool     // it answers everything, whatever page is asked for

	mu    sync.Mutex
	asked []url.Values
}

func (p *pager) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	p.mu.Lock()
	p.asked = append(p.asked, query)
	p.mu.Unlock()
	size, _ := strconv.Atoi(query.Get("per_page"))
	number, _ := strconv.Atoi(query.Get("page"))
	number = max(number, 1)
	after := (number - 1) * size
	keyset := query.Get("pagination") == "keyset"
	switch {
	case p.unpaged:
		size, after = p.rows, 0
	case keyset && !slices.Contains(p.keyset, query.Get("order_by")):
		reply(w, 405, `{"error":"Keyset pagination is not yet available for this type of request"}`)
		return
	case keyset:
		after, _ = strconv.Atoi(query.Get("id_after"))
	case after >= deepest:
		reply(w, 405, `{"error":"Offset pagination has a maximum allowed offset of 50000"}`)
		return
	}
	last := min(after+size, p.rows)
	if last < p.rows && !p.unlinked {
		if keyset {
			query.Set("id_after", strconv.Itoa(last))
		} else {
			query.Set("page", strconv.Itoa(number+1))
		}
		// Hosts behind a proxy are wrong about their own name.
		w.Header().Set("Link",
			`<http://internal:1/first?page=1>; rel="first", <http://internal:1/x?`+query.Encode()+`>; rel="next"`)
	}
	if !keyset && !p.unlinked {
		w.Header().Set("X-Page", strconv.Itoa(number))
		w.Header().Set("X-Per-Page", strconv.Itoa(size))
	}
	if !keyset && !p.unlinked && !p.uncount {
		w.Header().Set("X-Total", strconv.Itoa(p.rows))
		w.Header().Set("X-Total-Pages", strconv.Itoa((p.rows+size-1)/size))
	}
	ids := []int{}
	for id := after + 1; id <= last; id++ {
		ids = append(ids, id)
	}
	body, _ := json.Marshal(ids)
	reply(w, 200, string(body))
}

// A20: the end of a list is where the host says so, never where a header is
// missing.
func TestListings(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		host     *pager
		query    url.Values
		requests int
		total    int
		fails    string
	}{
		"none":                    {&pager{}, nil, 1, 0, ""},
		"one page":                {&pager{rows: 100}, nil, 1, 100, ""},
		"many pages":              {&pager{rows: 2345}, nil, 24, 2345, ""},
		"smaller pages":           {&pager{rows: 100}, url.Values{"per_page": {"30"}}, 4, 100, ""},
		"uncounted, links":        {&pager{rows: 450, uncount: true}, nil, 5 + 2, -1, ""},
		"uncounted, keyset by id": {&pager{rows: 450, uncount: true, keyset: []string{"id"}}, nil, 1 + 5, -1, ""},
		"uncounted, keyset by the resource's own order": {&pager{rows: 450, uncount: true, keyset: []string{""}}, nil,
			2 + 5, -1, ""},
		"uncounted, keyset by the caller's order": {&pager{rows: 450, uncount: true, keyset: []string{"name"}},
			url.Values{"order_by": {"name"}}, 1 + 5, -1, ""},
		"keyset asked for": {&pager{rows: 250, keyset: []string{"id"}},
			url.Values{"pagination": {"keyset"}, "order_by": {"id"}}, 3, -1, ""},
		"uncounted, one page": {&pager{rows: 100, uncount: true}, nil, 1, -1, ""},
		"too deep for offsets, keyset": {&pager{rows: deepest + 150, keyset: []string{"id"}}, nil,
			1 + 502, deepest + 1, ""},
		"too deep for offsets": {&pager{rows: deepest + 150}, nil, 2 + 501, deepest + 1,
			"maximum allowed offset"},
		"no paging headers, a full page is not the end":   {&pager{rows: 250, unlinked: true}, nil, 3, -1, ""},
		"no paging headers, a full page that was the end": {&pager{rows: 200, unlinked: true}, nil, 3, -1, ""},
		"no pages at all": {&pager{rows: 250, unpaged: true, unlinked: true}, nil, 2,
			-1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			host := test.host
			c := open(t, Config{Transport: inProcess{host}})
			l, err := c.List(t.Context(), To("projects"), test.query)
			require.NoError(t, err)
			require.Equal(t, test.total, l.Total)
			want := 1
			for id, err := range Items[int](l) {
				if err != nil {
					require.NotEmpty(t, test.fails)
					require.ErrorContains(t, err, test.fails)
					require.Equal(t, deepest+1, want, "all before the error came")
					want = host.rows + 1
					break
				}
				require.Equal(t, want, id)
				want++
			}
			require.Equal(t, host.rows+1, want)
			require.Equal(t, test.requests, c.Stats().Total())
		})
	}
}

func TestListingLeftEarly(t *testing.T) {
	t.Parallel()
	c := open(t, Config{Transport: inProcess{&pager{rows: 9000}}, MaxWidth: 3})
	l, err := c.List(t.Context(), To("projects"), nil)
	require.NoError(t, err)
	for id, err := range Items[int](l) {
		require.NoError(t, err)
		if id == 150 {
			break
		}
	}
	require.LessOrEqual(t, c.Stats().Total(), 3+3, "no more than the window is read ahead")
	require.Zero(t, c.Stats().InFlight)
}

func TestListingInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c := open(t, Config{Transport: inProcess{&pager{rows: 9000}}, MaxWidth: 3})
	l, err := c.List(ctx, To("projects"), nil)
	require.NoError(t, err)
	var failed error
	for id, err := range Items[int](l) {
		if failed = err; id == 150 {
			cancel()
		}
	}
	require.ErrorIs(t, failed, context.Canceled, "an end is not taken for the last row")
	require.Less(t, c.Stats().Total(), 20)
}

func TestListingsThatFail(t *testing.T) {
	t.Parallel()
	answers := map[string]string{"object": `{"message":"hi"}`, "loop": `[1]`, "null": `null`, "rows": `["a"]`}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/api/v4/")
		if name == "loop" {
			w.Header().Set("X-Total-Pages", "1")
			w.Header().Set("Link", fmt.Sprintf("<http://%s%s>; rel=\"next\"", r.Host, r.RequestURI))
		}
		if body, ok := answers[name]; ok {
			reply(w, 200, body)
			return
		}
		reply(w, 404, `{"message":"404 Group Not Found"}`)
	})
	c := open(t, Config{BaseURL: s.URL})
	for name, want := range map[string]string{
		"object":  "GET /object: 200 the answer does not have the documented shape",
		"rows":    "GET /rows: 200 the answer does not have the documented shape",
		"loop":    "GET /loop: the link to the next page has no query or repeats the query of this page",
		"missing": "GET /missing: 404 Group Not Found",
		"null":    "",
	} {
		l, err := c.List(t.Context(), To(name), nil)
		if err == nil {
			for _, err = range Items[int](l) {
			}
		}
		if want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, want)
	}
}

func TestElements(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		`[]`:                    nil,
		" [ 1 , 2 ]\n":          {"1", "2"},
		`[{"a":"],[\"}"},[[]]]`: {`{"a":"],[\"}"}`, "[[]]"},
		`["\\",null]`:           {`"\\"`, "null"},
	} {
		rows, ok := elements([]byte(text))
		require.True(t, ok, text)
		require.Len(t, rows, len(want), text)
		for i := range want {
			require.Equal(t, want[i], string(rows[i]), text)
		}
	}
	for _, text := range []string{"", "null", `{"a":[]}`, "[1", "[1]]", `["]`} {
		_, ok := elements([]byte(text))
		require.False(t, ok, text)
	}
}

// TestCountsAreBounded: callers reserve memory for as many rows as a host counts.
func TestCountsAreBounded(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]int{"100000000000": deepest + 1, "9223372036854775807": deepest + 1, "-7": -1,
		"99999999999999999999": -1} {
		c := open(t, Config{BaseURL: serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Total", said)
			reply(w, 200, `[1]`)
		}).URL})
		l, err := c.List(t.Context(), To("users"), nil)
		require.NoError(t, err)
		require.Equal(t, want, l.Total, said)
	}
}

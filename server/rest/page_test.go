package rest_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/fault"
	"hew/server/rest"
)

type listIn struct {
	rest.Paging
	Total int `param:"total"`
}

type byKeyIn struct {
	rest.Keyset `of:"Project"`
	IDAfter     int `param:"id_after"`
}

// numbers counts up from the offset; a negative total stands for one that nobody counted, of 45.
func numbers(_ context.Context, _ rest.None, in listIn) (rest.List[int], error) {
	rows := in.Total
	if rows < 0 {
		rows = 45
	}
	var page []int
	for n := in.Offset(); n < rows && len(page) < in.Limit(); n++ {
		page = append(page, n)
	}
	return rest.Page(page, in.Total, nil)
}

func numbersByKey(_ context.Context, _ rest.None, in byKeyIn) (rest.List[int], error) {
	l := rest.List[int]{Items: []int{in.IDAfter + 1, in.IDAfter + 2}, Total: 4}
	if in.ByKey() && in.IDAfter == 0 {
		l.Next = map[string]string{"id_after": "2"}
	}
	return l, nil
}

func pages() http.Handler {
	return rest.New(rest.Config{Log: quiet, Base: "https://code.example"}, []rest.Route{
		rest.Get("/numbers", anyone, numbers),
		rest.Get("/keyed", anyone, numbersByKey),
		rest.Get("/bare", anyone, answers(rest.List[int]{}, nil)),
	})
}

// paging prints the headers of a page, "-" for one that is absent.
func paging(h http.Header) string {
	var b strings.Builder
	for _, name := range []string{"X-Page", "X-Per-Page", "X-Prev-Page", "X-Next-Page", "X-Total", "X-Total-Pages"} {
		value := "-"
		if v, ok := h[name]; ok {
			value = strconv.Quote(v[0])
		}
		b.WriteString(value + " ")
	}
	return strings.TrimSpace(b.String())
}

func TestPages(t *testing.T) {
	t.Parallel()
	h := pages()
	tests := []struct {
		query string
		items int
		want  string // page, per page, prev, next, total, pages
	}{
		{"total=45", 20, `"1" "20" "" "2" "45" "3"`},
		{"total=45&page=2", 20, `"2" "20" "1" "3" "45" "3"`},
		{"total=45&page=3", 5, `"3" "20" "2" "" "45" "3"`},
		{"total=45&page=4", 0, `"4" "20" "" "" "45" "3"`},
		{"total=0", 0, `"1" "20" "" "" "0" "1"`},
		{"total=40&page=2", 20, `"2" "20" "1" "" "40" "2"`},
		{"total=500&per_page=1000", 100, `"1" "100" "" "2" "500" "5"`},
		{"total=45&per_page=0&page=0", 20, `"1" "20" "" "2" "45" "3"`},
		{"total=45&per_page=-3&page=-1", 20, `"1" "20" "" "2" "45" "3"`},
		{"total=10000&per_page=100", 100, `"1" "100" "" "2" "10000" "100"`},
		{"total=10001&per_page=100", 100, `"1" "100" "" "2" - -`},
		{"total=-1&page=2", 20, `"2" "20" "1" "3" - -`},
		{"total=-1&page=3", 5, `"3" "20" "2" "" - -`},
	}
	for _, tt := range tests {
		w := serve(h, "GET", "/api/v4/numbers?"+tt.query, "")
		require.Equal(t, http.StatusOK, w.Code, tt.query)
		require.Equal(t, tt.want, paging(w.Header()), tt.query)
		items := strings.Trim(w.Body.String(), "[]")
		require.Equal(t, tt.items, len(strings.FieldsFunc(items, func(r rune) bool { return r == ',' })), tt.query)
	}
	require.Equal(t, "[]", serve(h, "GET", "/api/v4/numbers", "").Body.String(), "an empty list is not null")
	require.Equal(
		t, http.StatusInternalServerError, serve(h, "GET", "/api/v4/bare", "").Code, "a list needs paging parameters",
	)
}

func TestLink(t *testing.T) {
	t.Parallel()
	h := pages()
	const at = "<https://code.example/api/v4/"
	tests := map[string]string{
		"numbers?total=45&page=2&x[]=b&x[]=a&private_token=t&private%5Ftoken=t&per_page=20": at +
			`numbers?total=45&x[]=b&x[]=a&page=1&per_page=20>; rel="prev", ` +
			at + `numbers?total=45&x[]=b&x[]=a&page=3&per_page=20>; rel="next", ` +
			at + `numbers?total=45&x[]=b&x[]=a&page=1&per_page=20>; rel="first", ` +
			at + `numbers?total=45&x[]=b&x[]=a&page=3&per_page=20>; rel="last"`,
		"numbers?total=-1": at + `numbers?total=-1&page=2&per_page=20>; rel="next", ` + at +
			`numbers?total=-1&page=1&per_page=20>; rel="first"`,
		"numbers": at + `numbers?page=1&per_page=20>; rel="first", ` + at +
			`numbers?page=1&per_page=20>; rel="last"`,
		"keyed?pagination=keyset&per_page=2": at +
			`keyed?pagination=keyset&per_page=2&id_after=2>; rel="next"`,
		"keyed?pagination=keyset&per_page=2&id_after=2": ``,
	}
	for path, want := range tests {
		w := serve(h, "GET", "/api/v4/"+path, "")
		require.Equal(t, http.StatusOK, w.Code, path)
		require.Equal(t, want, w.Header().Get("Link"), path)
	}
	w := serve(h, "GET", "/api/v4/keyed?pagination=keyset", "")
	require.Equal(t, "- - - - - -", paging(w.Header()), "a keyset page has no numbers")

	own := rest.New(rest.Config{Log: quiet}, []rest.Route{rest.Get("/numbers", anyone, numbers)})
	require.Contains(
		t, serve(own, "GET", "/api/v4/numbers", "").Header().Get("Link"), "<http://example.com/api/v4/numbers?",
	)
}

func TestPagingRefuses(t *testing.T) {
	t.Parallel()
	h := pages()
	tests := []struct {
		path   string
		status int
		want   string
	}{
		{"numbers?pagination=keyset", 405,
			`{"error":"Keyset pagination is not yet available for this type of request"}`},
		{"numbers?pagination=magic", 400, `{"error":"pagination does not have a valid value"}`},
		{"numbers?page=x", 400, `{"error":"page is invalid"}`},
		{"keyed?per_page=100&page=501", 200, `[1,2]`},
		{"keyed?per_page=100&page=502", 405,
			`{"error":"Offset pagination has a maximum allowed offset of 50000 for requests that return ` +
				`objects of type Project. Remaining records can be retrieved using keyset pagination."}`},
		{"keyed?per_page=100&page=9223372036854775807", 405, ""},
		{"numbers?per_page=100&page=9223372036854775807", 200, `[]`},
	}
	for _, tt := range tests {
		w := serve(h, "GET", "/api/v4/"+tt.path, "")
		require.Equal(t, tt.status, w.Code, tt.path)
		require.Contains(t, w.Body.String(), tt.want, tt.path)
	}
	require.Equal(t, fault.CodeNotAllowed, fault.CodeOf(rest.NoKeyset()))
}

func TestShow(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	one, err := rest.Show(strconv.Itoa)(7, nil)
	require.NoError(t, err)
	require.Equal(t, "7", one)
	one, err = rest.Show(strconv.Itoa)(7, broken)
	require.ErrorIs(t, err, broken)
	require.Empty(t, one)

	list, err := rest.Pages(strconv.Itoa)([]int{1, 2}, 9, nil)
	require.NoError(t, err)
	require.Equal(t, rest.List[string]{Items: []string{"1", "2"}, Total: 9}, list)
	_, err = rest.Pages(strconv.Itoa)(nil, 0, broken)
	require.ErrorIs(t, err, broken)
}

type filtersIn struct {
	rest.Keyset `of:"Thing"`
	Search      string `param:"search"`
}

// The parameters that several lists share may be a struct of their own, with the paging in it.
func TestPagingInsideSharedParameters(t *testing.T) {
	t.Parallel()
	type in struct {
		filtersIn
		Deep bool `param:"deep"`
	}
	list := rest.Get("/things", anyone, func(_ context.Context, _ rest.None, in in) (rest.List[int], error) {
		return rest.Page([]int{in.Limit(), in.Offset()}, 2, nil)
	})
	h := rest.New(rest.Config{Log: quiet}, []rest.Route{list})
	get := func(query string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/v4/things?"+query, nil))
		return w
	}
	require.JSONEq(t, `[100, 100]`, get("per_page=500&page=2&deep=true").Body.String())
	require.Contains(t, get("per_page=100&page=5000").Body.String(), "objects of type Thing")
}

func TestPageOfWholeList(t *testing.T) {
	t.Parallel()
	all := []int{1, 2, 3, 4, 5}
	for page, want := range map[int][]string{1: {"1", "2"}, 3: {"5"}, 4: nil, 1 << 31: nil} {
		got := rest.PageOf(all, rest.Paging{Page: page, PerPage: 2}, strconv.Itoa)
		require.Equal(t, rest.List[string]{Items: want, Total: 5}, got)
	}
}

package rest

import (
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"hew/server/fault"
)

// The measures of a page (gaps §1.4).
const (
	defaultPerPage = 20
	maxPerPage     = 100
	maxTotal       = 10_000 // beyond it, totals are left out
	maxOffset      = 50_000 // beyond it, a route with keyset paging refuses
)

// Paging are the parameters of a list in pages. Embed it, and return a List.
type Paging struct {
	Page       int    `param:"page" default:"1"`
	PerPage    int    `param:"per_page" default:"20"`
	Pagination string `param:"pagination" default:"legacy" oneof:"legacy keyset"`
}

// Limit is how many rows a page has.
func (p *Paging) Limit() int { return p.PerPage }

// Offset is how many rows come before the page.
func (p *Paging) Offset() int { return (p.Page - 1) * p.PerPage }

// ByKey reports whether the client asked for keyset paging.
func (p *Paging) ByKey() bool { return p.Pagination == "keyset" }

// Keyset are the parameters of a list that can also be walked by key. Its tag `of:"Project"` names what is listed, for
// the refusal of far offsets. Which parameter carries the cursor is the route's own matter: it says so in List.Next.
type Keyset struct{ Paging }

// After are the parameters that ask for the page after the last of these items, nil if by key there is none: a page that
// is not full is the last one. It is what List.Next has to be.
func After[T any](k Keyset, items []T, next func(last T) map[string]string) map[string]string {
	if !k.ByKey() || len(items) < k.Limit() || len(items) == 0 {
		return nil
	}
	return next(items[len(items)-1])
}

// NoKeyset is the refusal of keyset paging by a route, or for an order, that has none.
func NoKeyset() error {
	return fault.NotAllowed("Keyset pagination is not yet available for this type of request").In(fault.Parameter)
}

// List is a page of things. The zero value is an empty one.
type List[T any] struct {
	Items []T
	Total int               // of all pages; below 0: not counted; a count above 10,000 is not shown
	Next  map[string]string // by key: the parameters that ask for the next page; nil on the last one
}

// Page makes a List of what a store returns: return rest.Page(st.Hooks(ctx, id, in.Limit(), in.Offset())).
func Page[T any](items []T, total int, err error) (List[T], error) {
	return List[T]{Items: items, Total: total}, err
}

// Pages is Page with each item shown in its public form.
func Pages[T, U any](show func(T) U) func([]T, int, error) (List[U], error) {
	return func(items []T, total int, err error) (List[U], error) {
		if err != nil {
			return List[U]{}, err
		}
		shown := make([]U, len(items))
		for i, item := range items {
			shown[i] = show(item)
		}
		return Page(shown, total, nil)
	}
}

// pager is a parameter struct with Paging in it.
type pager interface{ paging() *Paging }

func (p *Paging) paging() *Paging { return p }

// tidier is an embedded struct that has more to say about its values than tags can.
type tidier interface {
	tidy(reflect.StructTag) error
}

func (p *Paging) tidy(reflect.StructTag) error {
	if p.ByKey() {
		return NoKeyset()
	}
	p.clamp()
	return nil
}

func (k *Keyset) tidy(tag reflect.StructTag) error {
	k.clamp()
	if !k.ByKey() && k.Offset() > maxOffset {
		return fault.NotAllowed("Offset pagination has a maximum allowed offset of " + strconv.Itoa(maxOffset) +
			" for requests that return objects of type " + tag.Get("of") +
			". Remaining records can be retrieved using keyset pagination.").In(fault.Parameter)
	}
	return nil
}

// clamp brings numbers that make no sense to those that do. The page is bounded so that no offset overflows.
func (p *Paging) clamp() {
	if p.PerPage <= 0 {
		p.PerPage = defaultPerPage
	}
	p.PerPage = min(p.PerPage, maxPerPage)
	p.Page = min(max(p.Page, 1), 1<<31)
}

// listing is a List of anything.
type listing interface {
	head(h http.Header, p *Paging, link func(map[string]string) string) (items any)
}

// head writes the headers of a page and returns its items, which are never null.
func (l List[T]) head(h http.Header, p *Paging, link func(map[string]string) string) any {
	items := l.Items
	if items == nil {
		items = []T{}
	}
	if p.ByKey() {
		if l.Next != nil {
			h.Set("Link", "<"+link(l.Next)+`>; rel="next"`)
		}
		return items
	}

	counted := l.Total >= 0 && l.Total <= maxTotal
	last := max(1, (l.Total+p.PerPage-1)/p.PerPage)
	beyond := counted && p.Page > max(0, (l.Total+p.PerPage-1)/p.PerPage)
	more := len(items) == p.PerPage // not counted: a full page may have another one behind it
	if counted {
		more = p.Page < last
	}

	set := func(name string, n int) { h.Set(name, strconv.Itoa(n)) }
	set("X-Per-Page", p.PerPage)
	set("X-Page", p.Page)
	h.Set("X-Next-Page", "")
	h.Set("X-Prev-Page", "")
	var links []string
	rel := func(name string, page int) {
		to := link(map[string]string{"page": strconv.Itoa(page), "per_page": strconv.Itoa(p.PerPage)})
		links = append(links, "<"+to+`>; rel="`+name+`"`)
	}
	if p.Page > 1 && !beyond {
		set("X-Prev-Page", p.Page-1)
		rel("prev", p.Page-1)
	}
	if more {
		set("X-Next-Page", p.Page+1)
		rel("next", p.Page+1)
	}
	rel("first", 1)
	if counted {
		set("X-Total", l.Total)
		set("X-Total-Pages", last)
		rel("last", last)
	}
	h.Set("Link", strings.Join(links, ", "))
	return items
}

// pageURL makes the address of another page of the same request.
func (m *mux) pageURL(r *http.Request) func(map[string]string) string {
	return func(params map[string]string) string {
		return m.base(r) + r.URL.EscapedPath() + "?" + withParams(r.URL.RawQuery, params)
	}
}

// base is the address that clients use.
func (m *mux) base(r *http.Request) string {
	switch {
	case m.Base != "":
		return m.Base
	case r.TLS != nil:
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// withParams replaces parameters in a query, keeps the others in their order, and drops credentials: an address that is
// logged, stored and shown must not carry them.
func withParams(query string, params map[string]string) string {
	set := url.Values{}
	for name, value := range params {
		set.Set(name, value)
	}
	var kept []string
	for pair := range strings.SplitSeq(query, "&") {
		key, _, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(key)
		if _, replaced := params[name]; pair == "" || err != nil || replaced || credential(name) {
			continue
		}
		kept = append(kept, pair)
	}
	if len(set) > 0 {
		kept = append(kept, set.Encode())
	}
	return strings.Join(kept, "&")
}

func credential(name string) bool {
	switch name {
	case "private_token", "access_token", "job_token", "token":
		return true
	}
	return false
}

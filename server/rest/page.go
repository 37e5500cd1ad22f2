package rest

import (
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"hew/server/fault"
)

// The limits of pages.
const (
	defaultPerPage = 20
	maxPerPage     = 100
	maxTotal       = 10_000 // totals above it are left out
	maxOffset      = 50_000 // offsets above it are refused where there is keyset paging
)

// Paging holds the parameters of a list with pages. Embed it and return a List.
type Paging struct {
	Page       int    `param:"page" default:"1"`
	PerPage    int    `param:"per_page" default:"20"`
	Pagination string `param:"pagination" default:"legacy" oneof:"legacy keyset"`
}

// Limit returns the number of rows in a page.
func (p *Paging) Limit() int { return p.PerPage }

// Offset returns the number of rows before the page.
func (p *Paging) Offset() int { return (p.Page - 1) * p.PerPage }

// ByKey reports whether the client asks for keyset paging.
func (p *Paging) ByKey() bool { return p.Pagination == "keyset" }

// Keyset holds the parameters of a list that can also be paged by key. Its tag of:"Project" names
// what is listed, for the message about offsets that are too large. Each route chooses the
// parameter for the cursor and sets it in List.Next.
type Keyset struct{ Paging }

// After returns the value for List.Next: the parameters that ask for the page after these items. It
// is nil if the client does not page by key, and after the last page, which is the first that is
// not full.
func After[T any](k Keyset, items []T, next func(last T) map[string]string) map[string]string {
	if !k.ByKey() || len(items) < k.Limit() || len(items) == 0 {
		return nil
	}
	return next(items[len(items)-1])
}

// NoKeyset returns the fault of a route, or of an order, without keyset paging.
func NoKeyset() error {
	return fault.NotAllowed("Keyset pagination is not yet available for this type of request").In(fault.Parameter)
}

// List is a page of items. The zero value is an empty one.
type List[T any] struct {
	Items []T
	Total int               // items on all pages; negative if not counted; above 10,000 it is not sent
	Next  map[string]string // with keyset paging: parameters of the next page; nil on the last one
}

// Page returns a List of what a store returns: rest.Page(st.Hooks(ctx, id, in.Limit(),
// in.Offset())).
func Page[T any](items []T, total int, err error) (List[T], error) {
	return List[T]{Items: items, Total: total}, err
}

// Pages returns a function like Page that turns each item into its public form with show.
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

// PageOf returns the page of a list that is complete in memory, each item in its public form.
func PageOf[T, U any](all []T, p Paging, show func(T) U) List[U] {
	page := List[U]{Total: len(all)}
	from := min(p.Offset(), len(all))
	for _, item := range all[from:min(from+p.Limit(), len(all))] {
		page.Items = append(page.Items, show(item))
	}
	return page
}

// pager is a struct of parameters that embeds Paging.
type pager interface{ paging() *Paging }

func (p *Paging) paging() *Paging { return p }

// validator is an embedded struct that checks or corrects its values beyond what tags can say. It
// gets the tag of the field that it is.
type validator interface {
	validate(reflect.StructTag) error
}

func (p *Paging) validate(reflect.StructTag) error {
	if p.ByKey() {
		return NoKeyset()
	}
	p.clamp()
	return nil
}

func (k *Keyset) validate(tag reflect.StructTag) error {
	k.clamp()
	if !k.ByKey() && k.Offset() > maxOffset {
		return fault.NotAllowed("Offset pagination has a maximum allowed offset of " + strconv.Itoa(maxOffset) +
			" for requests that return objects of type " + tag.Get("of") +
			". Remaining records can be retrieved using keyset pagination.").In(fault.Parameter)
	}
	return nil
}

// clamp corrects numbers that are out of range. The page is limited so that no offset overflows.
func (p *Paging) clamp() {
	if p.PerPage <= 0 {
		p.PerPage = defaultPerPage
	}
	p.PerPage = min(p.PerPage, maxPerPage)
	p.Page = min(max(p.Page, 1), 1<<31)
}

// pageWriter is a List of any type.
type pageWriter interface {
	writeHeaders(h http.Header, p *Paging, link func(map[string]string) string) (items any)
}

// writeHeaders sets the headers of a page and returns its items, which are never null.
func (l List[T]) writeHeaders(h http.Header, p *Paging, link func(map[string]string) string) any {
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
	more := len(items) == p.PerPage // not counted: a full page may not be the last
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
		return m.baseURL(r) + r.URL.EscapedPath() + "?" + replaceParams(r.URL.RawQuery, params)
	}
}

// baseURL returns the address that clients use.
func (m *mux) baseURL(r *http.Request) string {
	switch {
	case m.Base != "":
		return m.Base
	case r.TLS != nil:
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// replaceParams returns the query with these parameters set, the others in their order, and without
// credentials: the result is logged, stored and shown.
func replaceParams(query string, params map[string]string) string {
	set := url.Values{}
	for name, value := range params {
		set.Set(name, value)
	}
	var kept []string
	for pair := range strings.SplitSeq(query, "&") {
		key, _, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(key)
		if _, replaced := params[name]; pair == "" || err != nil || replaced || isCredential(name) {
			continue
		}
		kept = append(kept, pair)
	}
	if len(set) > 0 {
		kept = append(kept, set.Encode())
	}
	return strings.Join(kept, "&")
}

func isCredential(name string) bool {
	switch name {
	case "private_token", "access_token", "job_token", "token":
		return true
	}
	return false
}

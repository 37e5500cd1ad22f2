package client

import (
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"strconv"

	"hew/schema/pattern"
)

const (
	pageSize = 100    // rows; hosts cut more down to it
	deepest  = 50_000 // rows; hosts refuse offsets beyond
)

var nextLink = pattern.Lazy(`<([^>]*)>\s*;[^,<]*\brel="?next\b`)

// page is one answer of a listing, still encoded, with the query that asked for it.
type page struct {
	answer
	query url.Values
}

func (p *page) keyset() bool { return p.query.Get("pagination") == "keyset" }

// pages returns how many pages there are, as far as offsets reach; 0 if unknown.
func (p *page) pages() int {
	size, ok := p.number("X-Per-Page")
	if !ok || size <= 0 {
		size, _ = strconv.Atoi(p.query.Get("per_page"))
	}
	if size <= 0 {
		return 0
	}
	pages, ok := p.number("X-Total-Pages")
	if total, counted := p.number("X-Total"); !ok && counted {
		pages = (min(total, deepest) + size - 1) / size
	}
	return max(min(pages, deepest/size), 0)
}

// link returns the address of the next page, or "" if the host names none.
func (p *page) link() string {
	for _, header := range p.header.Values("Link") {
		if link := nextLink().FindStringSubmatch(header); link != nil {
			return link[1]
		}
	}
	return ""
}

// next returns the query of the page after this one, or nil after the last. Of a
// link only the query is used: behind a proxy its host is often wrong, and the
// token must not follow it anyway.
func (p *page) next() (url.Values, error) {
	if link := p.link(); link != "" {
		target, err := url.Parse(link)
		if err != nil || target.RawQuery == "" || target.Query().Encode() == p.query.Encode() {
			return nil, errors.New("the link to the next page has no query or repeats the query of this page; check " +
				"for a proxy that rewrites Link headers")
		}
		return target.Query(), nil
	}
	query := maps.Clone(p.query)
	if n, ok := p.number("X-Next-Page"); ok {
		query.Set("page", strconv.Itoa(n))
		return query, nil
	}
	if p.keyset() || p.header.Get("Link") != "" || p.header.Get("X-Page") != "" || p.header.Get("X-Total-Pages") != "" {
		return nil, nil
	}
	// Something dropped all paging headers. A full page is then no proof of an end.
	var rows []json.RawMessage
	size, _ := strconv.Atoi(query.Get("per_page"))
	if json.Unmarshal(p.body, &rows) != nil || len(rows) < size || size == 0 {
		return nil, nil
	}
	n, _ := strconv.Atoi(query.Get("page"))
	query.Set("page", strconv.Itoa(max(n, 1)+1))
	return query, nil
}

// number reads a paging header; they are absent or empty when not known.
func (p *page) number(header string) (int, bool) {
	n, err := strconv.Atoi(p.header.Get(header))
	return n, err == nil
}

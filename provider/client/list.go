package client

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"sync"
)

// Listings come in pages (gaps §1.4). When the first says how many there are, the
// others are fetched side by side and handed out in order. Past 10,000 rows hosts
// stop counting and past 50,000 they refuse offsets; then keyset pages are asked
// for, which are cheap at any depth, and the links followed one by one.

// orders are what keyset pages are tried with, where the caller has no order of
// its own: most resources page by id, some only by what they sort by anyway.
var orders = []url.Values{{"order_by": {"id"}, "sort": {"asc"}}, {}}

// Listing is a collection whose first page has been read; [Items] yields it all.
type Listing struct {
	Moved string // as in [Reply]
	Total int    // rows, as the host counted them, up to 50,001; -1 if it did not

	ctx   context.Context
	c     *Client
	path  Path
	first *page
}

// List reads the first page of a collection, so that what is wrong with it shows
// at once. The context also rules the pages that Items reads later.
func (c *Client) List(ctx context.Context, path Path, query url.Values) (*Listing, error) {
	l := &Listing{ctx: ctx, c: c, path: path, Total: -1}
	query = maps.Clone(query)
	if query == nil {
		query = url.Values{}
	}
	if !query.Has("per_page") {
		query.Set("per_page", strconv.Itoa(pageSize))
	}
	first, err := l.fetch(ctx, query)
	if err != nil {
		return nil, err
	}
	l.first = first
	if l.Moved = l.first.Moved; l.Moved != "" {
		l.path.encoded = l.Moved // else every page would be redirected
	}
	if total, ok := l.first.number("X-Total"); ok {
		l.Total = min(max(total, -1), deepest+1) // memory is reserved for as many
	}
	if l.Total < 0 && l.first.pages() == 0 || l.Total > deepest {
		if err := l.tryKeyset(); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// Items yields every row of a listing, decoded, in the order of the host; a
// [json.RawMessage] is a part of its page and keeps it in memory. It ends after the first error,
// and may be left at any time. Rows that move while they are listed can come twice: key them by id.
// Ranging again reads again.
func Items[T any](l *Listing) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for page, err := range l.all() {
			var rows []json.RawMessage
			if err == nil {
				rows, err = l.rows(page)
			}
			for i := 0; err == nil && i < len(rows); i++ {
				var item T
				if item, err = decodeRow[T](l, page, rows[i]); err == nil && !yield(item, nil) {
					return
				}
			}
			if err != nil {
				yield(*new(T), err)
				return
			}
		}
	}
}

// rows splits a page. What is no list of rows, decoding explains.
func (l *Listing) rows(p *page) (rows []json.RawMessage, err error) {
	if rows, ok := elements(p.body); ok {
		return rows, nil
	}
	err = l.c.decode(l.path, http.MethodGet, p.answer, &rows)
	return rows, err
}

// decodeRow decodes a row of a page; as a [json.RawMessage] it stays as it is.
func decodeRow[T any](l *Listing, p *page, row json.RawMessage) (item T, err error) {
	if raw, ok := any(&item).(*json.RawMessage); ok {
		*raw = row
		return item, nil
	}
	a := p.answer
	a.body = row
	err = l.c.decode(l.path, http.MethodGet, a, &item)
	return item, err
}

// tryKeyset starts over with keyset pages if the host links to more pages and has
// them for this resource; if not, the offsets go on as they are.
func (l *Listing) tryKeyset() error {
	if l.first.link() == "" || l.first.keyset() {
		return nil
	}
	choices := orders
	if l.first.query.Has("order_by") || l.first.query.Has("sort") {
		choices = orders[1:]
	}
	for _, order := range choices {
		query := maps.Clone(l.first.query)
		query.Set("pagination", "keyset")
		maps.Copy(query, order)
		first, err := l.fetch(l.ctx, query)
		if err == nil {
			l.first = first
			return nil
		}
		if !hasStatus(err, http.StatusMethodNotAllowed) && !hasStatus(err, http.StatusBadRequest) {
			return err
		}
	}
	return nil
}

// all yields the pages in order: the counted ones, then whatever the last of
// them links to, since rows may have been added meanwhile.
func (l *Listing) all() iter.Seq2[*page, error] {
	return func(yield func(*page, error) bool) {
		last := l.first
		if !yield(last, nil) {
			return
		}
		chain := newChain(l.first)
		for page, err := range l.counted() {
			if err == nil {
				err = l.failed(chain.count(page))
			}
			if !yield(page, err) || err != nil {
				return
			}
			last = page
		}
		for {
			query, err := last.next()
			if query == nil && err == nil {
				return
			}
			if err == nil {
				err = chain.follow(query)
			}
			var page *page
			if err == nil {
				page, err = l.fetch(l.ctx, query)
			} else {
				err = l.failed(err)
			}
			if err == nil && bytes.Equal(page.body, last.body) && last.link() == "" {
				return // the endpoint has no pages and answers everything each time
			}
			if err == nil {
				err = l.failed(chain.add(page, last))
			}
			if !yield(page, err) || err != nil {
				return
			}
			last = page
		}
	}
}

// counted yields the pages after the first whose number is known. As many as the
// client is wide are in memory at once, however long the listing.
func (l *Listing) counted() iter.Seq2[*page, error] {
	type result struct {
		page *page
		err  error
	}
	return func(yield func(*page, error) bool) {
		ctx, cancel := context.WithCancel(l.ctx)
		var wg sync.WaitGroup
		defer wg.Wait()
		defer cancel()

		pages := l.first.pages()
		if l.first.keyset() {
			pages = 0
		}
		results := make(chan chan result, l.c.config.MaxWidth)
		wg.Go(func() {
			defer close(results)
			for n := 2; n <= pages; n++ {
				promise := make(chan result, 1)
				select {
				case results <- promise:
				case <-ctx.Done():
					return
				}
				wg.Go(func() {
					query := maps.Clone(l.first.query)
					query.Set("page", strconv.Itoa(n))
					page, err := l.fetch(ctx, query)
					promise <- result{page, err}
				})
			}
		})
		for promise := range results {
			r := <-promise
			if !yield(r.page, r.err) || r.err != nil {
				return
			}
		}
		if err := l.ctx.Err(); err != nil {
			yield(nil, l.failed(err))
		}
	}
}

func (l *Listing) fetch(ctx context.Context, query url.Values) (*page, error) {
	a, err := l.c.send(ctx, http.MethodGet, l.path, query, nil)
	if err != nil {
		return nil, err
	}
	if len(a.body) == 0 && a.Status == http.StatusNoContent {
		a.body = []byte("null")
	}
	return &page{answer: a, query: query}, nil
}

// failed dresses an error between two requests.
func (l *Listing) failed(err error) error {
	if err == nil {
		return nil
	}
	return &Error{Method: http.MethodGet, Endpoint: l.path.template, Path: l.path.encoded, Message: err.Error(),
		Err: err}
}

package client

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
)

const (
	mostPages = 20_000 // that are linked, of a listing that is not counted
	mostEmpty = 100    // pages in a row, and pages beyond the counted ones
)

// chain follows the pages of a listing, and finds the chains that do not end.
type chain struct {
	seen  map[string]bool // queries
	left  int             // links that may still be followed
	most  int
	empty int // pages in a row
}

func newChain(first *page) *chain {
	c := &chain{seen: map[string]bool{first.query.Encode(): true}, most: mostPages}
	if total, ok := first.number("X-Total"); ok && total >= 0 && total <= deepest && !first.keyset() {
		c.most = first.pages() + mostEmpty // rows can be added meanwhile
	}
	c.left = c.most
	return c
}

// count notes a page that was asked for by its number.
func (c *chain) count(p *page) error {
	if p.empty() {
		c.empty++
	} else {
		c.empty = 0
	}
	if c.empty > mostEmpty {
		return fmt.Errorf("the host has more pages after %d empty ones; check for a proxy that changes the answers",
			mostEmpty)
	}
	return nil
}

// follow notes the query of the next page.
func (c *chain) follow(query url.Values) error {
	key := query.Encode()
	switch {
	case c.seen[key]:
		return errors.New("the link to the next page leads back to an earlier page; check for a proxy that " +
			"rewrites Link headers")
	case c.left == 0:
		return fmt.Errorf("the list does not end: the host links to more pages after %d; check for a proxy that "+
			"changes the answers", c.most)
	}
	c.seen[key], c.left = true, c.left-1
	return nil
}

// add notes a page that the one before linked to.
func (c *chain) add(p, before *page) error {
	if !p.empty() && bytes.Equal(p.body, before.body) {
		return errors.New("the next page has the rows of this page; check for a proxy that caches answers")
	}
	return c.count(p)
}

// empty reports whether the page has no rows.
func (p *page) empty() bool {
	text := bytes.TrimSpace(p.body)
	return string(text) == "null" || len(text) > 1 && text[0] == '[' && len(bytes.TrimSpace(text[1:])) == 1
}

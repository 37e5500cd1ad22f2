// Package bitbucketserver reads repositories and their pull requests from hosts of the Bitbucket
// Server kind. It knows no server. Errors are those of package hostapi.
package bitbucketserver

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"hew/server/forge/hostapi"
)

const (
	apiPath  = "/rest/api/1.0"
	pageSize = 25 // entries
)

// Config says which host a Client speaks to, and how.
type Config struct {
	URL       string // of the host: https://code.example.com/bitbucket
	User      string
	Token     string            // a personal access token of the user
	PageSize  int               // entries of a page; 0: 25
	Transport http.RoundTripper // connects
	Now       func() time.Time  // nil: time.Now
	Pause     hostapi.Pause
	MaxAnswer int64 // as in hostapi.Client
}

// Client speaks to the API of a host.
type Client struct {
	api      *hostapi.Client
	pageSize int
}

// NewClient returns a client. It fails if the address is not a URL of the web.
func NewClient(c Config) (*Client, error) {
	base, err := url.Parse(strings.TrimRight(strings.TrimSpace(c.URL), "/"))
	if err != nil || base.Hostname() == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, fmt.Errorf("it must be an http or https URL")
	}
	base.User, base.RawQuery, base.Fragment = nil, "", ""
	base.Path += apiPath
	size := c.PageSize
	if size < 1 {
		size = pageSize
	}
	return &Client{pageSize: size, api: &hostapi.Client{
		Base: base, Transport: c.Transport, Now: c.Now, Pause: c.Pause, MaxAnswer: c.MaxAnswer,
		Authorize: func(r *http.Request) { r.SetBasicAuth(c.User, c.Token) },
		Message:   messageOf,
	}}, nil
}

// messageOf returns the first text in the body of an error.
func messageOf(body []byte) string {
	var said struct{ Errors []struct{ Message string } }
	if json.Unmarshal(body, &said) != nil || len(said.Errors) == 0 { // a proxy may answer with a page
		return ""
	}
	return said.Errors[0].Message
}

// page is a page of a list.
type page[T any] struct {
	Values []T  `json:"values"`
	IsLast bool `json:"isLastPage"`
	Next   int  `json:"nextPageStart"`
}

// Last is the start of the page after the last one.
const Last = -1

// Page reads the page of a list that begins at an entry, and returns where the next one begins:
// Last after the last page. The query may be empty.
func Page[T any](ctx context.Context, c *Client, path, query string, start int) (entries []T, next int, err error) {
	address := fmt.Sprintf("%s?start=%d&limit=%d", path, start, c.pageSize)
	if query != "" {
		address += "&" + query
	}
	return readPage[T](ctx, c, address, start, &hostapi.Walk{})
}

// All reads all pages of a list with at most so many entries. If there are more, or the list is too
// large, it returns those that it has read, and a StatusError.
func All[T any](ctx context.Context, c *Client, path string, most int) (all []T, err error) {
	var walk hostapi.Walk
	for start := 0; start != Last; {
		var entries []T
		address := fmt.Sprintf("%s?start=%d&limit=%d", path, start, c.pageSize)
		if entries, start, err = readPage[T](ctx, c, address, start, &walk); err != nil {
			return all, err
		}
		if all = append(all, entries...); len(all) > most {
			return all[:most], &hostapi.StatusError{Message: fmt.Sprintf("the list has more than %d entries", most)}
		}
	}
	return all, nil
}

// readPage reads the page at an address, which begins at an entry.
func readPage[T any](
	ctx context.Context, c *Client, address string, start int, walk *hostapi.Walk,
) (entries []T, next int, err error) {
	var p page[T]
	a, err := c.api.Get(ctx, address, &p)
	if err == nil {
		err = walk.Add(address, a)
	}
	switch {
	case err != nil:
		return nil, start, err
	case p.IsLast:
		return p.Values, Last, nil
	case p.Next <= start: // it would be read for ever
		return nil, start, &hostapi.StatusError{Message: "the host names a next page that is not after this one"}
	}
	return p.Values, p.Next, nil
}

// Repository reads a repository by the key of its project, ~user for a personal one, and its slug.
func (c *Client) Repository(ctx context.Context, project, slug string) (r Repository, err error) {
	_, err = c.api.Get(ctx, RepositoryPath(project, slug), &r)
	return r, err
}

// RepositoryPath returns the path of a repository below the base.
func RepositoryPath(project, slug string) string {
	return "/projects/" + url.PathEscape(project) + "/repos/" + url.PathEscape(slug)
}

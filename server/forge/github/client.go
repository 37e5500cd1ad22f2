// Package github reads repositories, their planning and users' gists from hosts of the GitHub kind:
// the public one, and enterprise servers. It knows no server. Errors are those of package hostapi.
package github

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"hew/server/forge/hostapi"
)

const (
	// PublicBase is the API of the public host.
	PublicBase = "https://api.github.com"
	maxPage    = 100 // entries
)

// Config says which host a Client speaks to, and how.
type Config struct {
	Base      string            // as Base returns it
	Token     string            // a classic personal access token
	PageSize  int               // entries of a page, 1 to 100; 0: 100
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

// NewClient returns a client. It fails if the base is not a URL.
func NewClient(c Config) (*Client, error) {
	base, err := url.Parse(strings.TrimRight(c.Base, "/"))
	if err != nil || base.Host == "" {
		return nil, fmt.Errorf("the address of the API is not a valid URL")
	}
	base.User = nil
	size := c.PageSize
	if size < 1 || size > maxPage {
		size = maxPage
	}
	return &Client{pageSize: size, api: &hostapi.Client{
		Base: base, Transport: c.Transport, Now: c.Now, Pause: c.Pause, MaxAnswer: c.MaxAnswer,
		Accept:    "application/vnd.github+json",
		Authorize: func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+c.Token) },
	}}, nil
}

// Base returns the API of a host that is given by its name or URL: the public API for "" and the
// public host; else the path of the URL becomes /api/v3, unless it begins with /api/.
func Base(host string) (string, error) {
	host = strings.TrimSpace(host)
	if host == "" {
		return PublicBase, nil
	}
	if !strings.Contains(host, "://") {
		host = "https://" + host
	}
	u, err := url.Parse(host)
	if err != nil || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http" {
		return "", fmt.Errorf("it must be a host name, or an http or https URL")
	}
	switch strings.ToLower(u.Hostname()) {
	case "github.com", "www.github.com", "api.github.com":
		return PublicBase, nil
	}
	path := "/api/v3"
	if strings.HasPrefix(u.Path, "/api/") {
		path = strings.TrimRight(u.Path, "/")
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: path}).String(), nil
}

// IsPublic reports whether a base is the API of the public host.
func IsPublic(base string) bool { return base == PublicBase }

// Page reads a page of a list: the address is one of First, or what an earlier call returned as
// next. It is "" after the last page.
func Page[T any](ctx context.Context, c *Client, address string) (entries []T, next string, err error) {
	a, err := c.api.Get(ctx, address, &entries)
	if err != nil {
		return nil, "", err
	}
	return entries, hostapi.NextLink(a.Header), nil
}

// All reads all pages of a list with at most so many entries. If there are more, or the list is too
// large, it returns those that it has read, and a StatusError.
func All[T any](ctx context.Context, c *Client, address string, most int) (all []T, err error) {
	for walk := (hostapi.Walk{}); address != ""; {
		var entries []T
		a, err := c.api.Get(ctx, address, &entries)
		if err == nil {
			err = walk.Add(address, a)
		}
		if err != nil {
			return all, err
		}
		if all = append(all, entries...); len(all) > most {
			return all[:most], &hostapi.StatusError{Message: fmt.Sprintf("the list has more than %d entries", most)}
		}
		address = hostapi.NextLink(a.Header)
	}
	return all, nil
}

// First returns the address of the first page of a list, such as "/repos/acme/site/labels" with the
// query "state=all".
func (c *Client) First(path, query string) string {
	address := fmt.Sprintf("%s?per_page=%d", path, c.pageSize)
	if query != "" {
		address += "&" + query
	}
	return address
}

// Get reads one object.
func Get[T any](ctx context.Context, c *Client, path string) (object T, err error) {
	_, err = c.api.Get(ctx, path, &object)
	return object, err
}

// Repository returns the repository with an id.
func (c *Client) Repository(ctx context.Context, id int64) (Repository, error) {
	return Get[Repository](ctx, c, fmt.Sprintf("/repositories/%d", id))
}

// User returns what the host shows of a user.
func (c *Client) User(ctx context.Context, login string) (User, error) {
	return Get[User](ctx, c, "/users/"+url.PathEscape(login))
}

// Gists returns the address of the first page of the gists of the token's user, entries Gist.
func (c *Client) Gists() string { return c.First("/gists", "") }

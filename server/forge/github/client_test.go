package github_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/forge/forgetest"
	"hew/server/forge/github"
	"hew/server/forge/hostapi"
)

func TestBase(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"":                                   "https://api.github.com",
		"github.com":                         "https://api.github.com",
		"https://GitHub.com/acme":            "https://api.github.com",
		"https://api.github.com":             "https://api.github.com",
		"code.example.com":                   "https://code.example.com/api/v3",
		"https://code.example.com/":          "https://code.example.com/api/v3",
		"http://code.example.com:8080/x":     "http://code.example.com:8080/api/v3",
		"https://code.example.com/api/v3/":   "https://code.example.com/api/v3",
		"https://code.example.com/api/other": "https://code.example.com/api/other",
		"https://me:pw@code.example.com":     "https://code.example.com/api/v3",
		"ftp://code.example.com":             "",
		"https://":                           "",
		"http://[":                           "",
	} {
		got, err := github.Base(host)
		require.Equal(t, want, got, host)
		require.Equal(t, want == "", err != nil, host)
	}
}

var now = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// newClient returns a client of a host whose clock stands still, with pages of two, and the pauses
// that it has made.
func newClient(t *testing.T, h *forgetest.Host) (*github.Client, *[]time.Duration) {
	pauses := &[]time.Duration{}
	c, err := github.NewClient(github.Config{
		Base: h.URL + "/api/v3", Token: h.Token, PageSize: 2, Transport: http.DefaultTransport,
		Now:       func() time.Time { return now },
		Pause:     func(_ context.Context, d time.Duration) error { *pauses = append(*pauses, d); return nil },
		MaxAnswer: 4000,
	})
	require.NoError(t, err)
	return c, pauses
}

const labels = "/api/v3/repos/acme/site/labels"

func labelHost(t *testing.T) *forgetest.Host {
	h := forgetest.New(t, t.TempDir())
	for i := range 5 {
		h.Lists[labels] = append(h.Lists[labels], github.Label{Name: fmt.Sprint("label", i), Color: "ff0000"})
	}
	return h
}

func allLabels(t *testing.T, c *github.Client) ([]github.Label, error) {
	return github.All[github.Label](t.Context(), c, c.First("/repos/acme/site/labels", "state=all"), 10)
}

func TestPages(t *testing.T) {
	t.Parallel()
	h := labelHost(t)
	c, _ := newClient(t, h)
	all, err := allLabels(t, c)
	require.NoError(t, err)
	require.Len(t, all, 5)
	require.Equal(t, "label4", all[4].Name)
	require.Equal(t, []string{
		"GET " + labels + "?per_page=2&state=all",
		"GET " + labels + "?page=2&per_page=2&state=all",
		"GET " + labels + "?page=3&per_page=2&state=all",
	}, h.Asked())
	all, err = github.All[github.Label](t.Context(), c, c.First("/repos/acme/site/labels", ""), 3)
	require.EqualError(t, err, "the list has more than 3 entries")
	require.Len(t, all, 3)
	_, err = c.Repository(t.Context(), 7)
	require.EqualError(t, err, "Not Found (HTTP 404)")
}

// A fault that is over at the third try is not noticed; one that lasts is an error of its kind.
func TestFaults(t *testing.T) {
	t.Parallel()
	after := func(seconds int) string { return now.Add(time.Duration(seconds) * time.Second).Format(time.RFC3339) }
	limit := "the rate limit of the host is exceeded until "
	for _, tt := range []struct {
		name  string
		fault forgetest.Fault
		times int // how often
		want  string
		tries int
	}{
		{"broken for a moment", forgetest.Fault{Status: 502}, 2, "", 5},
		{"broken", forgetest.Fault{Status: 503, Body: `{"message":"Unicorn!"}`}, 9, "Unicorn! (HTTP 503)", 3},
		{"half a page", forgetest.Fault{Half: true}, 2, "", 5},
		{"half pages", forgetest.Fault{Half: true}, 9, "the answer breaks off", 3},
		{"no answer", forgetest.Fault{Status: 200}, 9, "the answer breaks off", 3},
		{"a page for people", forgetest.Fault{Status: 200, Body: "<html>"}, 9, "Response is not valid JSON", 1},
		{"an object", forgetest.Fault{Status: 200, Body: `{"a":1}`}, 9, "the answer has an unexpected shape", 1},
		{"too large", forgetest.Fault{Status: 200, Body: strings.Repeat(" ", 4001)}, 9,
			"the answer is larger than 4000 bytes (HTTP 200)", 1},
		{"no access", forgetest.Fault{Status: 401, Body: `{"message":"Bad\ncredentials"}`}, 9, "Bad (HTTP 401)", 1},
		{"forbidden", forgetest.Fault{Status: 403, Body: `{"message":"Must be admin"}`}, 9,
			"Must be admin (HTTP 403)", 1},
		{"secondary limit", forgetest.Fault{Status: 403, Header: map[string]string{"Retry-After": "90"}}, 1,
			limit + after(90), 1},
		{"dated", forgetest.Fault{Status: 429, Header: map[string]string{
			"Retry-After": now.Add(30 * time.Second).Format(http.TimeFormat)}}, 1, limit + after(30), 1},
		{"limit without a time", forgetest.Fault{Status: 429}, 1, limit + after(60), 1},
		{"limit by its text", forgetest.Fault{Status: 403, Body: `{"message":"API rate limit exceeded for user 1"}`}, 1,
			limit + after(60), 1},
		{"spent", forgetest.Fault{Status: 403, Header: map[string]string{
			"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": fmt.Sprint(now.Unix() + 600)}}, 1, limit + after(605), 1},
		{"absurd", forgetest.Fault{Status: 429, Header: map[string]string{"Retry-After": "864000"}}, 1,
			limit + after(86400), 1},
		{"redirect to another host", forgetest.Fault{Status: 302, Header: map[string]string{
			"Location": "http://localhost:1/"}}, 9, "leads to localhost:1, which is another host", 1},
		{"redirect to itself", forgetest.Fault{Status: 302, Header: map[string]string{"Location": labels}}, 9,
			"redirects more than 3 times", 4},
		{"redirect to nowhere", forgetest.Fault{Status: 302}, 9,
			"the redirect has no valid Location (HTTP 302)", 1},
		{"redirect within", forgetest.Fault{Status: 301,
			Header: map[string]string{"Location": labels + "?per_page=3"}}, 1, "", 3},
		{"link to another host", forgetest.Fault{Status: 200, Body: "[]", Header: map[string]string{
			"Link": `<http://169.254.169.254/latest>; rel="next"`}}, 9,
			"leads to 169.254.169.254, which is another host", 1},
		{"link to itself", forgetest.Fault{Status: 200, Body: "[]", Header: map[string]string{
			"Link": `</repos/acme/site/labels?per_page=2&state=all>; rel="next"`}}, 9,
			"the host names a next page that was read before", 2},
		{"link with a password", forgetest.Fault{Status: 200, Body: "[]", Header: map[string]string{
			"Link": `<http://me@127.0.0.1/latest>; rel=next`}}, 9, "which is another host", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h, n := labelHost(t), 0
			h.Fault = func(*http.Request) *forgetest.Fault {
				if n++; n > tt.times {
					return nil
				}
				return &tt.fault
			}
			c, pauses := newClient(t, h)
			_, err := allLabels(t, c)
			if tt.want == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, tt.want)
			}
			require.Len(t, h.Asked(), tt.tries)
			if tt.tries == 3 && tt.want != "" {
				require.Equal(t, []time.Duration{time.Second, 4 * time.Second}, *pauses)
			}
		})
	}
}

// The client leaves the user fifty requests: it sends none before the limit is reset.
func TestSpareRequests(t *testing.T) {
	t.Parallel()
	h, left := labelHost(t), 52
	reset := now.Add(10 * time.Minute)
	h.Left = func() (int, time.Time) { left--; return left, reset }
	c, _ := newClient(t, h)
	_, err := allLabels(t, c)
	var limit *hostapi.LimitError
	require.ErrorAs(t, err, &limit)
	require.Equal(t, reset.Add(5*time.Second), limit.Until.UTC())
	require.Len(t, h.Asked(), 2)
	_, err = c.User(t.Context(), "ann")
	require.ErrorAs(t, err, &limit)
	require.Empty(t, h.Asked(), "the client asks although the limit is exceeded")
}

// The token is sent as a header, and to the host alone.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	c, err := github.NewClient(github.Config{
		Base: "http://127.0.0.1:1", Token: "secret", Transport: http.DefaultTransport,
		Pause: func(context.Context, time.Duration) error { return nil },
	})
	require.NoError(t, err)
	_, err = c.User(t.Context(), "ann")
	require.EqualError(t, err, "127.0.0.1 cannot be reached")
	_, _, err = github.Page[github.Gist](t.Context(), c, "https://127.0.0.1:1/gists")
	require.ErrorContains(t, err, "another host")
}

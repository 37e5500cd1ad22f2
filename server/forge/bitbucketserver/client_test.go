package bitbucketserver_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/forge/bitbucketserver"
	"hew/server/forge/forgetest"
)

const pulls = "/code/rest/api/1.0/projects/~ann/repos/my.site/pull-requests"

func newHost(t *testing.T) (*forgetest.Host, *bitbucketserver.Client) {
	h := forgetest.New(t, t.TempDir())
	h.Pages = forgetest.StartPages
	for i := range 5 {
		h.Lists[pulls] = append(h.Lists[pulls], map[string]any{"id": i + 1, "createdDate": 1_700_000_000_123})
	}
	c, err := bitbucketserver.NewClient(bitbucketserver.Config{
		URL: h.URL + "/code/", User: "ann", Token: h.Token, PageSize: 2, Transport: http.DefaultTransport,
		Pause: func(context.Context, time.Duration) error { return nil },
	})
	require.NoError(t, err)
	return h, c
}

func TestPages(t *testing.T) {
	t.Parallel()
	_, c := newHost(t)
	var all []bitbucketserver.Pull
	path := bitbucketserver.RepositoryPath("~ann", "my.site") + "/pull-requests"
	for start := 0; start != bitbucketserver.Last; {
		entries, next, err := bitbucketserver.Page[bitbucketserver.Pull](t.Context(), c, path, "state=ALL", start)
		require.NoError(t, err)
		all, start = append(all, entries...), next
	}
	require.Len(t, all, 5)
	require.Equal(t, 5, all[4].ID)
	require.Equal(t, "2023-11-14T22:13:20.123Z", all[0].CreatedDate.Format(time.RFC3339Nano))
	require.True(t, all[0].ClosedDate.IsZero())
	all, err := bitbucketserver.All[bitbucketserver.Pull](t.Context(), c, path, 5)
	require.NoError(t, err)
	require.Len(t, all, 5)
	all, err = bitbucketserver.All[bitbucketserver.Pull](t.Context(), c, path, 3)
	require.EqualError(t, err, "the list has more than 3 entries")
	require.Len(t, all, 3)
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, body, want string }{
		{"not JSON", "<html></html>", "Response is not valid JSON"},
		{"a list", "[]", "the answer has an unexpected shape"},
		{"a page after itself", `{"isLastPage":false,"nextPageStart":0}`, "a next page that is not after this one"},
		{"a page after none", `{"values":[]}`, "a next page that is not after this one"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h, c := newHost(t)
			h.Fault = func(*http.Request) *forgetest.Fault { return &forgetest.Fault{Status: 200, Body: tt.body} }
			_, _, err := bitbucketserver.Page[bitbucketserver.Pull](t.Context(), c, "/projects", "", 0)
			require.ErrorContains(t, err, tt.want)
		})
	}
	_, c := newHost(t)
	_, err := c.Repository(t.Context(), "ACME", "none")
	require.EqualError(t, err, "There is no such thing. (HTTP 404)")
	for _, address := range []string{"", "code.example.com", "ftp://code.example.com", "https://", "http://["} {
		_, err := bitbucketserver.NewClient(bitbucketserver.Config{URL: address})
		require.Error(t, err, address)
	}
}

package server_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"hew/server"
	"hew/server/servertest"
)

// get asks for a page without a token.
func get(t *testing.T, url string) servertest.Reply { return ask(t, http.MethodGet, url) }

func ask(t *testing.T, method, url string) servertest.Reply {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return servertest.Reply{Status: resp.StatusCode, Header: resp.Header, Body: body}
}

// TestLanding opens the bare address, as people do who were given it.
func TestLanding(t *testing.T) {
	t.Parallel()
	s := servertest.FreshWith(t, server.Config{Build: server.Build{Version: "v1<2>3", Commit: "0123abc"}})
	page := get(t, s.Server.URL())
	require.Equal(t, http.StatusOK, page.Status)
	require.Equal(t, "text/html; charset=utf-8", page.Header.Get("Content-Type"))
	require.Contains(t, page.Header.Get("Content-Security-Policy"), "default-src 'none'")
	doc, err := html.Parse(strings.NewReader(string(page.Body)))
	require.NoError(t, err)
	var text strings.Builder
	for n := range doc.Descendants() {
		switch {
		case n.Type == html.TextNode:
			text.WriteString(n.Data)
		case n.Type == html.ElementNode:
			require.NotContains(
				t, []string{"script", "img", "link", "iframe", "form"}, n.Data, "the page loads and runs nothing",
			)
			for _, a := range n.Attr {
				require.NotEqual(t, "src", a.Key)
				if a.Key == "href" {
					require.Equal(t, http.StatusOK, get(t, s.Server.URL()+"/"+a.Val).Status, a.Val)
				}
			}
		}
	}
	for _, want := range []string{"v1<2>3", "0123abc", server.Version, s.URL, "Ready"} {
		require.Contains(t, text.String(), want)
	}
	require.NotContains(t, text.String(), s.RootToken)

	head := ask(t, http.MethodHead, s.Server.URL()+"/")
	require.Equal(t, http.StatusOK, head.Status)
	require.Empty(t, head.Body)
}

// TestLandingOnly: no other path or method than the bare address gets the page.
func TestLandingOnly(t *testing.T) {
	t.Parallel()
	base := strings.TrimSuffix(servertest.Start(t).URL, "/api/v4")
	for _, c := range []struct{ method, path string }{
		{http.MethodPost, "/"}, {http.MethodGet, "//"}, {http.MethodGet, "/index.html"}, {http.MethodGet, "/api"},
		{http.MethodGet, "/api/v4"},
		{http.MethodGet, "/-/other"}, {http.MethodGet, "/acme/web"},
	} {
		reply := ask(t, c.method, base+c.path)
		require.Equal(t, http.StatusNotFound, reply.Status, c)
		require.JSONEq(t, `{"error":"404 Not Found"}`, string(reply.Body), c)
	}
}

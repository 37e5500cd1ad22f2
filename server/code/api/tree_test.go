package api_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/code/api"
)

// Pages by key, one after the other, are what git lists.
func TestTreePages(t *testing.T) {
	t.Parallel()
	h := newHost(t, "treepages")
	w := h.begin()
	for i := range 23 {
		w.Write(fmt.Sprint("dir/", i%5, "/file", i), "x")
		w.Write(fmt.Sprint("dir.", i), "x") // before and after dir/ by their bytes
		w.Write(fmt.Sprint("dir0", i), "x")
	}
	w.Commit("dir/z", "x")
	w.Git("push", "-q", "origin", "main")
	all := strings.Fields(w.Git("ls-tree", "-r", "-t", "--name-only", "HEAD"))
	below := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return !strings.HasPrefix(name, "dir/") })
	for path, want := range map[string][]string{"": all, "dir": below} {
		var got []string
		token := ""
		for {
			reply := h.api("GET", "tree?recursive=true&pagination=keyset&per_page=7&path="+path+"&page_token="+
				url.QueryEscape(token), nil)
			require.Equal(t, 200, reply.Status, string(reply.Body))
			var page []struct{ ID, Path string }
			require.NoError(t, json.Unmarshal(reply.Body, &page))
			for _, f := range page {
				got = append(got, f.Path)
				token = f.ID + f.Path
			}
			if !strings.Contains(reply.Header.Get("Link"), `rel="next"`) {
				break
			}
			require.Len(t, page, 7)
		}
		require.Equal(t, want, got, path)
	}
}

// A page by offset reads no more than it counts, whatever the tree holds.
func TestTreeListIsBounded(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]int{
		"":                                      10_001,
		"?recursive=true&page=2":                10_001,
		"?recursive=true&page=400&per_page=100": 40_001,
		"?pagination=keyset&per_page=50":        51,
	} {
		require.Equal(t, want, api.FilesRead(query), query)
	}
}

func TestTreePageTokens(t *testing.T) {
	t.Parallel()
	h := newHost(t, "treetokens")
	w := h.begin()
	w.Write("dir/a", "x")
	w.Commit("dir/b", "x")
	w.Git("push", "-q", "origin", "main")
	id := strings.Repeat("0", 40)
	for token, want := range map[string]int{
		"": 200, id + "dir/a": 200, id + "dir/between": 200, id + "/dir%2Fa": 200, id + "x": 400, id + "dir": 400,
		id: 400, "dir/a": 400, "x" + id: 400, id + "/%": 400,
	} {
		reply := h.api("GET", "tree?pagination=keyset&path=dir&page_token="+url.QueryEscape(token), nil)
		require.Equal(t, want, reply.Status, "%q: %s", token, reply.Body)
		if want == 400 {
			require.JSONEq(t, `{"error":"page_token is invalid"}`, string(reply.Body))
		}
	}
}

package api_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Pages by key, one after the other, are what git lists.
func TestTreePages(t *testing.T) {
	t.Parallel()
	h := newHost(t, "treepages")
	w := h.begin()
	for i := range 23 {
		w.write(fmt.Sprint("dir/", i%5, "/file", i), "x")
		w.write(fmt.Sprint("dir.", i), "x") // before and after dir/ by their bytes
		w.write(fmt.Sprint("dir0", i), "x")
	}
	w.commit("dir/z", "x")
	w.git("push", "-q", "origin", "main")
	all := strings.Fields(w.git("ls-tree", "-r", "-t", "--name-only", "HEAD"))
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

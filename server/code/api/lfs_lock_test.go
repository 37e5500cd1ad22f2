package api_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// lfsLockList is an answer about locks.
type lfsLockList struct {
	Locks, Ours, Theirs []struct{ ID, Path string }
	Next                string `json:"next_cursor"`
}

// Locks come in pages, and git-lfs follows the cursor.
func TestLFSLockPages(t *testing.T) {
	t.Parallel()
	h := newHost(t, "lfslockpages")
	const locks = "/info/lfs/locks"
	ids := map[string]string{}
	for i := range 5 {
		status, text := h.lfsDo("POST", locks, fmt.Sprintf(`{"path":"file%d"}`, i))
		require.Equal(t, 201, status, text)
		var made struct{ Lock struct{ ID, Path string } }
		require.NoError(t, json.Unmarshal([]byte(text), &made))
		ids[made.Lock.Path] = made.Lock.ID
	}
	pages := func(ask func(cursor string) (int, string)) (paths [][]string) {
		cursor := ""
		for range 5 {
			status, text := ask(cursor)
			require.Equal(t, 200, status, text)
			var got lfsLockList
			require.NoError(t, json.Unmarshal([]byte(text), &got))
			var page []string
			for _, l := range append(got.Locks, got.Ours...) {
				page = append(page, l.Path)
			}
			require.Empty(t, got.Theirs)
			paths = append(paths, page)
			if cursor = got.Next; cursor == "" {
				break
			}
		}
		return paths
	}
	want := [][]string{{"file0", "file1"}, {"file2", "file3"}, {"file4"}}
	require.Equal(t, want, pages(func(cursor string) (int, string) {
		return h.lfsDo("GET", locks+"?limit=2&cursor="+cursor, "")
	}))
	require.Equal(t, want, pages(func(cursor string) (int, string) {
		if cursor == "" {
			return h.lfsDo("POST", locks+"/verify", `{"limit":2,"ref":{"name":"refs/heads/main"}}`)
		}
		return h.lfsDo("POST", locks+"/verify", fmt.Sprintf(`{"limit":2,"cursor":%q}`, cursor))
	}))
	one := func(query string) [][]string {
		return pages(func(string) (int, string) { return h.lfsDo("GET", locks+query, "") })
	}
	require.Equal(t, [][]string{{"file3"}}, one("?id="+ids["file3"]))
	require.Equal(t, [][]string{{"file2"}}, one("?path=file2"))
	require.Equal(t, [][]string{nil}, one("?path=file2&id="+ids["file3"]))
	require.Len(t, one("?limit=-1")[0], 5)
	require.Len(t, one("")[0], 5)
}

func TestLFSLockRefusals(t *testing.T) {
	t.Parallel()
	h := newHost(t, "lfslockrefusals")
	status, text := h.lfsDo("POST", "/info/lfs/locks", `{"path":"a"}`)
	require.Equal(t, 201, status, text)
	var made struct{ Lock struct{ ID string } }
	require.NoError(t, json.Unmarshal([]byte(text), &made))
	unlock := "/info/lfs/locks/" + made.Lock.ID + "/unlock"
	for _, c := range []struct {
		method, path, body string
		want               int
	}{
		{"POST", "/info/lfs/locks", `{"path":"a"}`, 409},
		{"POST", unlock, `{"force":`, 422},
		{"POST", unlock, `{"force":"yes"}`, 422},
		{"POST", "/info/lfs/locks/verify", `{"cursor":"x"}`, 422},
		{"POST", "/info/lfs/locks/verify", `nothing`, 422},
		{"GET", "/info/lfs/locks?cursor=x", "", 400},
		{"GET", "/info/lfs/locks?limit=x", "", 400},
		{"POST", "/info/lfs/locks/verify", "", 200},
		{"POST", unlock, "", 200},
		{"POST", unlock, "", 404},
	} {
		status, text := h.lfsDo(c.method, c.path, c.body)
		require.Equal(t, c.want, status, "%s %s: %s", c.method, c.path, text)
	}
}

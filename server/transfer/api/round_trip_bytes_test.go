package api_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/servertest"
)

// noise returns so many bytes that no compression makes smaller.
func noise(n int, seed string) (data []byte) {
	for sum := sha256.Sum256([]byte(seed)); len(data) < n; sum = sha256.Sum256(sum[:]) {
		data = append(data, sum[:]...)
	}
	return data[:n]
}

// picture returns a small PNG.
func picture(t testing.TB) []byte {
	var out bytes.Buffer
	require.NoError(t, png.Encode(&out, image.NewGray(image.Rect(0, 0, 3, 3))))
	return out.Bytes()
}

// sendLFS uploads an LFS object to a project, and returns its pointer.
func (i importer) sendLFS(path string, content []byte) (pointer string) {
	i.Helper()
	oid := fmt.Sprintf("%x", sha256.Sum256(content))
	address := strings.Replace(strings.TrimSuffix(i.s.URL, "/api/v4"), "://", "://root:"+i.s.RootToken+"@", 1)
	r, err := http.NewRequestWithContext(i.Context(), "PUT",
		fmt.Sprintf("%s/%s.git/gitlab-lfs/objects/%s/%d", address, path, oid, len(content)), bytes.NewReader(content))
	require.NoError(i, err)
	reply, err := http.DefaultClient.Do(r)
	require.NoError(i, err)
	require.NoError(i, reply.Body.Close())
	require.Equal(i, 200, reply.StatusCode)
	return fmt.Sprintf("version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n", oid, len(content))
}

// fill gives a project files of every kind: LFS objects, uploads, an avatar, wiki pages with an
// attachment, and snippets.
func (i importer) fill(id int64, path string) {
	i.Helper()
	at := fmt.Sprintf("/projects/%d", id)
	send := func(method, path string, body any) servertest.Reply {
		i.Helper()
		reply := i.s.Do(i, i.s.RootToken, method, at+path, body)
		require.Less(i, reply.Status, 300, "%s %s: %s", method, path, reply.Body)
		return reply
	}
	var actions []any
	for n, size := range []int{0, 1, 70_000, 3 << 20} {
		actions = append(actions, map[string]any{"action": "create", "file_path": fmt.Sprintf("lfs/%d.bin", n),
			"content": i.sendLFS(path, noise(size, fmt.Sprint("lfs", n)))})
	}
	send("POST", "/repository/commits", map[string]any{
		"branch": "main", "commit_message": "Add large files", "actions": actions})
	for n, name := range []string{"a b.txt", "größe.bin", "empty"} {
		var made struct{ Markdown string }
		send("POST", "/uploads", servertest.Upload{
			Field: "file", Name: name, Content: noise(n*100_000%200_001, name)}).Into(i, &made)
		send("POST", "/issues", map[string]any{"title": name, "description": "See " + made.Markdown})
	}
	send("PUT", "", servertest.Upload{Field: "avatar", Name: "logo.png", Content: picture(i)})
	for _, page := range []string{"home", "dir/sub page", "_sidebar"} {
		send("POST", "/wikis", map[string]any{"title": page, "content": "# " + page + "\n\nÄ text.\n"})
	}
	send("PUT", "/wikis/home", map[string]any{"content": "Changed."})
	send("POST", "/wikis/attachments", servertest.Upload{Field: "file", Name: "plan.png", Content: picture(i)})
	for n := range 3 {
		files := []any{map[string]any{"file_path": "main.go", "content": "package main\n"}}
		for k := range n {
			files = append(files, map[string]any{
				"file_path": fmt.Sprintf("dir/%d.md", k), "content": strings.Repeat("é\n", k+1)})
		}
		send("POST", "/snippets", map[string]any{
			"title": fmt.Sprint("Snippet ", n), "description": "How", "visibility": "private", "files": files})
	}
}

// pageID is the id of a page, which pages have that were edited here.
var pageID = regexp.MustCompile(`"wiki_page_meta_id":\w+,`)

// LFS objects, uploads, the avatar, the wiki and snippets come through an export and an import with
// every byte, and are read there as before.
func TestRoundTripOfBytes(t *testing.T) {
	t.Parallel()
	i := newImporter(t)
	var p servertest.Made
	i.s.Do(t, i.s.RootToken, "POST", "/projects", map[string]any{
		"name": "Store", "path": "store", "initialize_with_readme": true}).Into(t, &p)
	i.introduce()
	i.fill(p.ID, "root/store")
	was := i.export(i.s.RootToken, p.ID)
	r, now := i.again(was, map[string]string{"path": "copy"})
	requireSame(t, was, now)

	count := map[string]int{}
	for name := range was {
		dir, _, _ := strings.Cut(name, "/")
		count[dir]++
	}
	require.Equal(t, []int{4, 3, 1, 3, 1, 1}, []int{count["lfs-objects"], count["uploads"], count["avatar"],
		count["snippets"], count["project.wiki.bundle"], count["lfs-objects.json"]})
	read := func(id int64, path string) string {
		t.Helper()
		reply := i.s.Do(t, i.s.RootToken, "GET", fmt.Sprintf("/projects/%d%s", id, path), nil)
		require.Equal(t, 200, reply.Status, "%s: %s", path, reply.Body)
		return string(reply.Body)
	}
	for name, content := range was {
		if strings.HasPrefix(name, "uploads/") {
			require.Equal(t, content, read(r.ID, "/"+strings.ReplaceAll(name, " ", "%20")), name)
		}
	}
	require.Equal(t, string(noise(3<<20, "lfs3")), read(r.ID, "/repository/files/lfs%2F3.bin/raw?ref=main&lfs=true"))
	require.Equal(t, string(picture(t)), read(r.ID, "/avatar"))
	for _, path := range []string{"/wikis?with_content=true", "/wikis/dir%2Fsub-page"} {
		require.Equal(t, pageID.ReplaceAllString(read(p.ID, path), ""), pageID.ReplaceAllString(read(r.ID, path), ""))
	}
	c := gittest.NewClient(t)
	address := strings.Replace(strings.TrimSuffix(i.s.URL, "/api/v4"), "://", "://root:"+i.s.RootToken+"@", 1)
	for _, path := range []string{"root/copy", "root/copy.wiki"} {
		c.Git("clone", "-q", address+"/"+path+".git", strings.ReplaceAll(path, "/", "-"))
	}
}

package api_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/servertest"
)

// namesIn returns the files of an archive, without the directory that all are in.
func namesIn(t *testing.T, format string, data []byte) []string {
	return slices.Sorted(maps.Keys(contentsIn(t, format, data)))
}

// contentsIn returns the content of the files of an archive, and where links point to with an arrow
// before it, by their names without the directory that all are in.
func contentsIn(t *testing.T, format string, data []byte) map[string]string {
	files := map[string]string{}
	keep := func(name string, mode fs.FileMode, content io.Reader) {
		text, err := io.ReadAll(content)
		require.NoError(t, err)
		if mode&fs.ModeSymlink != 0 {
			text = append([]byte("-> "), text...)
		}
		if mode&0o100 != 0 && mode.IsRegular() {
			text = append([]byte("*"), text...)
		}
		if _, name, _ = strings.Cut(name, "/"); name != "" && !mode.IsDir() {
			files[name] = string(text)
		}
	}
	if format == "zip" {
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		require.NoError(t, err)
		for _, f := range z.File {
			content, err := f.Open()
			require.NoError(t, err)
			keep(f.Name, f.Mode(), content)
			require.NoError(t, content.Close())
		}
		return files
	}
	var in io.Reader = bytes.NewReader(data)
	switch format {
	case "tar.gz":
		z, err := gzip.NewReader(in)
		require.NoError(t, err)
		in = z
	case "tar.bz2":
		in = bzip2.NewReader(in)
	}
	for r := tar.NewReader(in); ; {
		h, err := r.Next()
		if err == io.EOF {
			return files
		}
		require.NoError(t, err)
		switch h.Typeflag {
		case tar.TypeReg:
			keep(h.Name, h.FileInfo().Mode(), r)
		case tar.TypeSymlink:
			keep(h.Name, h.FileInfo().Mode(), strings.NewReader(h.Linkname))
		}
	}
}

func TestArchives(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	alice := s.User(t, "archivealice")
	var p servertest.Made
	s.Do(t, alice.Token, "POST", "/projects", map[string]any{"name": "archived", "visibility": "private"}).Into(t, &p)
	create := func(path string) any {
		return map[string]any{"action": "create", "file_path": path, "content": path}
	}
	commits := fmt.Sprintf("/projects/%d/repository/commits", p.ID)
	require.Equal(t, 201, s.Do(t, alice.Token, "POST", commits, map[string]any{
		"branch": "main", "commit_message": "Begin", "actions": []any{
			create("README.md"), create("src/a.go"), create("src/deep/b.go"), create("odd [a]*/c"), create("odd a/c"),
		},
	}).Status)
	all := []string{"README.md", "odd [a]*/c", "odd a/c", "src/a.go", "src/deep/b.go"}
	for _, c := range []struct {
		format, query string
		want          []string // nil: not found
	}{
		{"tar.gz", "", all},
		{"zip", "", all},
		{"tar", "", all},
		{"tar.bz2", "", all},
		{"tar.gz", "?path=src", []string{"src/a.go", "src/deep/b.go"}},
		{"tar", "?path=odd%20%5Ba%5D*", []string{"odd [a]*/c"}},
		{"zip", "?exclude_paths=src/deep,README.md", []string{"odd [a]*/c", "odd a/c", "src/a.go"}},
		{"tar", "?path=src&exclude_paths=src/deep", []string{"src/a.go"}},
		{"tar", "?path=none", nil},
		{"tar", "?path=../etc", nil},
		{"rar", "", nil},
	} {
		path := fmt.Sprintf("/projects/%d/repository/archive.%s%s", p.ID, c.format, c.query)
		reply := s.Do(t, alice.Token, "GET", path, nil)
		head := s.Do(t, alice.Token, "HEAD", path, nil)
		require.Equal(t, reply.Status, head.Status, path)
		require.Empty(t, head.Body, path)
		if c.want == nil {
			require.Equal(t, 404, reply.Status, path)
			continue
		}
		require.Equal(t, 200, reply.Status, path)
		require.Equal(t, reply.Header.Get("Content-Disposition"), head.Header.Get("Content-Disposition"))
		names := namesIn(t, c.format, reply.Body)
		slices.Sort(names)
		require.Equal(t, c.want, names, path)
	}
}

// What git fsck --strict calls an error cannot come by the API.
func TestFsckErrorsAreRefused(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	alice := s.User(t, "fsckalice")
	var p servertest.Made
	s.Do(t, alice.Token, "POST", "/projects", map[string]any{"name": "strict", "visibility": "private"}).Into(t, &p)
	w := gittest.NewClient(t)
	w.Git("init", "-q", "-b", "main", ".")
	w.Git("config", "core.symlinks", "true")
	id := strings.TrimSpace(w.Git("hash-object", "-w", "--stdin"))
	w.Git("update-index", "--add", "--cacheinfo", "120000,"+id+",link")
	w.Git("commit", "-qm", "Link")
	w.Git("push", "-q", address(s, p.Path, alice.Token), "main")
	for _, name := range []string{".gitmodules", "sub/.GitModules", "GITMOD~1", "ok"} {
		reply := s.Do(t, alice.Token, "POST", fmt.Sprintf("/projects/%d/repository/commits", p.ID), map[string]any{
			"branch": "main", "commit_message": "Move", "actions": []any{
				map[string]any{"action": "move", "previous_path": "link", "file_path": name},
			},
		})
		if name == "ok" {
			require.Equal(t, 201, reply.Status, string(reply.Body))
			continue
		}
		require.Equal(t, 400, reply.Status, name)
		require.Contains(t, string(reply.Body), "cannot be a symbolic link")
	}
	for _, path := range []string{"commits", "tags"} {
		reply := s.Do(t, alice.Token, "POST", fmt.Sprintf("/projects/%d/repository/%s", p.ID, path), map[string]any{
			"branch": "main", "commit_message": "a\x00b", "actions": []any{}, "tag_name": "v1", "ref": "main", "message": "a\x00b",
		})
		require.Equal(t, 400, reply.Status, string(reply.Body))
	}
}

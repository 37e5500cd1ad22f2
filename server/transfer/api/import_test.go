package api_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"hew/server/git/gittest"
	"hew/server/servertest"
)

// entry is an entry of an archive that a test makes.
type entry struct {
	name, content string
	kind          byte // 0: a file
	link          string
}

// pack returns an archive with the entries.
func pack(t testing.TB, entries []entry) string {
	t.Helper()
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	to := tar.NewWriter(zip)
	for _, e := range entries {
		kind := e.kind
		if kind == 0 {
			kind = tar.TypeReg
		}
		h := &tar.Header{Name: e.name, Typeflag: kind, Linkname: e.link, Mode: 0o644, Size: int64(len(e.content))}
		require.NoError(t, to.WriteHeader(h))
		_, err := to.Write([]byte(e.content))
		require.NoError(t, err)
	}
	require.NoError(t, to.Close())
	require.NoError(t, zip.Close())
	return out.String()
}

// readArchive returns the files of a handwritten archive. Words such as $main become commits.
func readArchive(t testing.TB, name string, commits map[string]string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "archives", name+".txtar"))
	require.NoError(t, err)
	files := map[string]string{}
	for _, f := range txtar.Parse(text).Files {
		content := string(f.Data)
		for _, word := range slices.Backward(slices.Sorted(maps.Keys(commits))) {
			content = strings.ReplaceAll(content, "$"+word, commits[word])
		}
		if f.Name == "VERSION" {
			content = strings.TrimSpace(content)
		}
		files[f.Name] = content
	}
	return files
}

// packFiles returns an archive of files, as the public service names them.
func packFiles(t testing.TB, files map[string]string) string {
	t.Helper()
	entries := []entry{{name: "./", kind: tar.TypeDir}}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		entries = append(entries, entry{name: "./" + name, content: files[name]})
	}
	return pack(t, entries)
}

// bundle returns a bundle of a repository with a merged branch, a tag, and a branch of a merge
// request that is gone.
func bundle(t testing.TB) (content string, commits map[string]string) {
	t.Helper()
	g := gittest.NewClient(t)
	commits = map[string]string{}
	g.Git("init", "-q", "-b", "main", ".")
	g.Commit("README.md", "# Shop\n")
	commits["base"] = strings.TrimSpace(g.Git("rev-parse", "HEAD"))
	g.Git("checkout", "-q", "-b", "feature")
	g.Commit("cart.txt", "cart\n")
	commits["feature"] = strings.TrimSpace(g.Git("rev-parse", "HEAD"))
	g.Git("checkout", "-q", "main")
	g.Git("merge", "-q", "--no-ff", "-m", "Merge the cart", "feature")
	commits["merge"] = strings.TrimSpace(g.Git("rev-parse", "HEAD"))
	g.Git("tag", "v1.0")
	g.Git("checkout", "-q", "-b", "till")
	g.Commit("till.txt", "till\n")
	commits["till"] = strings.TrimSpace(g.Git("rev-parse", "HEAD"))
	g.Git("update-ref", "refs/merge-requests/2/head", "till")
	g.Git("update-ref", "refs/merge-requests/1/head", "feature")
	g.Git("update-ref", "refs/pipelines/5", "main")
	g.Git("checkout", "-q", "main")
	g.Git("branch", "-q", "-D", "till")
	file := filepath.Join(t.TempDir(), "b")
	g.Git("bundle", "create", "-q", file, "--all")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(text), commits
}

// importer is a server and a user who imports.
type importer struct {
	testing.TB
	s    *servertest.Server
	user servertest.Persona
}

// record is what tests read of the record of an import.
type record struct {
	ID     int64   `json:"id"`
	Path   string  `json:"path_with_namespace"`
	Status string  `json:"import_status"`
	Type   *string `json:"import_type"`
	Error  *string `json:"import_error"`
	Failed []struct {
		Relation string `json:"relation_name"`
		Line     int    `json:"line_number"`
		Class    string `json:"exception_class"`
		Message  string `json:"exception_message"`
	} `json:"failed_relations"`
}

// failures returns the failed relations in words.
func (r record) failures() (list []string) {
	for _, f := range r.Failed {
		list = append(list, fmt.Sprintf("%s:%d %s: %s", f.Relation, f.Line, f.Class, f.Message))
	}
	return list
}

// upload starts an import.
func (i importer) upload(token, archive string, fields map[string]string) servertest.Reply {
	i.Helper()
	u := servertest.Upload{Field: "file", Name: "export.tar.gz", Content: []byte(archive)}
	for _, name := range slices.Sorted(maps.Keys(fields)) { // some before the file and some after it
		if len(u.Before) <= len(u.After) {
			u.Before = append(u.Before, [2]string{name, fields[name]})
		} else {
			u.After = append(u.After, [2]string{name, fields[name]})
		}
	}
	return i.s.Do(i, token, "POST", "/projects/import", u)
}

// bring imports an archive, and returns the record after the import.
func (i importer) bring(token, archive string, fields map[string]string) (r record) {
	i.Helper()
	reply := i.upload(token, archive, fields)
	require.Equal(i, 201, reply.Status, string(reply.Body))
	reply.Into(i, &r)
	require.Equal(i, "scheduled", r.Status)
	require.NoError(i, i.s.Server.Jobs.Drain(i.Context()))
	return i.show(token, r.ID)
}

func (i importer) show(token string, id int64) (r record) {
	i.Helper()
	i.s.Do(i, token, "GET", fmt.Sprintf("/projects/%d/import", id), nil).Into(i, &r)
	return r
}

// get returns an answer about the project as JSON.
func (i importer) get(token string, id int64, path string, into any) {
	i.Helper()
	reply := i.s.Do(i, token, "GET", fmt.Sprintf("/projects/%d%s", id, path), nil)
	require.Equal(i, 200, reply.Status, string(reply.Body))
	reply.Into(i, into)
}

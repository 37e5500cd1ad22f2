package api_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/servertest"
	"hew/server/setting"
)

// newImporter returns a server without limits on exports and imports, where carol and root are
// known by their addresses.
func newImporter(t testing.TB) importer {
	i := importer{TB: t, s: servertest.Fresh(t)}
	i.user = i.s.User(t, "carol")
	for _, limit := range []string{"project_import_limit", "project_export_limit", "project_download_export_limit"} {
		require.NoError(t, setting.Set(t.Context(), i.s.Store, limit, 0))
	}
	return i
}

// introduce has everybody be known by a public address.
func (i importer) introduce() {
	i.Helper()
	require.NoError(i, i.s.Store.Exec(i.Context(), `
		update users set public_email = email, confirmed_at = coalesce(confirmed_at, now())`, nil))
}

// export returns the files of an export of a project.
func (i importer) export(token string, id int64) map[string]string {
	i.Helper()
	path := fmt.Sprintf("/projects/%d/export", id)
	reply := i.s.Do(i, token, "POST", path, nil)
	require.Equal(i, 202, reply.Status, string(reply.Body))
	require.NoError(i, i.s.Server.Jobs.Drain(i.Context()))
	reply = i.s.Do(i, token, "GET", path+"/download", nil)
	require.Equal(i, 200, reply.Status, string(reply.Body))
	return unpackFiles(i, reply.Body)
}

// unpackFiles returns the files of an archive, by name.
func unpackFiles(t testing.TB, content []byte) map[string]string {
	t.Helper()
	zip, err := gzip.NewReader(bytes.NewReader(content))
	require.NoError(t, err)
	files := map[string]string{}
	for from := tar.NewReader(zip); ; {
		h, err := from.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		require.NoError(t, err)
		if h.Typeflag == tar.TypeDir {
			continue
		}
		text, err := io.ReadAll(from)
		require.NoError(t, err)
		files[strings.TrimPrefix(h.Name, "./")] = string(text)
	}
}

// again imports an archive as another project, without failures, and exports that.
func (i importer) again(was map[string]string, fields map[string]string) (r record, now map[string]string) {
	i.Helper()
	r = i.bring(i.s.RootToken, packFiles(i, was), fields)
	require.Equal(i, "finished", r.Status, "%v", r.Error)
	require.Empty(i, r.failures())
	return r, i.export(i.s.RootToken, r.ID)
}

// made are the attributes that an import makes itself: ids of this project, and what is a record of
// what happened to a row here. Threads have ids that follow from the project.
var made = []string{
	"next_run_at", "source_project_id", "target_project_id"}

// madeIn are those of single relations: protections and settings have the time of the import, and
// schedules are inactive, and the importer's (transfer.md §1.3).
var madeIn = map[string][]string{
	"protected_branches": {"created_at", "updated_at"}, "protected_tags": {"created_at", "updated_at"},
	"project_members":    {"created_by_id"},
	"pipeline_schedules": {"active", "owner_id"},
}

// requireSame compares two exports: documents but for what an import makes itself, repositories by
// their refs, and all other files by their bytes.
func requireSame(t testing.TB, was, now map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(namesOf(was, now)) {
		want, ok := was[name]
		got, found := now[name]
		relation := strings.TrimSuffix(filepath.Base(name), ".ndjson")
		switch {
		case ok != found:
			t.Errorf("%s: in the first export %v, in the second %v", name, ok, found)
		case strings.HasSuffix(name, ".bundle"):
			require.Equal(t, refsOf(t, want), refsOf(t, got), name)
		case strings.HasPrefix(name, "tree/"):
			requireSameLines(t, name, relation, want, got)
		case want != got:
			t.Errorf("%s has other bytes: %d, and %d", name, len(want), len(got))
		}
	}
}

// namesOf iterates over the names of the files of both.
func namesOf(a, b map[string]string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for name := range a {
			if !yield(name) {
				return
			}
		}
		for name := range b {
			if _, twice := a[name]; !twice && !yield(name) {
				return
			}
		}
	}
}

func requireSameLines(t testing.TB, name, relation, want, got string) {
	t.Helper()
	a, b := strings.Split(strings.TrimSpace(want), "\n"), strings.Split(strings.TrimSpace(got), "\n")
	if len(a) != len(b) {
		t.Errorf("%s: %d documents, and %d", name, len(a), len(b))
		return
	}
	for n := range a {
		if differ := difference(documentText(t, relation, a[n]), documentText(t, relation, b[n])); differ != "" {
			t.Errorf("%s: line %d differs:\n%s", name, n, differ)
		}
	}
}

// difference returns the first lines that differ between two texts, with those before them, "" if
// there are none.
func difference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	if at == len(a) && at == len(b) {
		return ""
	}
	before := a[max(0, at-8):at]
	return strings.Join(before, "\n") + "\n-" + strings.Join(a[at:min(at+3, len(a))], "\n-") +
		"\n+" + strings.Join(b[at:min(at+3, len(b))], "\n+")
}

// documentText returns a document without what an import makes itself, a value a line.
func documentText(t testing.TB, relation, line string) string {
	t.Helper()
	var document any
	require.NoError(t, json.Unmarshal([]byte(line), &document))
	threads := map[string]string{}
	var tidy func(any)
	tidy = func(value any) {
		switch v := value.(type) {
		case []any:
			for _, e := range v {
				tidy(e)
			}
		case map[string]any:
			for _, name := range slices.Concat(made, madeIn[relation]) {
				delete(v, name)
			}
			if id, ok := v["discussion_id"].(string); ok { // the same notes are in one thread
				if threads[id] == "" {
					threads[id] = fmt.Sprint("thread ", len(threads))
				}
				v["discussion_id"] = threads[id]
			}
			if v["state"] == "opened" {
				delete(v, "merge_status") // it is found out again
			}
			for name, e := range v {
				if text, ok := e.(string); ok { // mentions of people of the source become code
					v[name] = strings.ReplaceAll(text, "`@dave`", "@dave")
				}
				tidy(e)
			}
		}
	}
	tidy(document)
	text, err := json.MarshalIndent(document, "", " ")
	require.NoError(t, err)
	return string(text)
}

// refsOf returns the refs of a bundle, whose objects git checks.
func refsOf(t testing.TB, content string) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "bundle")
	require.NoError(t, os.WriteFile(file, []byte(content), 0o600))
	gittest.ClientIn(t, dir).Git("clone", "-q", "--mirror", file, "clone")
	clone := gittest.ClientIn(t, filepath.Join(dir, "clone"))
	clone.Git("fsck", "--strict", "--no-progress")
	return clone.Git("symbolic-ref", "HEAD") + clone.Git("for-each-ref", "--format=%(objectname) %(refname)")
}

// What was imported from an archive of the public layout is exported, imported and exported again.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	i := newImporter(t)
	i.introduce()
	content, commits := bundle(t)
	files := readArchive(t, "full", commits)
	files["project.bundle"] = content
	first := i.bring(i.s.RootToken, packFiles(t, files), map[string]string{"path": "one"})
	was := i.export(i.s.RootToken, first.ID)
	require.NotEmpty(t, was["tree/project/merge_requests.ndjson"])
	_, now := i.again(was, map[string]string{"path": "two"})
	requireSame(t, was, now)
}

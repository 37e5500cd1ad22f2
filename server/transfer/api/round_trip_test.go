package api_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
	"hew/server/setting"
)

// export returns the files of an export of a project.
func (i importer) export(token string, id int64) map[string]string {
	i.Helper()
	path := fmt.Sprintf("/projects/%d/export", id)
	reply := i.s.Do(i, token, "POST", path, nil)
	require.Equal(i, 202, reply.Status, string(reply.Body))
	require.NoError(i, i.s.Server.Jobs.Drain(i.Context()))
	reply = i.s.Do(i, token, "GET", path+"/download", nil)
	require.Equal(i, 200, reply.Status, string(reply.Body))
	zip, err := gzip.NewReader(bytes.NewReader(reply.Body))
	require.NoError(i, err)
	files := map[string]string{}
	for from := tar.NewReader(zip); ; {
		h, err := from.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		require.NoError(i, err)
		if h.Typeflag == tar.TypeDir {
			continue
		}
		text, err := io.ReadAll(from)
		require.NoError(i, err)
		files[strings.TrimPrefix(h.Name, "./")] = string(text)
	}
}

// changing are the parts of documents that another project has others of: ids, and the times of
// what is made again.
var changing = regexp.MustCompile(
	`"(?:\w*_id|id|next_run_at)":(?:\d+|null|"[^"]*")|"[^"]*_at":"2026-[^"]*"`)

// What was imported from an export is exported like it, but for ids and times.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	i := importer{TB: t, s: servertest.Fresh(t)}
	i.user = i.s.User(t, "carol")
	for _, limit := range []string{"project_import_limit", "project_export_limit", "project_download_export_limit"} {
		require.NoError(t, setting.Set(t.Context(), i.s.Store, limit, 0))
	}
	root := i.s.RootToken
	require.NoError(t, i.s.Store.Exec(t.Context(), `
		update users set public_email = email, confirmed_at = coalesce(confirmed_at, now())`, nil))
	content, commits := bundle(t)
	files := readArchive(t, "full", commits)
	files["project.bundle"] = content
	first := i.bring(root, packFiles(t, files), map[string]string{"path": "one"})
	was := i.export(root, first.ID)
	second := i.bring(root, packFiles(t, was), map[string]string{"path": "two"})
	require.Equal(t, "finished", second.Status)
	require.Empty(t, second.failures())
	now := i.export(root, second.ID)
	require.NotEmpty(t, was["tree/project/merge_requests.ndjson"])
	for name, text := range was {
		if !strings.HasSuffix(name, "json") {
			continue
		}
		want, got := changing.ReplaceAllString(text, `"x":x`), changing.ReplaceAllString(now[name], `"x":x`)
		if want != got {
			at := 0
			for at < min(len(want), len(got)) && want[at] == got[at] {
				at++
			}
			from := max(0, at-300)
			t.Errorf("%s differs:\n%s\n---\n%s", name, want[from:min(len(want), at+200)], got[from:min(len(got), at+200)])
		}
	}
	for name := range now {
		require.Contains(t, was, name)
	}
}

package forge_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/db"
	"hew/server/forge"
	"hew/server/forge/forgetest"
	"hew/server/git/gittest"
	"hew/server/project"
	"hew/server/setting"
	"hew/server/upload"
	"hew/server/work"
)

// stats returns what the record of the import counts as imported, of what came.
func (tr *trial) stats(kind string) string {
	tr.t.Helper()
	record, err := project.FindImportRecord(tr.t.Context(), tr.s.Store, tr.p.ID)
	require.NoError(tr.t, err)
	var stats struct{ Fetched, Imported map[string]int }
	require.NoError(tr.t, json.Unmarshal(record.Stats, &stats))
	return fmt.Sprint(stats.Imported[kind], " of ", stats.Fetched[kind])
}

// Objects of Git LFS come with the repository, whatever commit refers to them. What the host does
// not have, or has as something else, is a failure.
func TestLFS(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, forge.Options{})
	c := gittest.ClientIn(t, t.TempDir())
	c.Git("clone", "-q", tr.h.Bare, ".")
	tr.h.LFS = map[string]string{}
	var oids []string
	for i, content := range []string{"one", strings.Repeat("two", 1<<20), "three", "gone", "other"} {
		oid := fmt.Sprintf("%x", sha256.Sum256([]byte(content)))
		tr.h.LFS[oid] = content
		oids = append(oids, oid)
		c.Commit("large.bin", fmt.Sprintf("version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n",
			oid, len(content)))
		if i == 2 {
			c.Git("push", "-q", "origin", "main:elsewhere")
		}
	}
	c.Git("push", "-q", "origin", "main")
	delete(tr.h.LFS, oids[3])
	tr.h.LFS[oids[4]] = "false"
	asked := 0
	tr.h.Fault = func(r *http.Request) *forgetest.Fault {
		if !strings.HasSuffix(r.URL.Path, "/objects/batch") {
			return nil
		}
		asked++
		switch asked {
		case 1:
			return &forgetest.Fault{Status: 429, Header: map[string]string{"Retry-After": "30"}}
		case 2:
			return &forgetest.Fault{Status: 503}
		}
		return nil
	}
	tr.finish(3)
	tr.checkWhole()
	found, err := code.LFSObjects(t.Context(), tr.s.Store, tr.p.ID, oids)
	require.NoError(t, err)
	require.Len(t, found, 3)
	require.EqualValues(t, 3<<20, found[oids[1]].Size)
	require.ElementsMatch(t, []string{
		"lfs_object: " + oids[3] + ": the host refuses the object: Object does not exist (404)",
		"lfs_object: " + oids[4] + ": the content is not the one that its name says",
	}, tr.failures())
	require.Equal(t, "3 of 5", tr.stats("lfs_object"))
}

// A host without Git LFS, or one that has none for hours, ends only that.
func TestLFSMissing(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{
		401: "lfs_objects: the host answers a request of Git LFS with status 401",
		404: "lfs_objects: the host answers a request of Git LFS with status 404",
		503: "lfs_objects: the host answers a request of Git LFS with status 503 (HTTP 503)",
	} {
		tr := newTrial(t, forge.Options{})
		c := gittest.ClientIn(t, t.TempDir())
		c.Git("clone", "-q", tr.h.Bare, ".")
		c.Commit("large.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:"+strings.Repeat("ab", 32)+
			"\nsize 7\n")
		c.Git("push", "-q", "origin", "main")
		tr.h.Fault = func(r *http.Request) *forgetest.Fault {
			if strings.Contains(r.URL.Path, "/info/lfs/") {
				return &forgetest.Fault{Status: status}
			}
			return nil
		}
		tr.finish(2 + int(forge.StageTime/time.Minute))
		tr.checkWhole()
		require.Equal(t, []string{strings.TrimSuffix(want, " (HTTP 503)")}, tr.failures())
	}
}

// Files that texts link to become uploads, and the texts link to those. What cannot come keeps its
// link to the host.
func TestAttachments(t *testing.T) {
	t.Parallel()
	tr := newTrial(t, forge.Options{Attachments: true})
	inside := forgetest.New(t, t.TempDir())
	inside.Files = map[string]forgetest.File{"/secret": {Content: "secret"}}
	tr.h.Files = map[string]forgetest.File{
		"/user-attachments/assets/12-34":     {Type: "image/png", Content: "\x89PNG\r\n\x1a\npicture"},
		"/acme/site/files/7/a b\".txt":       {Type: "text/plain", Content: "log"},
		"/user-attachments/assets/too-large": {Type: "video/mp4", Content: strings.Repeat("x", 1<<20+1)},
	}
	moved := map[string]string{"moved": "/user-attachments/assets/12-34", "private": "/login?return_to=x"}
	link := func(path string) string { return tr.h.URL + "/user-attachments/assets/" + path }
	file := tr.h.URL + "/acme/site/files/7/a%20b%22.txt"
	limited := 0
	tr.h.Fault = func(r *http.Request) *forgetest.Fault {
		if to, ok := moved[strings.TrimPrefix(r.URL.Path, "/user-attachments/assets/")]; ok {
			return &forgetest.Fault{Status: 302, Header: map[string]string{"Location": to}}
		}
		if strings.HasSuffix(r.URL.Path, "/away") {
			require.NotEmpty(t, r.Header.Get("Authorization"))
			return &forgetest.Fault{Status: 302, Header: map[string]string{"Location": inside.URL + "/secret"}}
		}
		if limited++; strings.HasSuffix(r.URL.Path, "/12-34") && limited < 1000 {
			limited = 1000
			return &forgetest.Fault{Status: 429, Header: map[string]string{"Retry-After": "5"}}
		}
		return nil
	}
	const repo = "/api/v3/repos/acme/site"
	tr.h.Lists[repo+"/issues"][0].(map[string]any)["body"] = "See ![image](" + link("12-34") +
		") and [log](" + file + "). " + link("too-large") + " " + link("gone") + " " + link("private") + " " + link("away")
	tr.h.Lists[repo+"/pulls"][0].(map[string]any)["body"] = `<img src="` + link("moved") + `">`
	tr.h.Lists[repo+"/releases"][0].(map[string]any)["body"] = "`" + link("12-34") + "`"
	tr.h.Lists[repo+"/issues/comments"][0].(map[string]any)["body"] = link("12-34")
	require.NoError(t, setting.Set(t.Context(), tr.s.Store, "max_attachment_size", 1))
	tr.finish(3)
	tr.checkWhole()
	issue, err := work.Issues(tr.s.Store, tr.p.ID).One(t.Context(), func(w *db.Where) { w.And(`t.iid = 11`) })
	require.NoError(t, err)
	require.Regexp(t, `See !\[image\]\(/uploads/[0-9a-f]{32}/12-34\.png\) `+
		`and \[log\]\(/uploads/[0-9a-f]{32}/a_b_\.txt\)\. `+
		link("too-large")+" "+link("gone")+" "+link("private")+" "+link("away"), *issue.Description)
	uploads, _, err := upload.Uploads(tr.s.Store, tr.p.Container()).List(t.Context(), db.Page{Limit: 20})
	require.NoError(t, err)
	require.Len(t, uploads, 3, "a file that several texts link to is there once, under each address")
	require.ElementsMatch(t, []string{
		"issue_attachment: " + link("too-large") + " stays at the host: the file is too large",
		"issue_attachment: " + link("gone") + " stays at the host: the host refuses it (HTTP 404)",
		"issue_attachment: " + link("private") + " stays at the host: the host asks to sign in",
		"issue_attachment: " + link("away") + " stays at the host: the host refuses it (HTTP 401)",
	}, tr.failures())
}

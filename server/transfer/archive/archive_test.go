package archive_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/transfer/archive"
)

var at = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

const secret = "0123456789abcdef0123456789abcdef"

// write returns an archive that fill filled.
func write(t *testing.T, fill func(w *archive.Writer)) []byte {
	t.Helper()
	var out bytes.Buffer
	spool := t.TempDir()
	w, err := archive.NewWriter(&out, spool, archive.Info{Version: "17.10.0-ee", Revision: "0123456789a", At: at})
	require.NoError(t, err)
	if fill != nil {
		fill(w)
	}
	require.NoError(t, w.Close())
	left, err := os.ReadDir(spool)
	require.NoError(t, err)
	require.Empty(t, left, "temporary files stay behind")
	return out.Bytes()
}

// unpack opens an archive that must be valid.
func unpack(t *testing.T, data []byte) *archive.Archive {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, archive.Unpack(t.Context(), bytes.NewReader(data), dir, archive.Limits{}))
	a, err := archive.Open(dir)
	require.NoError(t, err)
	return a
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	oid := strings.Repeat("ab", 32)
	bundle := filepath.Join(t.TempDir(), "b")
	require.NoError(t, os.WriteFile(bundle, []byte("# v2 git bundle\n"), 0o600))
	project := archive.Project{Description: new("A <b>"), VisibilityLevel: archive.Internal,
		Attributes: map[string]json.RawMessage{"squash_option": json.RawMessage(`"always"`)}}
	issue := archive.Issue{IID: 7, Title: "Größe <x>", State: "opened", AuthorID: new(int64(3)), CreatedAt: &at,
		LabelLinks: []archive.LabelLink{{Label: &archive.Label{Title: "bug", Type: archive.ProjectLabel}}},
		Notes:      []archive.Note{{Note: "first", Author: &archive.Author{Name: "Ann"}}}}
	data := write(t, func(w *archive.Writer) {
		require.NoError(t, w.Project(project))
		issues, err := w.Relation("issues")
		require.NoError(t, err)
		labels, err := w.Relation("labels") // two at once, and this one stays empty
		require.NoError(t, err)
		require.NoError(t, issues.Write(issue))
		require.NoError(t, issues.Write(archive.Issue{IID: 8}))
		require.NoError(t, labels.Close())
		require.NoError(t, issues.Close())
		require.NoError(t, w.ToOne("push_rule", nil))
		features := archive.ProjectFeature{Levels: map[string]int{"wiki_access_level": 10}}
		require.NoError(t, w.ToOne("project_feature", features))
		require.NoError(t, w.Bundle(archive.ProjectBundle, bundle))
		require.NoError(t, w.Upload(secret, "a.txt", 3, strings.NewReader("abc")))
		require.NoError(t, w.Avatar("me.png", 2, strings.NewReader("xy")))
		require.NoError(t, w.LFSObject(oid, 4, strings.NewReader("data")))
		require.NoError(t, w.LFSObject(strings.Repeat("cd", 32), 0, strings.NewReader("")))
	})
	a := unpack(t, data)

	p, err := a.Project()
	require.NoError(t, err)
	require.Equal(t, project, p)
	known, unknown, err := a.Found()
	require.NoError(t, err)
	require.Equal(t, []string{"project_feature", "issues", "push_rule"}, known)
	require.Empty(t, unknown)

	var issues []archive.Issue
	for line, err := range a.Lines("issues") {
		require.NoError(t, err)
		require.Equal(t, len(issues), line.Number)
		i, err := archive.Decode[archive.Issue](line)
		require.NoError(t, err)
		issues = append(issues, i)
	}
	require.Len(t, issues, 2)
	require.Equal(t, issue.Title, issues[0].Title)
	require.Equal(t, issue.LabelLinks, issues[0].LabelLinks)
	require.Equal(t, "Ann", issues[0].Notes[0].Author.Name)
	require.True(t, at.Equal(*issues[0].CreatedAt))
	for range a.Lines("push_rule") {
		t.Error("null is a document")
	}
	for line, err := range a.Lines("project_feature") {
		require.NoError(t, err)
		f, err := archive.Decode[archive.ProjectFeature](line)
		require.NoError(t, err)
		require.Equal(t, map[string]int{"wiki_access_level": 10}, f.Levels)
	}

	file, ok := a.Bundle(archive.ProjectBundle)
	require.True(t, ok)
	require.FileExists(t, file)
	_, ok = a.Bundle(archive.WikiBundle)
	require.False(t, ok)
	avatar, ok, err := a.Avatar()
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, "me.png", avatar.Name)
	var names []string
	for f, err := range a.Uploads() {
		require.NoError(t, err)
		require.EqualValues(t, 3, f.Size)
		names = append(names, f.Secret+"/"+f.Name)
	}
	for f, err := range a.LFSObjects() {
		require.NoError(t, err)
		names = append(names, f.Name)
	}
	require.Equal(t, []string{secret + "/a.txt", oid, strings.Repeat("cd", 32)}, names)
}

// TestTar lists an archive with the program that people use.
func TestTar(t *testing.T) {
	t.Parallel()
	list := exec.Command("tar", "tzf", "-")
	list.Stdin = bytes.NewReader(write(t, func(w *archive.Writer) {
		require.NoError(t, w.Project(archive.Project{}))
		require.NoError(t, w.ToOne("push_rule", nil))
		require.NoError(t, w.LFSObject(strings.Repeat("ab", 32), 4, strings.NewReader("data")))
		require.NoError(t, w.Upload(secret, strings.Repeat("long", 60), 1, strings.NewReader("x")))
	}))
	out, err := list.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, strings.Join([]string{"./", "./VERSION", "./GITLAB_VERSION", "./GITLAB_REVISION", "./tree/",
		"./tree/project.json", "./tree/project/", "./tree/project/push_rule.ndjson", "./lfs-objects/",
		"./lfs-objects/" + strings.Repeat("ab", 32), "./uploads/", "./uploads/" + secret + "/",
		"./uploads/" + secret + "/" + strings.Repeat("long", 60), "./lfs-objects.json", ""}, "\n"), string(out))
}

// pack returns a gzip tar of entries; those without a type are files with their link name as text.
func pack(t testing.TB, headers ...tar.Header) []byte {
	t.Helper()
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	w := tar.NewWriter(zip)
	for _, h := range headers {
		text := ""
		if h.Typeflag == 0 {
			text, h.Linkname, h.Typeflag = h.Linkname, "", tar.TypeReg
			h.Size = int64(len(text))
		}
		require.NoError(t, w.WriteHeader(&h))
		_, err := io.WriteString(w, text)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	require.NoError(t, zip.Close())
	return out.Bytes()
}

func file(name, text string) tar.Header { return tar.Header{Name: name, Linkname: text} }

func TestFaults(t *testing.T) {
	t.Parallel()
	version := file("./VERSION", "0.2.4")
	whole := pack(t, version, file("a", strings.Repeat("x", 5000)))
	bomb := pack(t, file("a", strings.Repeat("\x00", 1<<20)))
	deep := make([]tar.Header, 20)
	for i := range deep {
		deep[i] = file("./f"+strings.Repeat("x", i), "")
	}
	for name, c := range map[string]struct {
		data   []byte
		limits archive.Limits
		want   string
	}{
		"empty":       {nil, archive.Limits{}, string(archive.ErrNotTar)},
		"not gzip":    {[]byte("hello"), archive.Limits{}, string(archive.ErrNotTar)},
		"cut":         {whole[:60], archive.Limits{}, string(archive.ErrNotTar)},
		"parent":      {pack(t, file("../x", "")), archive.Limits{}, `Invalid path "../x" in the archive`},
		"parent deep": {pack(t, file("./a/../../x", "")), archive.Limits{}, `Invalid path "./a/../../x" in the archive`},
		"absolute":    {pack(t, file("/etc/x", "")), archive.Limits{}, `Invalid path "/etc/x" in the archive`},
		"file as dir": {pack(t, file("a", ""), file("a/b", "")), archive.Limits{}, `Invalid path "a/b" in the archive`},
		"dir as file": {pack(t, file("a/b", ""), file("a", "")), archive.Limits{}, `Invalid path "a" in the archive`},
		"long part":   {pack(t, file(strings.Repeat("x", 256), "")), archive.Limits{}, `Invalid path`},
		"hard link": {pack(t, version, tar.Header{Name: "x", Linkname: "VERSION", Typeflag: tar.TypeLink}),
			archive.Limits{}, "File shares hard link"},
		"bomb": {bomb, archive.Limits{Size: 1 << 19}, string(archive.ErrTooLarge)},
		"many": {pack(t, deep...), archive.Limits{Entries: 10}, string(archive.ErrTooLarge)},
		"many dirs": {pack(t, file("a/b/c/d", ""), file("a/x/y/z", "")), archive.Limits{Entries: 6},
			string(archive.ErrTooLarge)},
		"too deep":    {pack(t, file(strings.Repeat("a/", 51)+"b", "")), archive.Limits{}, "Invalid path"},
		"no version":  {pack(t, file("a", "")), archive.Limits{}, "Incorrect VERSION format"},
		"odd version": {pack(t, file("VERSION", "one")), archive.Limits{}, "Incorrect VERSION format"},
		"older": {pack(t, file("VERSION", "0.1.6\n")), archive.Limits{},
			"Import version mismatch: Required 0.2.4 but was 0.1.6"},
		"no tree":      {pack(t, version), archive.Limits{}, "invalid import format"},
		"legacy":       {pack(t, version, file("project.json", "{}")), archive.Limits{}, "invalid import format"},
		"no project":   {pack(t, version, file("tree/project/labels.ndjson", "{}")), archive.Limits{}, "Invalid file"},
		"project text": {pack(t, version, file("tree/project.json", "{")), archive.Limits{}, "Incorrect JSON format"},
		"project list": {pack(t, version, file("tree/project.json", "[]")), archive.Limits{}, "Incorrect JSON format"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			err := archive.Unpack(t.Context(), bytes.NewReader(c.data), dir, c.limits)
			if err == nil {
				var a *archive.Archive
				if a, err = archive.Open(dir); err == nil {
					_, err = a.Project()
				}
			}
			var format archive.FormatError
			require.ErrorAs(t, err, &format)
			require.Contains(t, format.Error(), c.want)
		})
	}
}

// TestLinks has symbolic links left out, so that nothing is written or read through them.
func TestLinks(t *testing.T) {
	t.Parallel()
	dir, outside := t.TempDir(), t.TempDir()
	link := func(name string) tar.Header {
		return tar.Header{Name: name, Linkname: outside, Typeflag: tar.TypeSymlink}
	}
	data := pack(t, link("a"), file("a/b", "x"), link("uploads"), tar.Header{Name: "p", Typeflag: tar.TypeFifo},
		tar.Header{Name: "mode", Linkname: "x", Mode: 0o4777})
	require.NoError(t, archive.Unpack(t.Context(), bytes.NewReader(data), dir, archive.Limits{}))
	require.FileExists(t, filepath.Join(dir, "a", "b"))
	left, err := os.ReadDir(outside)
	require.NoError(t, err)
	require.Empty(t, left)
	for _, name := range []string{"uploads", "p"} {
		_, err := os.Lstat(filepath.Join(dir, name))
		require.ErrorIs(t, err, os.ErrNotExist)
	}
	info, err := os.Stat(filepath.Join(dir, "mode"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode())
	// Again, as after a kill.
	require.NoError(t, archive.Unpack(t.Context(), bytes.NewReader(data), dir, archive.Limits{}))
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	err := archive.Unpack(ctx, bytes.NewReader(pack(t, file("a", ""))), t.TempDir(), archive.Limits{})
	require.Equal(t, archive.ErrTooLarge, err)
	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	err = archive.Unpack(ctx, bytes.NewReader(pack(t, file("a", ""))), t.TempDir(), archive.Limits{})
	require.ErrorIs(t, err, context.Canceled)
}

func TestLines(t *testing.T) {
	t.Parallel()
	long := `{"title":"` + strings.Repeat("x", archive.MaxLine) + `"}`
	text := "\n{\"title\":\"one\"}\r\nnull\n{\"title\":1}\n" + long + "\n{\n{\"title\":\"last\",\"strange\":{}}"
	a := unpack(t, pack(t, file("VERSION", "0.2.4"), file("tree/project/labels.ndjson", text),
		file("tree/project/strange.ndjson", "{}"), tar.Header{Name: "tree/project/issues.ndjson", Typeflag: tar.TypeDir}))
	found := map[int]string{}
	for line, err := range a.Lines("labels") {
		var l archive.Label
		if err == nil {
			l, err = archive.Decode[archive.Label](line)
		}
		if err != nil {
			require.ErrorIs(t, err, archive.ErrJSON)
			l.Title = "error"
		}
		found[line.Number] = l.Title
	}
	require.Equal(t, map[int]string{1: "one", 3: "error", 4: "error", 5: "error", 6: "last"}, found)
	known, unknown, err := a.Found()
	require.NoError(t, err)
	require.Equal(t, []string{"labels"}, known)
	require.Equal(t, []string{"strange"}, unknown)
	for _, none := range []string{"issues", "milestones", "../project"} {
		for range a.Lines(none) {
			t.Errorf("%s has a line", none)
		}
	}
}

package code_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/fault"
	"hew/server/git/diff"
	"hew/server/git/gittest"
	"hew/server/git/object"
	"hew/server/git/pkt"
)

// Tags of files and directories are no revisions.
func TestTagsOfOtherObjects(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	w := gittest.New(t)
	tree := w.ID(w.Git("100644 blob "+w.Write(object.KindBlob, "text").String()+"\ta\n", "mktree"))
	w.Git("", "update-ref", "refs/heads/main", w.Lines("commit-tree", "-m", "x", tree.String())[0])
	w.Git("", "tag", "blob", w.Write(object.KindBlob, "text").String())
	w.Git("", "tag", "-am", "x", "tree", tree.String())
	w.Git("", "tag", "-am", "x", "commit", "main")
	s.push(w, "refs/heads/main", "refs/tags/blob", "refs/tags/tree", "refs/tags/commit")
	g := s.open()
	refs, err := g.Refs(t.Context(), s.Store)
	require.NoError(t, err)
	require.Len(t, refs, 4)
	for _, name := range []string{"blob", "tree", "refs/tags/tree", "tree^{commit}", "blob~1"} {
		_, err := g.FindFile(t.Context(), name, "a")
		require.Equal(t, fault.CodeNotFound, fault.CodeOf(err), "%s: %v", name, err)
		_, err = g.ListTree(t.Context(), code.Listing{Revision: name})
		require.Equal(t, fault.CodeNotFound, fault.CodeOf(err), "%s: %v", name, err)
	}
	f, err := g.FindFile(t.Context(), "commit", "a")
	require.NoError(t, err)
	require.Equal(t, "text", string(f.Data))
}

// Whatever git says about a path with "lines" in it is not about the range.
func TestBlameRange(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	c := s.commit("main", "", "guidelines.md", "1\n2\n")
	s.commit("main", "", "large", strings.Repeat("x", 11<<20))
	head, err := s.open().Resolve(t.Context(), "Commit", "main")
	require.NoError(t, err)
	for _, test := range []struct {
		path        string
		first, last int
		want        fault.Code
	}{
		{"guidelines.md", 3, 4, fault.CodeInvalid},
		{"other-lines.md", 1, 2, fault.CodeNotFound},
		{"large", 0, 0, fault.CodeInvalid},
	} {
		_, err := s.open().Blame(t.Context(), head, test.path, test.first, test.last)
		require.Equal(t, test.want, fault.CodeOf(err), "%s: %v", test.path, err)
	}
	ranges, err := s.open().Blame(t.Context(), head, "guidelines.md", 2, 2)
	require.NoError(t, err)
	require.Equal(t, []code.BlameRange{{Commit: c.ID, Lines: []string{"2"}}}, ranges)
}

// A copy that git reads after each of many commits does not collect a pack for each.
func TestCopyIsTidied(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	c := s.commit("main", "", "first", "1\n")
	for i := range 40 {
		s.commit("main", "", fmt.Sprint("file", i), "text\n")
		_, err := s.open().Blame(t.Context(), c.ID, "first", 0, 0)
		require.NoError(t, err)
		require.LessOrEqual(t, code.CopiedPacks(s.Store), 32)
	}
}

// The size of an object does not depend on where it is, and for a row its content is not read.
func TestSize(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.commit("main", "", "first", strings.Repeat("x", 1000))
	id := object.Hash(object.KindBlob, []byte(strings.Repeat("x", 1000)))
	require.NoError(t, s.Exec(t.Context(), `update loose_objects set body = '' where oid = @id`, map[string]any{"id": id}))
	size, err := s.open().Size(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, int64(1000), size)
	_, err = s.open().Size(t.Context(), object.ID{1})
	require.ErrorIs(t, err, object.ErrNotFound)
}

// A difference of more files than are kept is too much for one answer, and no failure.
func TestDiffOfTooManyFiles(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	w := gittest.New(t)
	list := func(n int, format, id string) object.ID {
		var lines strings.Builder
		for i := range n {
			fmt.Fprintf(&lines, format+"\t%d\n", id, i)
		}
		return w.ID(w.Git(lines.String(), "mktree"))
	}
	dir := list(100, "100644 blob %s", w.Write(object.KindBlob, "text").String())
	root := list(1001, "040000 tree %s", dir.String())
	w.Git("", "tag", "many", root.String())
	s.push(w, "refs/tags/many")
	_, err := s.open().Diff(t.Context(), object.EmptyTree, root, diff.Limits{})
	require.Equal(t, fault.CodeInvalid, fault.CodeOf(err), "%v", err)
	files, err := s.open().Diff(t.Context(), object.EmptyTree, dir, diff.Limits{})
	require.NoError(t, err)
	require.Len(t, files, 100)
}

// What git refuses itself in a fetch is returned, so that it can be logged.
func TestUploadReturnsWhatGitRefuses(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.commit("main", "", "first", "1")
	var in, out bytes.Buffer
	p := pkt.NewWriter(&in)
	require.NoError(t, p.Line("want "+strings.Repeat("1", 40)+" side-band-64k"))
	require.NoError(t, p.Flush())
	require.NoError(t, p.Line("done"))
	err := code.Upload(t.Context(), s.Store, code.SourceOf(s.project), 0, &in, &out)
	require.ErrorAs(t, err, &code.Answered{})
	require.ErrorContains(t, err, "not our ref 1111")
	require.Contains(t, out.String(), "not our ref 1111")
}

// A file that is too large to be read is the fault of the request.
func TestFileTooLarge(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	w := gittest.New(t)
	content := make([]byte, 2<<20)
	for i := range content {
		content[i] = byte(i*i>>8 ^ i>>11)
	}
	blob := w.Write(object.KindBlob, string(content))
	tree := w.Git("100644 blob "+blob.String()+"\tlarge\n", "mktree")
	w.Git("", "update-ref", "refs/heads/main", w.Lines("commit-tree", "-m", "x", strings.TrimSpace(tree))[0])
	s.push(w, "refs/heads/main")
	f, err := s.open().FindFile(t.Context(), "main", "large")
	require.NoError(t, err)
	require.Len(t, f.Data, len(content))

	code.LimitObjects(s.Store, 1<<20)
	_, err = s.open().FindFile(t.Context(), "main", "large")
	require.Equal(t, fault.CodeTooLarge, fault.CodeOf(err), "%v", err)
	_, err = s.open().Blob(t.Context(), blob)
	require.Equal(t, fault.CodeTooLarge, fault.CodeOf(err), "%v", err)
}

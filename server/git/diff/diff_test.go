package diff_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"hew/server/git/diff"
	"hew/server/git/gittest"
	"hew/server/git/object"
)

// read reads what git says about two trees, which are given as ls-tree prints them.
func read(t *testing.T, r gittest.Repo, before, after string, limits diff.Limits) []diff.File {
	t.Helper()
	trees := []string{}
	for _, listing := range []string{before, after} {
		trees = append(trees, strings.TrimSpace(r.Git(listing, "mktree", "--missing")))
	}
	files, err := diff.Read(strings.NewReader(r.Git("", append(diff.Args, trees...)...)), limits)
	require.NoError(t, err)
	return files
}

// blob writes a file and returns its line of a tree.
func blob(r gittest.Repo, mode, name, text string) string {
	return fmt.Sprintf("%s blob %s\t%s\n", mode, r.Write(object.KindBlob, text), name)
}

func TestRead(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	long := strings.Repeat("x", 90<<10) // longer than the buffer
	body := strings.Repeat("line\n", 20)
	const submodule = "160000 commit 0000000000000000000000000000000000000001\tm\n"
	files := read(t, r,
		blob(r, "100644", "binary", "\x00a")+blob(r, "100644", "long", long+"\n")+submodule+
			blob(r, "100644", "old", body)+blob(r, "100644", "type", "file\n"),
		blob(r, "100644", "binary", "\x00b")+blob(r, "100755", "long", long+"y\n")+blob(r, "100644", "new", body)+
			blob(r, "120000", "type", "target")+blob(r, "100644", "z", "diff --git a b\n"),
		diff.Limits{})
	type summary struct {
		status         string
		paths          string
		patch          string
		binary         bool
		added, deleted int
	}
	var got []summary
	for _, f := range files {
		require.False(t, f.TooLarge, f.NewPath)
		patch := strings.ReplaceAll(f.Patch, long, "LONG")
		got = append(got, summary{string(f.Status), f.OldPath + ">" + f.NewPath, patch, f.Binary, f.Added, f.Deleted})
	}
	require.Equal(t, []summary{
		{"M", "binary>binary", "", true, 0, 0},
		{"M", "long>long", "@@ -1 +1 @@\n-LONG\n+LONGy\n", false, 1, 1},
		{"D", "m>m", "@@ -1 +0,0 @@\n-Subproject commit 0000000000000000000000000000000000000001\n", false, 0, 1},
		{"R", "old>new", "", false, 0, 0},
		{"T", "type>type", "@@ -1 +0,0 @@\n-file\n@@ -0,0 +1 @@\n+target\n\\ No newline at end of file\n", false, 1, 1},
		{"A", "z>z", "@@ -0,0 +1 @@\n+diff --git a b\n", false, 1, 0},
	}, got)
}

// Patches over a limit are left out, and their lines are counted still.
func TestReadLimits(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	var before, after string
	for _, name := range []string{"a", "b", "c"} {
		before += blob(r, "100644", name, name+"\n")
		after += blob(r, "100644", name, name+"\n"+strings.Repeat("more\n", 10))
	}
	for _, test := range []struct {
		limits   diff.Limits
		tooLarge []bool
	}{
		{diff.Limits{}, []bool{false, false, false}},
		{diff.Limits{Files: 1}, []bool{false, true, true}},
		{diff.Limits{PatchBytes: 50}, []bool{true, true, true}},
		{diff.Limits{TotalBytes: 200}, []bool{false, false, true}},
	} {
		for i, f := range read(t, r, before, after, test.limits) {
			require.Equal(t, test.tooLarge[i], f.TooLarge, "%+v %s", test.limits, f.NewPath)
			require.Equal(t, f.TooLarge, f.Patch == "", "%+v %s", test.limits, f.NewPath)
			require.Equal(t, 10, f.Added, f.NewPath)
		}
	}
}

func TestReadFails(t *testing.T) {
	t.Parallel()
	const record = ":100644 000000 1111111111111111111111111111111111111111 0000000000000000000000000000000000000000 D\x00a\x00"
	many := strings.Repeat(record, 100_001)
	_, err := diff.Read(strings.NewReader(many), diff.Limits{})
	require.ErrorIs(t, err, diff.ErrTooMany)
	files, err := diff.Read(strings.NewReader(many[len(record):]), diff.Limits{})
	require.NoError(t, err)
	require.Len(t, files, 100_000)

	for end := 1; end < len(record); end++ {
		_, err := diff.Read(strings.NewReader(record[:end]), diff.Limits{})
		require.ErrorIs(t, err, io.ErrUnexpectedEOF, record[:end])
	}
	gone := io.MultiReader(bytes.NewReader([]byte(record[:50])), iotest.ErrReader(context.DeadlineExceeded))
	_, err = diff.Read(gone, diff.Limits{})
	require.ErrorIs(t, err, context.DeadlineExceeded, "why git ended is not lost")
	require.False(t, errors.Is(err, io.ErrUnexpectedEOF))

	for _, patches := range []string{
		"no patch\n", "diff --git a/a b/a\n@@ -x\n", "diff --git a/a b/a\ndiff --git a/b b/b\n", "diff --git a/a b/a\n@@ -1,x +1 @@\n",
	} {
		_, err := diff.Read(strings.NewReader(record+"\x00"+patches), diff.Limits{})
		require.ErrorContains(t, err, "read the patches: ", patches)
	}
}

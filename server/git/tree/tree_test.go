package tree_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/git/object"
	"hew/server/git/tree"
)

// commit is a commit of a random repository, by its tree and those of its parents.
type commit struct {
	id, tree object.ID
	parents  []object.ID
}

// commits returns all commits of a repository.
func commits(t *testing.T, store gittest.Store) (all []commit) {
	for id, o := range store {
		if o.Kind != object.KindCommit {
			continue
		}
		parsed, err := object.ParseCommit(o.Data)
		require.NoError(t, err)
		c := commit{id: id, tree: parsed.Tree}
		for _, parent := range parsed.Parents {
			p, err := object.ParseCommit(store[parent].Data)
			require.NoError(t, err)
			c.parents = append(c.parents, p.Tree)
		}
		all = append(all, c)
	}
	return all
}

// counting is a source that counts how often each object is read.
type counting struct {
	gittest.Store
	reads map[object.ID]int
}

func (c counting) Object(ctx context.Context, id object.ID) (object.Object, error) {
	c.reads[id]++
	return c.Store.Object(ctx, id)
}

// list returns what a walk yields, as git ls-tree -z prints it.
func list(t *testing.T, store object.Source, root object.ID, o tree.Options) (lines []string) {
	for f, err := range tree.Walk(t.Context(), store, root, o) {
		require.NoError(t, err)
		lines = append(lines, fmt.Sprintf("%s %s %s\t%s", f.Entry.Mode, f.Entry.Mode.Kind(), f.Entry.ID, f.Path))
	}
	return lines
}

func split(out string) []string {
	if out == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
}

func TestWalkAndLookup(t *testing.T) {
	t.Parallel()
	r := gittest.Random(t, 31, 60)
	store := r.Objects()
	deep := false
	for _, c := range commits(t, store)[:12] {
		want := split(r.Git("", "ls-tree", "-r", "-t", "-z", c.tree.String()))
		require.Equal(t, want, list(t, store, c.tree, tree.Options{Recursive: true}))
		require.Equal(t, split(r.Git("", "ls-tree", "-z", c.tree.String())), list(t, store, c.tree, tree.Options{}))
		for i, line := range want {
			_, path, _ := strings.Cut(line, "\t")
			after := list(t, store, c.tree, tree.Options{Recursive: true, After: path})
			require.Equal(t, want[i+1:], append([]string{}, after...), "after %q", path)

			e, err := tree.Lookup(t.Context(), store, c.tree, path)
			require.NoError(t, err)
			require.Equal(t, line, fmt.Sprintf("%s %s %s\t%s", e.Mode, e.Mode.Kind(), e.ID, path))
			if !e.Mode.IsDir() {
				_, err := tree.Lookup(t.Context(), store, c.tree, path+"/x")
				require.ErrorIs(t, err, object.ErrNotFound)
				continue
			}
			deep = true
			below := []string{}
			for _, line := range want {
				if _, other, _ := strings.Cut(line, "\t"); strings.HasPrefix(other, path+"/") {
					below = append(below, line)
				}
			}
			require.Equal(t, below, list(t, store, c.tree, tree.Options{Path: path, Recursive: true}))
			require.Equal(t, below[1:], append([]string{}, list(t, store, c.tree, tree.Options{
				Path: path, Recursive: true, After: strings.SplitN(below[0], "\t", 2)[1],
			})...))
		}
	}
	require.True(t, deep)
}

func TestWalkAfterWhatIsGone(t *testing.T) {
	t.Parallel()
	store := gittest.Store{}
	root := build(store, "a/x", "b", "c/x", "c/z", "d")
	for after, want := range map[string]string{
		"":      "a a/x b c c/x c/z d",
		"a/w":   "a/x b c c/x c/z d",
		"a/y":   "b c c/x c/z d",
		"a.b":   "a a/x b c c/x c/z d",
		"a0":    "b c c/x c/z d",
		"a":     "a/x b c c/x c/z d",
		"b/x/y": "c c/x c/z d",
		"c/y/1": "c/z d",
		"bb/x":  "c c/x c/z d",
		"e":     "",
	} {
		var paths []string
		for f, err := range tree.Walk(t.Context(), store, root, tree.Options{Recursive: true, After: after}) {
			require.NoError(t, err)
			paths = append(paths, f.Path)
		}
		require.Equal(t, want, strings.Join(paths, " "), after)
	}
}

// build stores trees with empty files at paths and returns the root.
func build(store gittest.Store, paths ...string) object.ID {
	blob := store.Add(object.KindBlob, nil)
	var edits []tree.Edit
	for _, path := range paths {
		edits = append(edits, tree.Set(path, object.ModeFile, blob))
	}
	root, made, err := tree.Apply(context.Background(), store, object.ID{}, edits)
	if err != nil {
		panic(err)
	}
	for _, m := range made {
		store[m.ID] = m.Object
	}
	return root
}

func TestErrorsNameThePath(t *testing.T) {
	t.Parallel()
	store := gittest.Store{}
	root := build(store, "a/b/c", "d")
	gone := build(gittest.Store{}, "x/y")
	first := func(o tree.Options, root object.ID) (err error) {
		for _, err = range tree.Walk(t.Context(), store, root, o) {
			break
		}
		return err
	}
	require.EqualError(t, first(tree.Options{Path: "a/x"}, root), `path "a/x": git object not found`)
	require.EqualError(t, first(tree.Options{Path: "d"}, root), `path "d": git object not found`)
	require.EqualError(t, first(tree.Options{Path: "a", After: "d"}, root), `path "d" is not below "a"`)
	err := first(tree.Options{}, gone)
	require.ErrorIs(t, err, object.ErrNotFound)
	require.ErrorContains(t, err, "read tree "+gone.String())
	_, err = tree.Lookup(t.Context(), store, gone, "x")
	require.ErrorContains(t, err, `look up "x": read tree `+gone.String())
	for _, err = range tree.Diff(t.Context(), store, root, gone) {
		break
	}
	require.ErrorContains(t, err, "read tree "+gone.String())
	for _, err = range tree.Diffs(t.Context(), store, root, []object.ID{gone}) {
		break
	}
	require.ErrorContains(t, err, "read tree "+gone.String())
}

// TestDepthIsBounded goes through a tree that contains itself as far as one can tell.
func TestDepthIsBounded(t *testing.T) {
	t.Parallel()
	store := gittest.Store{}
	chain := func(leaf string) object.ID {
		id := store.Add(object.KindBlob, []byte(leaf))
		mode := object.ModeFile
		for range object.MaxDepth + 2 {
			id = store.Add(object.KindTree, object.EncodeTree(object.Tree{{Mode: mode, Name: "a", ID: id}}))
			mode = object.ModeDir
		}
		return id
	}
	one, other := chain("1"), chain("2")
	var walk, diff, diffs error
	for _, walk = range tree.Walk(t.Context(), store, one, tree.Options{Recursive: true}) {
	}
	for _, diff = range tree.Diff(t.Context(), store, one, other) {
	}
	for _, diffs = range tree.Diffs(t.Context(), store, one, []object.ID{other}) {
	}
	for _, err := range []error{walk, diff, diffs} {
		require.ErrorContains(t, err, "is over 1024 levels deep")
	}
}

func TestDiff(t *testing.T) {
	t.Parallel()
	r := gittest.Random(t, 32, 120)
	store := r.Objects()
	all := commits(t, store)
	random := rand.New(rand.NewPCG(1, 1))
	var stdin, got strings.Builder
	for range 150 {
		a, b := all[random.IntN(len(all))], all[random.IntN(len(all))]
		fmt.Fprintf(&stdin, "%s %s\n", a.tree, b.tree)
		fmt.Fprintf(&got, "%s %s\n", a.tree, b.tree)
		for c, err := range tree.Diff(t.Context(), store, a.tree, b.tree) {
			require.NoError(t, err)
			status := "M"
			switch {
			case c.Old.Mode == 0:
				status = "A"
			case c.New.Mode == 0:
				status = "D"
			case c.Old.Mode.Kind() != c.New.Mode.Kind() || isLink(c.Old.Mode) != isLink(c.New.Mode):
				status = "T"
			}
			fmt.Fprintf(&got, ":%s %s %s %s %s\x00%s\x00", c.Old.Mode, c.New.Mode, c.Old.ID, c.New.ID, status, c.Path)
		}
	}
	require.Equal(t, r.Git(stdin.String(), "diff-tree", "-r", "-z", "--raw", "--stdin"), got.String())
}

func isLink(mode object.Mode) bool { return mode == object.ModeSymlink }

func TestDiffSkipsWhatIsEqual(t *testing.T) {
	t.Parallel()
	store := gittest.Store{}
	before := build(store, "same/x/y", "changed/x", "same2/x/y")
	after := build(store, "same/x/y", "changed/z", "same2/x/y")
	src := counting{store, map[object.ID]int{}}
	for range tree.Diff(t.Context(), src, before, after) {
	}
	require.Len(t, src.reads, 4)
	src.reads = map[object.ID]int{}
	for range tree.Diffs(t.Context(), src, after, []object.ID{before, after}) {
	}
	require.Len(t, src.reads, 4)
}

// flatten returns all entries of a tree by path, the directories too.
func flatten(t *testing.T, store gittest.Store, root object.ID) map[string]object.Entry {
	all := map[string]object.Entry{}
	if root.IsZero() {
		return all
	}
	for f, err := range tree.Walk(t.Context(), store, root, tree.Options{Recursive: true}) {
		require.NoError(t, err)
		all[f.Path] = f.Entry
	}
	return all
}

func TestDiffs(t *testing.T) {
	t.Parallel()
	store := gittest.Random(t, 33, 200).Objects()
	merges, clashes := 0, 0
	for _, c := range commits(t, store) {
		parents := c.parents
		if len(parents) == 0 {
			parents = []object.ID{{}}
		}
		merges += len(parents) / 2
		want := map[string]tree.Difference{}
		is := flatten(t, store, c.tree)
		for i, parent := range parents {
			was := flatten(t, store, parent)
			for _, side := range []map[string]object.Entry{is, was} {
				for path := range side {
					if is[path] == was[path] {
						continue
					}
					d := want[path]
					d.Path = path
					d.Bits |= 1 << i
					d.IsDir = is[path].Mode.IsDir() || d.IsDir || is[path].Mode == 0 && was[path].Mode.IsDir()
					want[path] = d
					if is[path].Mode != 0 && was[path].Mode != 0 && is[path].Mode.IsDir() != was[path].Mode.IsDir() {
						clashes++
					}
				}
			}
		}
		got := map[string]tree.Difference{}
		for d, err := range tree.Diffs(t.Context(), store, c.tree, c.parents) {
			require.NoError(t, err)
			require.NotContains(t, got, d.Path)
			got[d.Path] = d
		}
		require.Equal(t, want, got, c.id)
	}
	require.Greater(t, merges, 20)
	require.Positive(t, clashes)
	for _, err := range tree.Diffs(t.Context(), store, object.ID{}, make([]object.ID, 17)) {
		require.EqualError(t, err, "compare 17 parents: the limit is 16")
	}
}

func TestBreakingOff(t *testing.T) {
	t.Parallel()
	store := gittest.Store{}
	root := build(store, "a/b/c", "a/b/d", "e/f")
	for n := range 5 {
		seen := 0
		for range tree.Walk(t.Context(), store, root, tree.Options{Recursive: true}) {
			if seen++; seen > n {
				break
			}
		}
		seen = 0
		for range tree.Diff(t.Context(), store, object.ID{}, root) {
			if seen++; seen > n {
				break
			}
		}
		seen = 0
		for range tree.Diffs(t.Context(), store, root, nil) {
			if seen++; seen > n {
				break
			}
		}
		require.Equal(t, n+1, seen)
	}
}

package tree_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/git/object"
	"hew/server/git/tree"
)

// TestApply makes random edits and has git make the same to an index.
func TestApply(t *testing.T) {
	t.Parallel()
	r := gittest.Random(t, 41, 40)
	store := r.Objects()
	var blobs []object.ID
	for id, o := range store {
		if o.Kind == object.KindBlob {
			blobs = append(blobs, id)
		}
	}
	slices.SortFunc(blobs, object.ID.Compare)
	all := commits(t, store)
	slices.SortFunc(all, func(a, b commit) int { return a.id.Compare(b.id) })
	random := rand.New(rand.NewPCG(7, 7))
	names := strings.Split("a b a.b a/b a/b/c a/d.e ü new/dir/x new/dir/y z src/deep/er/0", " ")
	modes := []object.Mode{object.ModeFile, object.ModeExecutable, object.ModeSymlink, object.ModeSubmodule}
	for range 25 {
		c := all[random.IntN(len(all))]
		files := map[string]object.Entry{}
		for path, e := range flatten(t, store, c.tree) {
			if !e.Mode.IsDir() {
				files[path] = e
			}
		}
		var edits []tree.Edit
		for range random.IntN(12) {
			there := slices.Sorted(maps.Keys(files))
			switch n := random.IntN(4); {
			case n == 0 && len(there) > 0:
				path := there[random.IntN(len(there))]
				edits = append(edits, tree.Remove(path))
				delete(files, path)
			case n == 1 && len(there) > 0:
				path := there[random.IntN(len(there))]
				if e := files[path]; e.Mode == object.ModeFile || e.Mode == object.ModeExecutable {
					e.Mode = modes[random.IntN(2)]
					edits = append(edits, tree.Chmod(path, e.Mode))
					files[path] = e
				}
			default:
				path := names[random.IntN(len(names))]
				clash := slices.ContainsFunc(there, func(other string) bool {
					return strings.HasPrefix(other, path+"/") || strings.HasPrefix(path, other+"/")
				})
				if !clash {
					e := object.Entry{Mode: modes[random.IntN(len(modes))], ID: blobs[random.IntN(len(blobs))]}
					edits = append(edits, tree.Set(path, e.Mode, e.ID))
					files[path] = e
				}
			}
		}
		root, made, err := tree.Apply(t.Context(), store, c.tree, edits)
		require.NoError(t, err)

		var info strings.Builder
		for path, e := range files {
			fmt.Fprintf(&info, "%s %s\t%s\x00", e.Mode, e.ID, path)
		}
		r := r.Env("GIT_INDEX_FILE=" + t.TempDir() + "/index")
		r.Git(info.String(), "update-index", "-z", "--index-info")
		require.Equal(t, strings.TrimSpace(r.Git("", "write-tree")), root.String())
		after := maps.Clone(store)
		for _, m := range made {
			require.Equal(t, m.ID, m.Object.ID())
			after[m.ID] = m.Object
		}
		is := flatten(t, after, root)
		for path, e := range files {
			require.Equal(t, e.Mode, is[path].Mode)
		}
		require.Equal(t, root == c.tree, len(made) == 0)
		if len(made) > 0 {
			require.Equal(t, root, made[len(made)-1].ID)
		}
	}
}

func TestApplyReadsEachTreeOnce(t *testing.T) {
	t.Parallel()
	store := gittest.Store{}
	root := build(store, "a/b/1", "a/b/2", "a/c/1", "d/1")
	src := counting{store, map[object.ID]int{}}
	blob := store.Add(object.KindBlob, []byte("new"))
	_, made, err := tree.Apply(t.Context(), src, root, []tree.Edit{
		tree.Set("a/b/1", object.ModeFile, blob), tree.Set("a/b/2", object.ModeFile, blob),
		tree.Set("a/3", object.ModeFile, blob), tree.Set("new/1", object.ModeFile, blob),
	})
	require.NoError(t, err)
	require.Len(t, src.reads, 3) // root, a, a/b
	require.Len(t, made, 4)
	for _, reads := range src.reads {
		require.Equal(t, 1, reads)
	}
}

func TestApplyOnEmptiedDirectories(t *testing.T) {
	t.Parallel()
	store := gittest.Store{}
	root := build(store, "a/b/c")
	blob := store.Add(object.KindBlob, nil)

	empty, made, err := tree.Apply(t.Context(), store, root, []tree.Edit{tree.Remove("a/b/c")})
	require.NoError(t, err)
	require.Equal(t, object.EmptyTree, empty)
	require.Len(t, made, 1)

	file, _, err := tree.Apply(t.Context(), store, root, []tree.Edit{
		tree.Remove("a/b/c"), tree.Set("a", object.ModeFile, blob),
	})
	require.NoError(t, err)
	require.Equal(t, build(store, "a"), file)

	again, _, err := tree.Apply(t.Context(), store, root, []tree.Edit{
		tree.Remove("a/b/c"), tree.Set("a", object.ModeFile, blob), tree.Remove("a"),
		tree.Set("a/b/c", object.ModeFile, blob),
	})
	require.NoError(t, err)
	require.Equal(t, root, again)

	twins, made, err := tree.Apply(t.Context(), store, empty, []tree.Edit{
		tree.Set("x/1", object.ModeFile, blob), tree.Set("y/1", object.ModeFile, blob),
	})
	require.NoError(t, err)
	require.Len(t, made, 2, "the two directories are one object")
	require.Equal(t, twins, made[1].ID)
}

func TestApplyRefuses(t *testing.T) {
	t.Parallel()
	store := gittest.Store{}
	root := build(store, "dir/file", "file")
	blob := store.Add(object.KindBlob, nil)
	set := func(path string) tree.Edit { return tree.Set(path, object.ModeFile, blob) }
	for _, c := range []struct {
		edit tree.Edit
		is   error
		want string
	}{
		{set("file/x/y"), tree.ErrClash, `paths clash: "file" is a file, so that "file/x/y" cannot be in it`},
		{set("dir/file/x"), tree.ErrClash, `paths clash: "dir/file" is a file, so that "dir/file/x" cannot be in it`},
		{set("dir"), tree.ErrClash, `paths clash: "dir" is a directory`},
		{tree.Remove("dir"), tree.ErrClash, `paths clash: "dir" is a directory`},
		{tree.Remove("none"), object.ErrNotFound, `path "none": git object not found`},
		{tree.Remove("dir/none"), object.ErrNotFound, `path "dir/none": git object not found`},
		{tree.Remove("no/such/dir"), object.ErrNotFound, `path "no/such/dir": git object not found`},
		{tree.Remove(""), object.ErrNotFound, `path "": git object not found`},
		{tree.Chmod("none", object.ModeFile), object.ErrNotFound, `path "none": git object not found`},
		{tree.Chmod("file", object.ModeSymlink), tree.ErrClash,
			`paths clash: the mode of "file" cannot change from 100644 to 120000`},
		{tree.Set("x", object.ModeDir, blob), nil, `set "x": 040000 is not the mode of a file`},
		{tree.Set("x", 0, blob), nil, `set "x": 000000 is not the mode of a file`},
		{set("a/.git/config"), nil,
			`path "a/.git/config": ".git" is not a valid file name: git keeps its own data in .git`},
		{set("a//b"), nil, `path "a//b": "" is not a valid file name: it is empty`},
		{set(""), nil, `path "": "" is not a valid file name: it is empty`},
	} {
		_, _, err := tree.Apply(t.Context(), store, root, []tree.Edit{c.edit})
		require.EqualError(t, err, c.want)
		if c.is != nil {
			require.ErrorIs(t, err, c.is)
		}
	}
	_, _, err := tree.Apply(t.Context(), gittest.Store{}, root, nil)
	require.ErrorIs(t, err, object.ErrNotFound)
}

package object_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/git/object"
)

func TestMode(t *testing.T) {
	t.Parallel()
	for digits, want := range map[string]object.Mode{
		"40000": object.ModeDir, "040000": object.ModeDir, "0040000": object.ModeDir, "100644": object.ModeFile,
		"100664": object.ModeFile, "100600": object.ModeFile, "100755": object.ModeExecutable,
		"100775": object.ModeExecutable, "120000": object.ModeSymlink, "160000": object.ModeSubmodule,
	} {
		mode, err := object.ParseMode(digits)
		require.NoError(t, err)
		require.Equal(t, want, mode, digits)
	}
	for _, bad := range []string{"", "0", "644", "100648", "-100644", "+100644", "777777777777777", "20000",
		" 100644"} {
		_, err := object.ParseMode(bad)
		require.ErrorContains(t, err, "is not a mode: want 040000", "%q", bad)
	}
	require.Equal(t, "040000", object.ModeDir.String())
	require.Equal(t, "160000", object.ModeSubmodule.String())
	require.Equal(t, object.KindTree, object.ModeDir.Kind())
	require.Equal(t, object.KindCommit, object.ModeSubmodule.Kind())
	require.Equal(t, object.KindBlob, object.ModeSymlink.Kind())
	require.False(t, object.ModeSubmodule.IsBlob() || object.ModeDir.IsBlob() || object.Mode(0).IsBlob())
	require.True(t, object.ModeSymlink.IsBlob() && object.ModeExecutable.IsBlob() && object.ModeFile.IsBlob())
}

func TestTree(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	r.Write(object.KindTree, "")
	blob := r.Write(object.KindBlob, "x")
	random := rand.New(rand.NewPCG(5, 6))
	modes := []object.Mode{
		object.ModeDir, object.ModeFile, object.ModeExecutable, object.ModeSymlink, object.ModeSubmodule,
	}
	pieces := strings.Split("a b . - / 0 ü A \xff aa ~ \n", " ")
	for range 30 {
		byName := map[string]object.Entry{}
		for range random.IntN(20) {
			name := ""
			for range 1 + random.IntN(4) {
				name += strings.Trim(pieces[random.IntN(len(pieces))], "/")
			}
			mode := modes[random.IntN(len(modes))]
			if object.CheckName(name) == nil {
				id := blob
				switch mode {
				case object.ModeDir:
					id = object.EmptyTree
				case object.ModeSubmodule:
					id = object.ID{1}
				}
				byName[name] = object.Entry{Mode: mode, Name: name, ID: id}
			}
		}
		var tree object.Tree
		stdin := ""
		for _, e := range byName { // in random order
			tree = append(tree, e)
			stdin += fmt.Sprintf("%s %s %s\t%s\x00", e.Mode, e.Mode.Kind(), e.ID, e.Name)
		}
		id := strings.TrimSpace(r.Git(stdin, "mktree", "-z", "--missing"))
		data := object.EncodeTree(tree)
		require.Equal(t, id, object.Hash(object.KindTree, data).String())

		parsed, err := object.ParseTree(data)
		require.NoError(t, err)
		list := ""
		for _, e := range parsed {
			list += fmt.Sprintf("%s %s %s\t%s\x00", e.Mode, e.Mode.Kind(), e.ID, e.Name)
			found, ok := parsed.Find(e.Name)
			require.True(t, ok)
			require.Equal(t, e, found)
		}
		require.Equal(t, r.Git("", "ls-tree", "-z", id), list)
		require.Equal(t, data, object.EncodeTree(parsed))
		_, ok := parsed.Find("no such name")
		require.False(t, ok)
	}
}

func TestParseTreeTakesOldModes(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	id := strings.Repeat("\x01", 20)
	data := "100664 a\x00" + id + "040000 b\x00" + id + "100775 c\x00" + id
	tree, err := object.ParseTree([]byte(data))
	require.NoError(t, err)
	list := ""
	for _, e := range tree {
		list += fmt.Sprintf("%s %s %s\t%s\n", e.Mode, e.Mode.Kind(), e.ID, e.Name)
	}
	require.Equal(t, r.Git("", "ls-tree", r.Write(object.KindTree, data).String()), list)
}

func TestParseTreeRefuses(t *testing.T) {
	t.Parallel()
	id := strings.Repeat("\x01", 20)
	for data, want := range map[string]string{
		"100644":                "parse tree: it ends within an entry",
		"100644 a\x00" + id[1:]: "parse tree: it ends within an entry",
		"100644 \x00" + id:      "parse tree: an entry has no name",
		"100644\x00" + id:       "parse tree: an entry has no name",
		"1 a\x00" + id:          `parse tree: "1" is not a mode: want 040000, 100644, 100755, 120000 or 160000`,
		"100644 b\x00" + id + "100644 a\x00" + id:  `parse tree: entry "a" is not in order`,
		"100644 a\x00" + id + "100755 a\x00" + id:  `parse tree: entry "a" is not in order`,
		"40000 a\x00" + id + "100644 a.b\x00" + id: `parse tree: entry "a.b" is not in order`,
	} {
		_, err := object.ParseTree([]byte(data))
		require.EqualError(t, err, want, "%q", data)
	}
}

// TestParseTreeTakesLittleMemory is not parallel: it measures what is allocated meanwhile.
func TestParseTreeTakesLittleMemory(t *testing.T) {
	var entries object.Tree
	for n := range 10 << 20 / 40 {
		entries = append(entries, object.Entry{Mode: object.ModeFile, Name: fmt.Sprintf("file-%07d", n), ID: object.ID{1}})
	}
	data := object.EncodeTree(entries)
	require.Len(t, data, 10<<20)
	for _, cut := range []int{0, 1} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		tree, err := object.ParseTree(data[:len(data)-cut])
		runtime.ReadMemStats(&after)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(3*len(data)))
		require.Equal(t, cut == 0, err == nil)
		require.Equal(t, cut == 0, len(tree) == len(entries))
	}
}

func FuzzParseTree(f *testing.F) {
	id := strings.Repeat("\x01", 20)
	f.Add([]byte("100644 a\x00" + id + "40000 b\x00" + id))
	f.Add([]byte("040000 b\x00" + id + "160000 c\x00" + id))
	f.Fuzz(func(t *testing.T, data []byte) {
		tree, err := object.ParseTree(data)
		if err != nil {
			return
		}
		again, err := object.ParseTree(object.EncodeTree(tree))
		require.NoError(t, err)
		require.Equal(t, tree, again)
	})
}

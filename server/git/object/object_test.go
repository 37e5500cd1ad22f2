package object_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/git/object"
)

func TestHash(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	for kind := object.KindCommit; kind <= object.KindTag; kind++ {
		for _, data := range []string{"", "x", "a\x00b\n"} {
			want := strings.TrimSpace(r.Git(data, "hash-object", "--literally", "-t", kind.String(), "--stdin"))
			require.Equal(t, want, object.Hash(kind, []byte(data)).String())
			require.Equal(t, want, object.Object{Kind: kind, Data: []byte(data)}.ID().String())
		}
	}
	require.Equal(t, "4b825dc642cb6eb9a060e54bf8d69288fbee4904", object.EmptyTree.String())
}

func TestKind(t *testing.T) {
	t.Parallel()
	for kind := object.KindCommit; kind <= object.KindTag; kind++ {
		parsed, err := object.ParseKind(kind.String())
		require.NoError(t, err)
		require.Equal(t, kind, parsed)
	}
	_, err := object.ParseKind("")
	require.EqualError(t, err, `"" is not a kind of git objects: want commit, tree, blob or tag`)
	require.Equal(t, "kind 7", object.Kind(7).String())
}

func TestID(t *testing.T) {
	t.Parallel()
	const digits = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
	id, err := object.ParseID(strings.ToUpper(digits))
	require.NoError(t, err)
	require.Equal(t, digits, id.String())
	require.Equal(t, "4b825dc6", id.Short(8))
	require.Equal(t, digits, id.Short(99))
	require.False(t, id.IsZero())
	require.True(t, object.ID{}.IsZero())

	again, err := object.IDFrom(id[:])
	require.NoError(t, err)
	require.Equal(t, 0, id.Compare(again))
	_, err = object.IDFrom(id[1:])
	require.EqualError(t, err, "an object id has 19 bytes instead of 20")

	for _, bad := range []string{"", digits[1:], digits + "0", "g" + digits[1:]} {
		_, err := object.ParseID(bad)
		require.ErrorContains(t, err, "want 40 hexadecimal digits", bad)
	}

	text, err := id.MarshalText()
	require.NoError(t, err)
	require.Equal(t, digits, string(text))
	require.NoError(t, again.UnmarshalText(text))
	require.Equal(t, id, again)
}

// store is a Source that holds its objects in memory.
type store map[object.ID]object.Object

func (s store) Object(_ context.Context, id object.ID) (object.Object, error) {
	if o, ok := s[id]; ok {
		return o, nil
	}
	return object.Object{}, object.ErrNotFound
}

func TestReadNamesTheObject(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	blob := object.Hash(object.KindBlob, nil)
	bad := object.Hash(object.KindTree, []byte("x"))
	src := store{
		blob:             {Kind: object.KindBlob},
		bad:              {Kind: object.KindTree, Data: []byte("x")},
		object.EmptyTree: {Kind: object.KindTree},
	}
	tree, err := object.ReadTree(ctx, src, object.EmptyTree)
	require.NoError(t, err)
	require.Empty(t, tree)
	_, err = object.ReadTree(ctx, src, blob)
	require.EqualError(t, err, "read tree e69de29bb2d1d6434b8b29ae775ad8c2e48c5391: the object is a blob")
	_, err = object.ReadTree(ctx, src, bad)
	require.EqualError(t, err, "read tree "+bad.String()+": parse tree: it ends within an entry")
	_, err = object.ReadCommit(ctx, src, object.ID{1})
	require.ErrorIs(t, err, object.ErrNotFound)
	require.ErrorContains(t, err, "read commit 0100000000000000000000000000000000000000")
}

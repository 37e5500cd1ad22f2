package object_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/git/object"
)

const tagLines = "object 4b825dc642cb6eb9a060e54bf8d69288fbee4904\ntype tree\ntag v1\n"

func TestTag(t *testing.T) {
	t.Parallel()
	tag := &object.Tag{
		Object: object.EmptyTree, Kind: object.KindTree, Name: "v1",
		Tagger:  object.Signature{Name: "A", Email: "a@example.com", When: time.Unix(1700000000, 0).UTC()},
		Message: "Title\n\nBody\n", Signature: armor + "\n",
	}
	plain := tagLines + "tagger A <a@example.com> 1700000000 +0000\n\nTitle\n\nBody\n"
	require.Equal(t, plain+armor+"\n", string(tag.Encode()))
	require.Equal(t, plain, string(tag.SignedPayload()))
	r := gittest.New(t)
	r.Write(object.KindTree, "")
	id := strings.TrimSpace(r.Git(string(tag.Encode()), "mktag"))
	require.Equal(t, id, object.Hash(object.KindTag, tag.Encode()).String())

	parsed, err := object.ParseTag(tag.Encode())
	require.NoError(t, err)
	require.True(t, tag.Tagger.When.Equal(parsed.Tagger.When))
	require.EqualExportedValues(t, *tag, *parsed)
	parsed.Name = "v2"
	require.Equal(t, strings.Replace(plain, "v1", "v2", 1), string(parsed.SignedPayload()))
}

// oddTags are tags that git reads and would not write.
var oddTags = map[string]string{
	"no tagger":      tagLines + "\nTitle\n",
	"no message":     tagLines,
	"no date":        tagLines + "tagger A <a>\n\nTitle",
	"more headers":   tagLines + "tagger A <a> 1 +0000\ngpgsig-sha256 " + folded + "\nx y\n\nTitle\n",
	"two signatures": tagLines + "tagger A <a> 1 +0000\n\n" + armor + "\n" + armor + "\n",
	"text after":     tagLines + "tagger A <a> 1 +0000\n\nTitle\n-----BEGIN SSH SIGNATURE-----\nx\n\nmore",
	"indented":       tagLines + "tagger A <a> 1 +0000\n\nTitle\n " + armor,
}

func TestOddTagsKeepTheirBytes(t *testing.T) {
	t.Parallel()
	for name, text := range oddTags {
		tag, err := object.ParseTag([]byte(text))
		require.NoError(t, err, name)
		require.Equal(t, text, string(tag.Encode()), name)
		require.Equal(t, text, string(tag.SignedPayload())+tag.Signature, name)
		tag.Message = "y"
		require.Contains(t, string(tag.Encode()), "\n\ny", name)
	}
	two, err := object.ParseTag([]byte(oddTags["two signatures"]))
	require.NoError(t, err)
	require.Equal(t, armor+"\n", two.Signature)
	require.Equal(t, armor+"\n", two.Message)
}

func TestParseTagRefuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                          "parse tag: it does not begin with object, type and tag",
		tagLines[:60] + "\n":        "parse tag: it does not begin with object, type and tag",
		"object x\ntype y\ntag z\n": `parse tag: "x" is not an object id: want 40 hexadecimal digits`,
		strings.Replace(tagLines, "type tree", "type x", 1): `parse tag: "x" is not a kind of git objects: ` +
			"want commit, tree, blob or tag",
	} {
		_, err := object.ParseTag([]byte(text))
		require.EqualError(t, err, want, "%q", text)
	}
}

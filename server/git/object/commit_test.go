package object_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/git/object"
)

const (
	treeLine = "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n"
	who      = "A U Thor <a@example.com> 1700000000 +0530\n"
	armor    = "-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----"
)

// folded is armor as a header holds it.
var folded = strings.ReplaceAll(armor, "\n", "\n ")

func TestCommit(t *testing.T) {
	t.Parallel()
	parent := object.Hash(object.KindBlob, nil)
	c := &object.Commit{
		Tree:    object.EmptyTree,
		Parents: []object.ID{parent, object.EmptyTree},
		Author: object.Signature{
			Name: "A U Thor", Email: "a@example.com", When: time.Unix(1700000000, 0).In(time.FixedZone("", 19800)),
		},
		Committer: object.Signature{Name: "Ć", Email: "c@example.com", When: time.Unix(1700000001, 0).UTC()},
		Encoding:  "ISO-8859-1",
		Extra:     []object.Header{{Key: "mergetag", Value: "object x\ntype commit\n\nmessage"}},
		Signature: armor,
		Message:   "Title\n\nBody\n",
	}
	want := treeLine +
		"parent e69de29bb2d1d6434b8b29ae775ad8c2e48c5391\nparent 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n" +
		"author " + who + "committer Ć <c@example.com> 1700000001 +0000\nencoding ISO-8859-1\n" +
		"mergetag object x\n type commit\n \n message\n"
	message := "\nTitle\n\nBody\n"
	require.Equal(t, want+"gpgsig "+folded+"\n"+message, string(c.Encode()))
	require.Equal(t, want+message, string(c.SignedPayload()))

	parsed, err := object.ParseCommit(c.Encode())
	require.NoError(t, err)
	require.Equal(t, c.Author.When.Format(time.RFC3339), parsed.Author.When.Format(time.RFC3339))
	require.Equal(t, c.Encode(), parsed.Encode())
	require.Equal(t, c.SignedPayload(), parsed.SignedPayload())
	require.EqualExportedValues(t, *c, *parsed)
	parsed.Message += "more\n"
	require.Equal(t, string(c.Encode())+"more\n", string(parsed.Encode()))
}

// oddCommits are commits that git reads and would not write.
var oddCommits = map[string]string{
	"plain":           treeLine + "author " + who + "committer " + who + "\nTitle\n",
	"no message":      treeLine + "author " + who + "committer " + who + "\n",
	"no empty line":   treeLine + "author " + who + "committer " + who,
	"no end of line":  treeLine + "author " + who + "committer " + strings.TrimSpace(who),
	"only a tree":     treeLine,
	"empty name":      treeLine + "author  <> 1 +0000\ncommitter <c> 1 +0000\n\nx",
	"no brackets":     treeLine + "author nobody\ncommitter nobody 12 +0000\n\nx",
	"brackets inside": treeLine + "author A <a> b@c> 17 +0000\ncommitter A <B <c>> 17 -0100\n\nx",
	"odd dates":       treeLine + "author A <a> 99999999999999999999 +0000\ncommitter A <a> 17 +051800\n\nx",
	"no dates":        treeLine + "author A <a>\ncommitter A <a> x\n\nx",
	"minus zero":      treeLine + "author A <a> 1 -0000\ncommitter A <a> 1 +9999\n\nx",
	"crud":            treeLine + "author Jr. <a.> 1 +0000\ncommitter \"A\" <a> 1 +0000\n\nx",
	"signature early": treeLine + "author " + who + "committer " + who + "gpgsig " + folded +
		"\n \nencoding X\n\nTitle\n",
	"two signatures": treeLine + "author " + who + "committer " + who + "gpgsig-sha256 " + folded +
		"\nHG:extra x\ngpgsig " + folded + "\n\nTitle\n\ngpgsig x\n",
	"two authors":      treeLine + "author " + who + "author B <b> 1 +0000\ncommitter " + who + "\nTitle\n",
	"upper-case tree":  "tree " + strings.ToUpper(treeLine[5:]) + "author " + who + "committer " + who + "\nTitle\n",
	"bytes not UTF-8":  treeLine + "author \xe4\xf6 <a> 1 +0000\ncommitter A <a> 1 +0000\n\n\xff\x00\n",
	"carriage returns": treeLine + "author A <a> 1 +0000\r\ncommitter A <a> 1 +0000\r\n\r\nTitle\r\n\r\nBody\r\n",
}

func TestOddCommitsKeepTheirBytes(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	for name, text := range oddCommits {
		c, err := object.ParseCommit([]byte(text))
		require.NoError(t, err, name)
		require.Equal(t, text, string(c.Encode()), name)

		id := r.Write(object.KindCommit, text).String()
		if name == "only a tree" || name == "no end of line" { // git shows nothing of them
			continue
		}
		format := "--format=%an%n%ae%n%cn%n%ce%n%s"
		got := strings.Join(
			[]string{c.Author.Name, c.Author.Email, c.Committer.Name, c.Committer.Email, c.Title()}, "\n",
		)
		if name == "two authors" || name == "bytes not UTF-8" { // git shows the first; git converts
			continue
		}
		require.Equal(t, r.Git("", "log", "-1", "--encoding=X", format, id), got+"\n", name)
	}
}

func TestDates(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	for _, date := range []string{
		"0 +0000", "1700000000 +0530", "1700000000 -0330", "1700000000 +1400", "1700000000 -1200", "5000000000 +0100",
		"17 ", "17", "  170000   -0100", "17 +01", "17 junk",
	} {
		c, err := object.ParseCommit([]byte(treeLine + "author A <a> " + date + "\ncommitter A <a> 1 +0000\n\nx\n"))
		require.NoError(t, err)
		id := r.Write(object.KindCommit, string(c.Encode())).String()
		got := ""
		if !c.Author.When.IsZero() {
			got = c.Author.When.Format("2006-01-02 15:04:05 -0700")
		}
		require.Equal(t, strings.TrimSpace(r.Git("", "log", "-1", "--format=%ai", id)), got, date)
	}
	require.True(t, object.ParseSignature("A <a>").When.IsZero())
	require.Equal(t, "A <a> 0 +0000", object.ParseSignature("A <a>").String())
}

func TestChangedCommitForgetsItsBytes(t *testing.T) {
	t.Parallel()
	c, err := object.ParseCommit([]byte(oddCommits["minus zero"]))
	require.NoError(t, err)
	c.Message = "y"
	require.Equal(t, treeLine+"author A <a> 1 +0000\ncommitter A <a> 1 +0000\n\ny", string(c.Encode()))
}

func TestSignedPayload(t *testing.T) {
	t.Parallel()
	plain := treeLine + "author " + who + "committer " + who
	for name, want := range map[string]string{
		"signature early": plain + "encoding X\n\nTitle\n",
		"two signatures":  plain + "HG:extra x\n\nTitle\n\ngpgsig x\n",
		"plain":           plain + "\nTitle\n",
	} {
		c, err := object.ParseCommit([]byte(oddCommits[name]))
		require.NoError(t, err)
		require.Equal(t, want, string(c.SignedPayload()), name)
		require.Equal(t, name != "plain", c.Signature != "", name)
	}
}

func TestParseCommitRefuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                      "parse commit: the commit does not begin with a tree",
		"\n" + treeLine:         "parse commit: the commit does not begin with a tree",
		"parent x\n":            "parse commit: the commit does not begin with a tree",
		"tree 123\n":            `parse commit: "123" is not an object id: want 40 hexadecimal digits`,
		treeLine + "parent x\n": `parse commit: "x" is not an object id: want 40 hexadecimal digits`,
		" x\n":                  "parse commit: it begins with a space",
		treeLine + "parent " + treeLine[5:] + " x\n": `parse commit: "` + treeLine[5:44] +
			`4\nx" is not an object id: want 40 hexadecimal digits`,
	} {
		_, err := object.ParseCommit([]byte(text))
		require.EqualError(t, err, want, "%q", text)
	}
}

func TestTitle(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"Title", " more", "\n", "\n\n", " \n", "\t", "words  ", "\r\n"}
	var messages []string
	for range 300 {
		message := ""
		for range random.IntN(8) {
			message += pieces[random.IntN(len(pieces))]
		}
		messages = append(messages, message)
	}
	for i, title := range logOf(t, "%s", messages) {
		require.Equal(t, title, object.Title(messages[i]), "%q", messages[i])
	}
}

func TestSignatureIsWrittenAsGitWritesIt(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	for _, s := range []object.Signature{
		{Name: "A", Email: "a@example.com"}, {Name: " .A. B,", Email: "<a>"}, {Name: "A <B>\nC", Email: "a b"},
		{Name: `"A"`, Email: "'a'"}, {Name: "A\tB", Email: "ä"},
	} {
		s.When = time.Unix(1700000000, 0).In(time.FixedZone("", -12600))
		line := r.Env("GIT_AUTHOR_NAME="+s.Name, "GIT_AUTHOR_EMAIL="+s.Email, "GIT_AUTHOR_DATE=1700000000 -0330").
			Git("", "var", "GIT_AUTHOR_IDENT")
		require.Equal(t, line, s.String()+"\n")
	}
}

func FuzzParseCommit(f *testing.F) {
	for _, text := range oddCommits {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := object.ParseCommit(data)
		if err != nil {
			return
		}
		require.Equal(t, string(data), string(c.Encode()))
		c.SignedPayload()
		c.Title()
		object.Trailers(c.Message)
		c.Message += "x"
		changed, err := object.ParseCommit(c.Encode())
		if err == nil {
			require.Equal(t, c.Encode(), changed.Encode())
		}
	})
}

func BenchmarkParseCommit(b *testing.B) {
	data := []byte(treeLine + "parent " + treeLine[5:] + "author " + who + "committer " + who + "gpgsig " + folded +
		"\n\nTitle\n\nBody\n")
	for b.Loop() {
		if _, err := object.ParseCommit(data); err != nil {
			b.Fatal(err)
		}
	}
}

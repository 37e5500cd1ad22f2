package object_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/git/object"
)

// logOf returns what git log prints of commits with these messages, by a format.
func logOf(t *testing.T, format string, messages []string) []string {
	var stream strings.Builder
	for _, message := range messages {
		fmt.Fprintf(&stream, "commit refs/heads/main\ncommitter A <a> 1 +0000\ndata %d\n%s\n", len(message), message)
	}
	r := gittest.New(t)
	r.Git(stream.String(), "fast-import", "--quiet")
	out := r.Git("", "log", "--reverse", "-z", "--format="+format+"%x00", "main")
	lines := strings.Split(strings.TrimSuffix(out, "\x00\x00"), "\x00\x00")
	require.Len(t, lines, len(messages))
	return lines
}

// TestTrailers asks git about every message in one run, by commits that have them.
func TestTrailers(t *testing.T) {
	t.Parallel()
	messages := []string{
		"Key: title only",
		"Title\n\nKey: value",
		"Title\n\nKey: value\n\n\n",
		"Title\n\nBody\n\nSigned-off-by: A <a@b>\nother\nlines\nthree\nfour\n",
		"Title\n\nSigned-off-by: A <a@b>\nother\nlines\nthree\n",
		"Title\n\nKey: folded\n  value\n\tmore  \n  end\nOther : x\n",
		"Title\n\nKey: v\n# comment\n\nConflicts:\n\ta.txt\n\tb.txt\n",
		"Title\n\nKey: v\n# ------------------------ >8 ------------------------\nBelow: cut\n",
		"# Comment\nTitle\n\n(cherry picked from commit abc)\nKey: v\n",
		"Title\n\nKey: v\n---\nAfter: divider\n",
	}
	pieces := []string{
		"Key: value\n", "Signed-off-by: A <a@b>\n", "text\n", "\n", " indented\n", "  \n", "# comment\n", "A b: c\n",
		"(cherry picked from commit abc)\n", "Conflicts:\n", "\tpath\n", "Empty:\n", "K : v  \n", ": none\n", "---\n",
		"# ------------------------ >8 ------------------------\n", "Ünicode: x\n", "\r\n", "Last: x",
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		message := "Title\n\n"
		if random.IntN(8) == 0 {
			message = ""
		}
		for range random.IntN(9) {
			message += pieces[random.IntN(len(pieces))]
		}
		messages = append(messages, message)
	}

	const format = "%(trailers:only,unfold,key_value_separator=%x01,separator=%x02)"
	out := logOf(t, format, messages)
	found := 0
	for i, message := range messages {
		var got []string
		for _, trailer := range object.Trailers(strings.TrimLeft(message, "\r\n")) {
			got = append(got, trailer.Key+"\x01"+trailer.Value)
		}
		found += len(got)
		require.Equal(t, out[i], strings.Join(got, "\x02"), "%q", message)
	}
	require.Greater(t, found, len(messages)/4)

	r := gittest.New(t)
	for _, message := range messages[:20] {
		got := ""
		for _, trailer := range object.Trailers(message) {
			got += trailer.Key + ": " + trailer.Value + "\n"
		}
		require.Equal(t, r.Git(message, "interpret-trailers", "--parse", "--no-divider"), got, "%q", message)
	}
}

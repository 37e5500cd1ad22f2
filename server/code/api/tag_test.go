package api_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// An annotated tag of 2005 has no tagger, and so no date. A date that JSON cannot tell is the last
// one that it can.
func TestTagDates(t *testing.T) {
	t.Parallel()
	h := newHost(t, "tagdates")
	w := h.begin()
	head := strings.TrimSpace(w.Git("rev-parse", "HEAD"))
	for name, tagger := range map[string]string{
		"old": "", "late": "tagger A <a@example.com> 999999999999 +0000\n", "plain": "tagger A <a@example.com> 86400 +0000\n",
	} {
		text := "object " + head + "\ntype commit\ntag " + name + "\n" + tagger + "\nText\n"
		require.NoError(t, os.WriteFile(filepath.Join(w.Dir, "object"), []byte(text), 0o600))
		id := strings.TrimSpace(w.Git("hash-object", "-w", "-t", "tag", "--literally", "object"))
		w.Git("push", "-q", "origin", id+":refs/tags/"+name)
	}
	for name, want := range map[string]string{
		"old": `"created_at":null`, "late": `"created_at":"9999-12-31T23:59:59.000+00:00"`,
		"plain": `"created_at":"1970-01-02T00:00:00.000+00:00"`,
	} {
		reply := h.api("GET", "tags/"+name, nil)
		require.Equal(t, 200, reply.Status)
		require.Contains(t, string(reply.Body), want)
		require.Contains(t, string(reply.Body), `"message":"Text"`)
	}
}

package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// Texts that ask for much work are answered soon, and never with a failure.
func TestNoteFloods(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	owner := s.User(t, "floods")
	var p servertest.Made
	s.Do(t, owner.Token, "POST", "/projects", map[string]any{"name": "floods"}).Into(t, &p)
	issues := fmt.Sprintf("/projects/%d/issues", p.ID)
	s.Do(t, owner.Token, "POST", issues, map[string]any{"title": "Target"}).Into(t, &servertest.Made{})
	numbered := func(format string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for name, body := range map[string]string{
		"a megabyte":            strings.Repeat("x", 1_000_000),
		"a megabyte of stars":   strings.Repeat("*_", 500_000),
		"a megabyte of slashes": strings.Repeat("/close\n", 140_000),
		"mentions":              numbered("@user%d ", 10_000),
		"references":            numbered("#%d ", 10_000),
		"references far away":   numbered("acme/site-%d#1 ", 10_000),
		"a thousand actions":    numbered("/title Title %d\n/label ~bug\n", 500),
		"a thousand links":      "/relate " + numbered("#%d ", 1000),
		"labels":                "/label " + numbered("~label%d ", 10_000),
		"users":                 "/assign " + numbered("@user%d ", 10_000),
		"a duration":            "/spend " + strings.Repeat("1h", 100_000),
		"an estimate":           "/estimate 99999999999999999999999y",
		"a weight":              "/weight 99999999999",
		"an iteration":          "/iteration *iteration:" + strings.Repeat("9", 100_000),
		"an epic":               "/epic &99999999999999999",
		"a null character":      "a\x00b",
		"a null in a command":   "/title a\x00b\n/label ~a\x00b\n/milestone %a\x00b\n/assign @a\x00b",
		"no UTF-8 in a command": "/title \xff\xfe",
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			reply := s.Do(t, owner.Token, "POST", issues+"/1/notes", map[string]any{"body": body})
			require.Less(t, reply.Status, 500, "%s", reply.Body)
			reply = s.Do(t, owner.Token, "POST", issues, map[string]any{"title": "New", "description": body})
			require.Less(t, reply.Status, 500, "%s", reply.Body)
			require.Less(t, time.Since(began), 30*time.Second)
		})
	}
	var list []map[string]any
	require.NoError(t, json.Unmarshal(s.Do(t, owner.Token, "GET", issues+"/1/notes?per_page=100", nil).Body, &list))
	require.NotEmpty(t, list)
}

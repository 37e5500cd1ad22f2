package api_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// A noteOracle says who sees a note, by the words of its text.
type noteOracle struct {
	internal   bool   // only planners and higher roles
	confidence bool   // a system note about a confidential issue of another author
	hidden     bool   // a system note about an issue of a project that only the owner sees
	marker     string // in the text
}

// Internal notes, and system notes about confidential and hidden issues, are in no answer to those
// who must not see them, whatever the order in which they were written.
func TestSecretNotes(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	random := rand.New(rand.NewPCG(19, 50))
	owner := s.User(t, "owner")
	readers := map[int]servertest.Persona{0: s.User(t, "stranger")}
	made := func(path string, body map[string]any) (m servertest.Made) {
		s.Do(t, owner.Token, "POST", path, body).Into(t, &m)
		return m
	}
	site := made("/projects", map[string]any{"name": "site", "path": "site", "visibility": "public"})
	hidden := made("/projects", map[string]any{"name": "hidden", "path": "hidden", "visibility": "private"})
	for _, level := range []int{10, 15, 20, 30, 40} {
		u := s.User(t, fmt.Sprintf("level%d", level))
		readers[level] = u
		made(fmt.Sprintf("/projects/%d/members", site.ID), map[string]any{"user_id": u.ID, "access_level": level})
	}
	issues := fmt.Sprintf("/projects/%d/issues", site.ID)
	made(issues, map[string]any{"title": "Target"})
	var written []noteOracle
	for n := range 60 {
		o := noteOracle{marker: fmt.Sprintf("<%d>", n)}
		switch random.IntN(4) {
		case 0:
			o.internal = true
			made(issues+"/1/notes", map[string]any{"body": o.marker, "internal": true})
		case 1:
			i := made(issues, map[string]any{"title": "Like #1", "confidential": true})
			o.confidence, o.marker = true, fmt.Sprintf("mentioned in issue #%d\"", iidOf(t, s, owner, i.ID))
		case 2:
			i := made(fmt.Sprintf("/projects/%d/issues", hidden.ID), map[string]any{"title": "Like owner/site#1"})
			o.hidden, o.marker = true, fmt.Sprintf("hidden#%d\"", iidOf(t, s, owner, i.ID))
		default:
			made(issues+"/1/notes", map[string]any{"body": o.marker})
		}
		written = append(written, o)
	}
	for level, u := range readers {
		for _, list := range []string{"/1/notes?per_page=100", "/1/discussions?per_page=100"} {
			reply := s.Do(t, u.Token, "GET", issues+list, nil)
			require.Equal(t, 200, reply.Status)
			var all []json.RawMessage
			require.NoError(t, json.Unmarshal(reply.Body, &all))
			text := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(string(reply.Body))
			seen := 0
			for _, o := range written {
				sees := !o.hidden && (level >= 15 || !o.internal && !o.confidence)
				require.Equal(t, sees, strings.Contains(text, o.marker), "level %d, %s, %+v", level, list, o)
				if sees {
					seen++
				}
			}
			require.Len(t, all, seen, "something else is shown")
			require.Equal(t, fmt.Sprint(seen), reply.Header.Get("X-Total"), "the total counts what is hidden")
		}
	}
}

// iidOf returns the number of an issue.
func iidOf(t *testing.T, s *servertest.Server, by servertest.Persona, id int64) int {
	t.Helper()
	var issue struct{ IID int }
	reply := s.Do(t, servertest.RootToken, "GET", fmt.Sprintf("/issues/%d", id), nil)
	require.NoError(t, json.Unmarshal(reply.Body, &issue), "%s", by.Username)
	return issue.IID
}

package api_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// Nobody replies to a single note of a snippet, which has no threads but those that began as one
// (more §2). Quick actions in it are text.
func TestSingleNotes(t *testing.T) {
	t.Parallel()
	d := newDesk(t, servertest.Start(t), "snipreply")
	base := fmt.Sprint(d.base, "/snippets/", d.held.ID)
	reply := d.s.Do(t, d.user.Token, "POST", base+"/notes", map[string]any{"body": "/close"})
	require.Equal(t, 201, reply.Status, string(reply.Body))
	require.Contains(t, string(reply.Body), `"body":"/close"`)
	var threads []struct {
		ID         string
		Individual bool `json:"individual_note"`
	}
	d.s.Do(t, d.user.Token, "GET", base+"/discussions", nil).Into(t, &threads)
	require.Len(t, threads, 1)
	require.True(t, threads[0].Individual)
	reply = d.s.Do(t, d.user.Token, "POST", base+"/discussions/"+threads[0].ID+"/notes", map[string]any{"body": "x"})
	require.Equal(t, 400, reply.Status)
	require.Contains(t, string(reply.Body), "Discussion can not be replied to.")
}

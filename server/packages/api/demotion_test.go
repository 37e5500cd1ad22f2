package api_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

// onRead is a body that does something before it is read.
type onRead struct {
	do   func()
	from io.Reader
}

// Read implements io.Reader.
func (r *onRead) Read(p []byte) (int, error) {
	if r.do != nil {
		r.do()
		r.do = nil
	}
	return r.from.Read(p)
}

// TestDemotion: a protection rule asks for the level that a caller has when the upload ends. The
// server asks for the body once the guard has let the caller in, and there the level changes.
func TestDemotion(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Start(t))
	p.do(201, p.owner.Token, "POST", p.at("/protection/rules"), map[string]any{
		"package_name_pattern": "tool", "package_type": "generic", "minimum_access_level_for_push": "maintainer",
	})
	become := func(level int) {
		p.do(200, p.owner.Token, "PUT", fmt.Sprintf("/projects/%d/members/%d", p.project.ID, p.maintainer.ID),
			map[string]any{"access_level": level})
	}
	client := http.Client{Transport: &http.Transport{ExpectContinueTimeout: time.Minute}}
	defer client.CloseIdleConnections()
	for _, c := range []struct{ level, want int }{{40, 201}, {30, 403}, {20, 403}} {
		become(40)
		changed := false
		body := &onRead{from: strings.NewReader("text"), do: func() {
			changed = true
			become(c.level)
		}}
		r, err := http.NewRequestWithContext(t.Context(), "PUT",
			p.s.Server.URL()+"/api/v4"+p.at("/generic/tool/1.0/file"), body)
		require.NoError(t, err)
		r.Header.Set("PRIVATE-TOKEN", p.maintainer.Token)
		r.Header.Set("Expect", "100-continue")
		reply, err := client.Do(r)
		require.NoError(t, err)
		require.NoError(t, reply.Body.Close())
		require.True(t, changed, "the guard lets a maintainer in")
		require.Equal(t, c.want, reply.StatusCode, "as level %d", c.level)
	}
}

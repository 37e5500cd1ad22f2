package server_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/outbound"
	"hew/server/servertest"
)

// rebinding is a resolver that gives the public address of a name to the first question, and this
// machine to all others.
type rebinding struct {
	mu      sync.Mutex
	asked   map[string]int
	dialled []string
}

func (r *rebinding) lookup(_ context.Context, host string) ([]netip.Addr, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.asked[host]++; r.asked[host] == 1 {
		return []netip.Addr{netip.MustParseAddr("8.8.8.8")}, nil
	}
	return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
}

func (r *rebinding) dial(_ context.Context, _, address string) (net.Conn, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.dialled = append(r.dialled, address)
	return nil, errors.New("connection refused")
}

// TestRebinding: a name that leads to a public address when it is checked and to this machine when
// it is connected to leads nowhere, whatever asks for it.
func TestRebinding(t *testing.T) {
	t.Parallel()
	names := &rebinding{asked: map[string]int{}}
	s := servertest.FreshWith(t, server.Config{Outbound: &outbound.Guard{Lookup: names.lookup, Dial: names.dial}})
	user := s.User(t, "rebinder")
	var p servertest.Made
	s.Do(t, user.Token, "POST", "/projects",
		map[string]any{"name": "web", "initialize_with_readme": true}).Into(t, &p)
	project := fmt.Sprintf("/projects/%d", p.ID)
	do := func(method, path string, fields map[string]any) servertest.Reply {
		return s.Do(t, user.Token, method, path, fields)
	}
	push := func(url string) {
		var m struct{ ID int64 }
		do("POST", project+"/remote_mirrors", map[string]any{"url": url, "enabled": true}).Into(t, &m)
		do("POST", fmt.Sprintf("%s/remote_mirrors/%d/sync", project, m.ID), map[string]any{})
	}
	pull := func(url string) {
		reply := do("PUT", project, map[string]any{"mirror": true, "import_url": url})
		require.Equal(t, 200, reply.Status, string(reply.Body))
	}
	n := 0
	path := func() string { n++; return fmt.Sprint("imported-", n) }
	for name, test := range map[string]struct {
		url string // of a host of its own
		ask func(url string)
	}{
		"push":     {"http://push.example:81/a.git", push},
		"lfs":      {"http://ann:word@lfs.example:81/a.git", push},
		"push-ssh": {"ssh://ann:word@push-ssh.example:81/a.git", push},
		"push-git": {"git://push-git.example:81/a.git", push},
		"pull":     {"http://pull.example:81/a.git", pull},
		"pull-ssh": {"ssh://ann@pull-ssh.example:81/a.git", pull},
		"import": {"http://import.example:81/a.git", func(url string) {
			do("POST", "/projects", map[string]any{"name": path(), "import_url": url})
		}},
		"archive": {"https://archive.example:81/a.tar.gz", func(url string) {
			do("POST", "/projects/remote-import", map[string]any{"path": path(), "url": url})
		}},
		"hook": {"http://hook.example:81/", func(url string) {
			var h struct{ ID int64 }
			do("POST", project+"/hooks", map[string]any{"url": url, "push_events": true}).Into(t, &h)
			do("POST", fmt.Sprintf("%s/hooks/%d/test/push_events", project, h.ID), map[string]any{})
		}},
		"forge": {"http://forge.example:81", func(url string) {
			do("POST", "/import/bitbucket_server", map[string]any{
				"bitbucket_server_url": url, "bitbucket_server_username": "ann", "personal_access_token": "word",
				"bitbucket_server_project": "A", "bitbucket_server_repo": "a", "target_namespace": "rebinder",
				"new_name": path(),
			})
		}},
	} {
		for range 2 {
			test.ask(test.url)
			s.Drain(t)
		}
		names.mu.Lock()
		assert.Greater(t, names.asked[name+".example"], 1, name)
		names.mu.Unlock()
	}
	for _, address := range names.dialled {
		require.Equal(t, "8.8.8.8:81", address)
	}
	require.Len(t, names.dialled, len(names.asked), "one attempt for each name, at its public address")
	var mirrors []struct {
		Error string `json:"last_error"`
	}
	s.Do(t, user.Token, "GET", project+"/remote_mirrors", nil).Into(t, &mirrors)
	refused := 0
	for _, m := range mirrors {
		if strings.Contains(m.Error, "are not allowed: it is in the local network") {
			refused++
		}
	}
	require.Equal(t, 4, refused)
}

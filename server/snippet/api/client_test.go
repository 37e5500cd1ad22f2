package api_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/servertest"
)

// desk is a user with a personal snippet and one in a private project of a group.
type desk struct {
	t    *testing.T
	s    *servertest.Server
	user servertest.Persona
	path string // of the project
	base string // of its routes

	personal, held piece
}

// piece is a snippet.
type piece struct {
	*desk
	ID  int64  `json:"id"`
	URL string `json:"http_url_to_repo"`
	Raw string `json:"raw_url"`
}

func newDesk(t *testing.T, s *servertest.Server, name string) *desk {
	d := &desk{t: t, s: s, user: s.User(t, name)}
	var made servertest.Made
	s.Do(t, d.user.Token, "POST", "/projects", map[string]any{"name": "site"}).Into(t, &made)
	d.base, d.path = fmt.Sprint("/projects/", made.ID), made.Path
	d.personal, d.held = d.create(""), d.create(d.base)
	return d
}

// create makes a private snippet of a file.
func (d *desk) create(base string) piece {
	d.t.Helper()
	reply := d.s.Do(d.t, d.user.Token, "POST", base+"/snippets", map[string]any{
		"title": "Notes", "file_name": "notes.txt", "content": "first\n",
	})
	require.Equal(d.t, 201, reply.Status, string(reply.Body))
	p := piece{desk: d}
	reply.Into(d.t, &p)
	return p
}

func (p piece) do(token, method, path string, body any) servertest.Reply {
	p.t.Helper()
	return p.s.Do(p.t, token, method, fmt.Sprint("/snippets/", p.ID, path), body)
}

// address returns the address of the repository with a token.
func (p piece) address(token string) string {
	return strings.Replace(p.URL, "://", "://any:"+token+"@", 1)
}

func (p piece) clone() gittest.Client {
	p.t.Helper()
	c := gittest.ClientIn(p.t, filepath.Join(p.t.TempDir(), "snippet"))
	gittest.ClientIn(p.t, ".").Git("clone", "-q", p.address(p.user.Token), c.Dir)
	return c
}

// files returns the paths of the files as the API shows them.
func (p piece) files() (paths []string) {
	p.t.Helper()
	var shown struct{ Files []struct{ Path string } }
	p.do(p.user.Token, "GET", "", nil).Into(p.t, &shown)
	for _, f := range shown.Files {
		paths = append(paths, f.Path)
	}
	return paths
}

// get reads an address as a browser does.
func (d *desk) get(address, token string) *http.Response {
	d.t.Helper()
	r, err := http.NewRequestWithContext(d.t.Context(), "GET", address, nil)
	require.NoError(d.t, err)
	if token != "" {
		r.Header.Set("Private-Token", token)
	}
	w, err := http.DefaultClient.Do(r)
	require.NoError(d.t, err)
	d.t.Cleanup(func() { _ = w.Body.Close() })
	return w
}

// atOnce runs a function n times at the same time.
func atOnce(n int, do func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { do(i) })
	}
	all.Wait()
}

package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/servertest"
)

// writePages writes files and commits them.
func writePages(c gittest.Client, files map[string]string) {
	for name, text := range files {
		c.Write(name, text)
	}
	c.Git("add", "-A")
	c.Git("commit", "-qm", "Write pages")
}

// book is a wiki on a server, and a user who may write it.
type book struct {
	t    testing.TB
	s    *servertest.Server
	user servertest.Persona
	base string // of the project or group: /groups/7
	path string // acme/site
}

// newBooks returns the wikis of a group and of a project in it, both private.
func newBooks(t testing.TB, username string) (group, project book) {
	return newBooksAt(t, servertest.Start(t), username)
}

func newBooksAt(t testing.TB, s *servertest.Server, username string) (group, project book) {
	group = book{t: t, s: s, user: s.User(t, username)}
	name := username + "-team"
	var made servertest.Made
	s.Do(t, group.user.Token, "POST", "/groups", map[string]any{"name": name, "path": name}).Into(t, &made)
	group.base, group.path = fmt.Sprint("/groups/", made.ID), name
	project = group
	s.Do(t, group.user.Token, "POST", "/projects", map[string]any{
		"name": "site", "namespace_id": made.ID, "visibility": "private",
	}).Into(t, &made)
	project.base, project.path = fmt.Sprint("/projects/", made.ID), name+"/site"
	return group, project
}

func (b book) do(method, path string, body any) servertest.Reply {
	b.t.Helper()
	return b.s.Do(b.t, b.user.Token, method, b.base+"/wikis"+path, body)
}

// create makes a page.
func (b book) create(title, content string) {
	b.t.Helper()
	reply := b.do("POST", "", map[string]any{"title": title, "content": content})
	require.Equal(b.t, 201, reply.Status, string(reply.Body))
}

// slugs lists the pages.
func (b book) slugs() (slugs []string) {
	b.t.Helper()
	var list []struct{ Slug string }
	b.do("GET", "", nil).Into(b.t, &list)
	for _, p := range list {
		slugs = append(slugs, p.Slug)
	}
	return slugs
}

// page returns the content of a page.
func (b book) page(slug string) string {
	b.t.Helper()
	var p struct{ Content string }
	b.do("GET", "/"+url.PathEscape(slug), nil).Into(b.t, &p)
	return p.Content
}

// address returns the address of the wiki for git, with a token in it; "" for none.
func (b book) address(token string) string {
	_, at, _ := strings.Cut(b.s.Server.URL(), "://")
	if token != "" {
		at = "any:" + token + "@" + at
	}
	return "http://" + at + "/" + b.path + ".wiki.git"
}

// clone clones the wiki.
func (b book) clone() gittest.Client {
	b.t.Helper()
	c := gittest.ClientIn(b.t, filepath.Join(b.t.TempDir(), "wiki"))
	gittest.ClientIn(b.t, ".").Git("clone", "-q", b.address(b.user.Token), c.Dir)
	return c
}

// attach uploads a file.
func (b book) attach(name, branch, content string) servertest.Reply {
	b.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", name)
	require.NoError(b.t, err)
	_, err = io.WriteString(part, content)
	require.NoError(b.t, err)
	require.NoError(b.t, form.WriteField("branch", branch))
	require.NoError(b.t, form.Close())
	r, err := http.NewRequestWithContext(context.Background(), "POST",
		b.s.Server.URL()+"/api/v4"+b.base+"/wikis/attachments", &body)
	require.NoError(b.t, err)
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.Header.Set("Private-Token", b.user.Token)
	w, err := http.DefaultClient.Do(r)
	require.NoError(b.t, err)
	defer w.Body.Close()
	text, err := io.ReadAll(w.Body)
	require.NoError(b.t, err)
	return servertest.Reply{Status: w.StatusCode, Body: text}
}

// atOnce runs a function n times at the same time.
func atOnce(n int, do func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { do(i) })
	}
	all.Wait()
}

// jsonOf returns a value as JSON.
func jsonOf(t testing.TB, v any) string {
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}

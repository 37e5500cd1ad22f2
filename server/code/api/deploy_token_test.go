package api_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/servertest"
)

// deployToken is a deploy token as the answer that creates it shows it.
type deployToken struct {
	ID       int64  `json:"id"`
	Username string `json:"username"`
	Token    string `json:"token"`
}

// deployToken creates a deploy token of the group or project of a path.
func (h host) deployToken(of string, fields map[string]any) (t deployToken) {
	h.t.Helper()
	body := map[string]any{"name": "ci", "scopes": []string{"read_repository"}}
	for name, value := range fields {
		body[name] = value
	}
	h.s.Do(h.t, h.user.Token, "POST", of+"/deploy_tokens", body).Into(h.t, &t)
	return t
}

// at returns the address of a project for git, with the user name and the token in it.
func (d deployToken) at(s *servertest.Server, path string) string {
	return strings.Replace(address(s, path, d.Token), "any:", d.Username+":", 1)
}

// A token reads the project that it belongs to and does nothing else.
func TestDeployTokenOfAProject(t *testing.T) {
	t.Parallel()
	h := newHost(t, "deployproject")
	w := h.begin()
	of, path := fmt.Sprintf("/projects/%d", h.project.ID), h.project.Path
	d := h.deployToken(of, nil)
	require.Equal(t, fmt.Sprint("gitlab+deploy-token-", d.ID), d.Username)

	c := gittest.ClientIn(t, filepath.Join(t.TempDir(), "clone"))
	w.Git("clone", "-q", d.at(h.s, path), c.Dir)
	require.Equal(t, w.Git("rev-parse", "HEAD"), c.Git("rev-parse", "HEAD"))
	w.Commit("a", "1")
	w.Git("push", "-q", "origin", "main")
	c.Git("pull", "-q")
	require.Equal(t, w.Git("rev-parse", "HEAD"), c.Git("rev-parse", "HEAD"))

	c.Commit("b", "2")
	require.Contains(t, c.Refused("push", "origin", "main"),
		"remote: A deploy token cannot push. Use an access token with the scope write_repository.")

	named := h.deployToken(of, map[string]any{"username": "reader"})
	w.Git("ls-remote", named.at(h.s, path))
	for about, wrong := range map[string]deployToken{
		"the username of another": {Username: d.Username, Token: named.Token},
		"another case":            {Username: "Reader", Token: named.Token},
		"no username":             {Token: named.Token},
		"an unknown token":        {Username: named.Username, Token: named.Token + "x"},
	} {
		require.Contains(t, w.Refused("ls-remote", wrong.at(h.s, path)), "Authentication failed", about)
	}
	other := h.deployToken(of, map[string]any{"scopes": []string{"read_registry", "read_package_registry"}})
	require.Contains(t, w.Refused("ls-remote", other.at(h.s, path)),
		"The deploy token does not have the scope read_repository.")
	require.Equal(t, 401, h.s.Do(t, d.Token, "GET", of, nil).Status, "it is no credential of the API")

	// A token works until its last day is over, it is revoked or deleted.
	today, yesterday := time.Now().UTC(), time.Now().UTC().Add(-24*time.Hour)
	w.Git("ls-remote", h.deployToken(of, map[string]any{"expires_at": today.Format(time.DateOnly)}).at(h.s, path))
	for _, at := range []string{yesterday.Format(time.DateOnly), yesterday.Format(time.DateOnly) + "T23:59:59Z"} {
		expired := h.deployToken(of, map[string]any{"expires_at": at})
		refusal := w.Refused("ls-remote", expired.at(h.s, path))
		require.Contains(t, refusal, "remote: Token is expired. Create another deploy token.", at)
		require.Contains(t, refusal, "Authentication failed", at)
	}
	require.NoError(t, h.s.Store.Exec(t.Context(), `update deploy_tokens set revoked = true where id = @id`,
		map[string]any{"id": named.ID}))
	require.Contains(t, w.Refused("ls-remote", named.at(h.s, path)), "Token was revoked. Create another deploy token.")
	h.s.Do(t, h.user.Token, "DELETE", fmt.Sprint(of, "/deploy_tokens/", d.ID), nil)
	require.Contains(t, w.Refused("ls-remote", d.at(h.s, path)), "Authentication failed", "deleted")
}

// A token of a group reads all projects below it, and no others.
func TestDeployTokenOfAGroup(t *testing.T) {
	t.Parallel()
	h := newHost(t, "deploygroup")
	w := h.begin()
	var top, sub, outer servertest.Made
	make := func(what string, fields map[string]any, made *servertest.Made) {
		h.s.Do(t, h.user.Token, "POST", what, fields).Into(t, made)
	}
	make("/groups", map[string]any{"name": "Deploy", "path": "deploygroup-acme"}, &top)
	make("/groups", map[string]any{"name": "Sub", "path": "sub", "parent_id": top.ID}, &sub)
	make("/groups", map[string]any{"name": "Outer", "path": "deploygroup-outer", "visibility": "public"}, &outer)
	projects := map[string]servertest.Made{}
	for name, in := range map[string]int64{"direct": top.ID, "below": sub.ID, "outside": outer.ID} {
		var p servertest.Made
		make("/projects", map[string]any{"name": name, "namespace_id": in}, &p)
		w.Git("push", "-q", address(h.s, p.Path, h.user.Token), "main")
		projects[name] = p
	}
	of := fmt.Sprint("/groups/", top.ID)
	d := h.deployToken(of, nil)
	can := func(name string) { t.Helper(); w.Git("ls-remote", "--exit-code", d.at(h.s, projects[name].Path)) }
	cannot := func(name, says string) {
		t.Helper()
		require.Contains(t, w.Refused("ls-remote", d.at(h.s, projects[name].Path)), says)
	}
	can("direct")
	can("below")
	cannot("outside", "not found")
	require.Contains(t, w.Refused("push", d.at(h.s, projects["outside"].Path), "main:x"), "not found")
	require.Contains(t, w.Refused("push", d.at(h.s, projects["below"].Path), "main:x"), "A deploy token cannot push.")
	require.Contains(t, w.Refused("ls-remote", d.at(h.s, "deploygroup-acme/missing")), "not found")
	narrow := h.deployToken(fmt.Sprint("/groups/", sub.ID), nil)
	w.Git("ls-remote", narrow.at(h.s, projects["below"].Path))
	require.Contains(t, w.Refused("ls-remote", narrow.at(h.s, projects["direct"].Path)), "not found")

	put := func(name string, fields map[string]any) {
		require.Equal(t, 200, h.s.Do(t, h.user.Token, "PUT", fmt.Sprint("/projects/", projects[name].ID), fields).Status)
	}
	// Outside, it is as if nobody asked; inside, it is a member who reads.
	put("outside", map[string]any{"visibility": "public"})
	can("outside")
	put("outside", map[string]any{"visibility": "public", "repository_access_level": "private"})
	cannot("outside", "not allowed to download code from this project")
	put("below", map[string]any{"repository_access_level": "private"})
	can("below")
	put("below", map[string]any{"repository_access_level": "disabled"})
	cannot("below", "not allowed to download code from this project")
	put("below", map[string]any{"repository_access_level": "enabled"})
	h.s.Do(t, h.user.Token, "POST", fmt.Sprint("/projects/", projects["below"].ID, "/archive"), nil)
	can("below")

	// A project that moves out leaves the token behind, and one that moves in is reached.
	move := func(name string, to int64) {
		r := h.s.Do(t, h.user.Token, "PUT", fmt.Sprint("/projects/", projects[name].ID, "/transfer"),
			map[string]any{"namespace": to})
		require.Equal(t, 200, r.Status, string(r.Body))
	}
	move("direct", outer.ID)
	cannot("direct", "not found")
	put("outside", map[string]any{"visibility": "private"})
	move("outside", sub.ID)
	can("outside") // by its former path, too
}

// Large files are downloaded with a token, and not uploaded.
func TestDeployTokenAndLFS(t *testing.T) {
	t.Parallel()
	h := newHost(t, "deploylfs")
	d := h.deployToken(fmt.Sprintf("/projects/%d", h.project.ID), nil)
	send := func(method, base, path, body string) (int, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, base+path, strings.NewReader(body))
		require.NoError(t, err)
		reply, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		defer reply.Body.Close()
		var text bytes.Buffer
		_, err = text.ReadFrom(reply.Body)
		require.NoError(t, err)
		return reply.StatusCode, text.String()
	}
	oid := fmt.Sprintf("%x", sha256.Sum256([]byte("hello")))
	object := "/gitlab-lfs/objects/" + oid
	status, _ := send("PUT", h.address(h.user.Token), object+"/5", "hello")
	require.Equal(t, 200, status)

	at := d.at(h.s, h.project.Path)
	status, text := send("GET", at, object, "")
	require.Equal(t, 200, status)
	require.Equal(t, "hello", text)
	batch := func(operation string) (int, string) {
		return send("POST", at, "/info/lfs/objects/batch",
			fmt.Sprintf(`{"operation":%q,"objects":[{"oid":%q,"size":5}]}`, operation, oid))
	}
	status, text = batch("download")
	require.Equal(t, 200, status, text)
	var answer struct {
		Objects []struct {
			Authenticated bool
			Actions       map[string]any
		}
	}
	require.NoError(t, json.Unmarshal([]byte(text), &answer))
	require.Contains(t, answer.Objects[0].Actions, "download")
	require.False(t, answer.Objects[0].Authenticated, "a client has to send the token again")

	status, text = batch("upload")
	require.Equal(t, 403, status)
	require.Contains(t, text, "Access forbidden. Check your access level.")
	for method, path := range map[string]string{"PUT": object + "/5", "POST": "/info/lfs/locks"} {
		status, text = send(method, at, path, "hello")
		require.Equal(t, 403, status, path)
		require.Contains(t, text, "A deploy token cannot push.")
	}
	status, text = send("GET", at, "/info/lfs/locks", "")
	require.Equal(t, 200, status, text)
	status, _ = send("GET", deployToken{Username: "other", Token: d.Token}.at(h.s, h.project.Path), object, "")
	require.Equal(t, 401, status)
}

// The real client takes user name and token from the address, for large files too.
func TestDeployTokenAndLFSClient(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git-lfs"); err != nil {
		t.Skip("git-lfs is not installed (apt-get install git-lfs)")
	}
	h := newHost(t, "deploylfsclient")
	w := h.begin()
	w.Git("lfs", "install", "--local")
	w.Write("large.bin", "large")
	w.Commit(".gitattributes", "*.bin filter=lfs diff=lfs merge=lfs -text\n")
	w.Git("push", "-q", "origin", "main")

	d := h.deployToken(fmt.Sprintf("/projects/%d", h.project.ID), nil)
	c := gittest.ClientIn(t, filepath.Join(t.TempDir(), "clone"))
	w.Git("clone", "-q", "-c", "filter.lfs.smudge=git-lfs smudge -- %f", "-c", "filter.lfs.required=true",
		"-c", "filter.lfs.process=git-lfs filter-process", d.at(h.s, h.project.Path), c.Dir)
	got, err := os.ReadFile(filepath.Join(c.Dir, "large.bin"))
	require.NoError(t, err)
	require.Equal(t, "large", string(got))
	require.Contains(t, c.Git("lfs", "fsck"), "OK")
	c.Git("lfs", "install", "--local")
	c.Commit("more.bin", "more")
	require.Contains(t, c.Refused("push", "origin", "main"), "A deploy token cannot push.")
}

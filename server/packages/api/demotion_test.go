package api_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/packages"
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

// during uploads a file, and does something once the guard has let the caller in: the server asks
// for the body then. It returns the status.
func (p shop) during(path string, by sign, do func()) int {
	p.Helper()
	client := http.Client{Transport: &http.Transport{ExpectContinueTimeout: time.Minute}}
	defer client.CloseIdleConnections()
	done := false
	body := &onRead{from: strings.NewReader("text"), do: func() {
		done = true
		do()
	}}
	r, err := http.NewRequestWithContext(p.Context(), "PUT", p.s.Server.URL()+"/api/v4"+p.at(path), body)
	require.NoError(p, err)
	by(r)
	r.Header.Set("Expect", "100-continue")
	reply, err := client.Do(r)
	require.NoError(p, err)
	require.NoError(p, reply.Body.Close())
	require.True(p, done, "the guard refused the caller")
	return reply.StatusCode
}

// rule adds a protection rule.
func (p shop) rule(pattern, kind, column, level string) {
	p.Helper()
	p.do(201, p.owner.Token, "POST", p.at("/protection/rules"), map[string]any{
		"package_name_pattern": pattern, "package_type": kind, "minimum_access_level_for_" + column: level,
	})
}

// become changes the level of a member of the project.
func (p shop) become(who servertest.Persona, level int) {
	p.Helper()
	p.do(200, p.owner.Token, "PUT", fmt.Sprintf("/projects/%d/members/%d", p.project.ID, who.ID),
		map[string]any{"access_level": level})
}

// TestDemotion: a protection rule asks for the level that a caller has when the upload ends.
func TestDemotion(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Start(t))
	p.rule("tool", "generic", "push", "maintainer")
	for _, c := range []struct{ level, want int }{{40, 201}, {30, 403}, {20, 403}} {
		p.become(p.maintainer, 40)
		require.Equal(t, c.want, p.during("/generic/tool/1.0/file", basic("x", p.maintainer.Token), func() {
			p.become(p.maintainer, c.level)
		}), "as level %d", c.level)
	}
}

// TestRevocation: who may not call any more when the upload ends publishes nothing.
func TestRevocation(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Start(t))
	admin, blocked := p.s.User(t, "testrevocation-a"), p.s.User(t, "testrevocation-b")
	p.join(blocked, p.project, 30)
	edit := func(who servertest.Persona, fields map[string]any) {
		p.do(200, p.s.RootToken, "PUT", fmt.Sprintf("/users/%d", who.ID), fields)
	}
	edit(admin, map[string]any{"admin": true})
	deploy := p.deployToken(fmt.Sprintf("/projects/%d", p.project.ID), "write_package_registry")
	var token struct {
		ID    int64
		Token string
	}
	p.do(201, p.s.RootToken, "POST", fmt.Sprintf("/users/%d/personal_access_tokens", p.developer.ID),
		map[string]any{"name": "t", "scopes": []string{"api"}}).Into(t, &token)
	job, end := p.job(p.developer, p.project)
	for name, c := range map[string]struct {
		by     sign
		change func()
		want   int
	}{
		"nothing": {basic("x", p.developer.Token), func() {}, 201},
		"an administrator no more": {basic("x", admin.Token), func() { edit(admin, map[string]any{"admin": false}) },
			404},
		"a blocked user": {basic("x", blocked.Token), func() {
			p.do(201, p.s.RootToken, "POST", fmt.Sprintf("/users/%d/block", blocked.ID), nil)
		}, 403},
		"a deploy token": {basic(deploy.Username, deploy.Token), func() {
			path := fmt.Sprintf("/projects/%d/deploy_tokens/%d", p.project.ID, deploy.ID)
			p.do(204, p.owner.Token, "DELETE", path, nil)
		}, 401},
		"a token": {basic("x", token.Token), func() {
			p.do(204, p.s.RootToken, "DELETE", fmt.Sprintf("/personal_access_tokens/%d", token.ID), nil)
		}, 401},
		"a job": {basic("gitlab-ci-token", job), end, 401},
	} {
		require.Equal(t, c.want, p.during("/generic/tool/1.0/file", c.by, c.change), name)
	}
}

// whileLocked sends a request as a user, has it wait for what lock locks, and does something
// meanwhile. It returns the status.
func (p shop) whileLocked(by servertest.Persona, method, path string, body any, lock func(*db.Store), do func()) int {
	p.Helper()
	status := make(chan int, 1)
	require.NoError(p, p.s.Store.Tx(p.Context(), func(st *db.Store) error {
		lock(st)
		go func() { status <- p.s.Do(p, by.Token, method, path, body).Status }()
		servertest.AwaitLock(p, p.s.Store)
		do()
		return nil
	}))
	return <-status
}

// TestDemotionWhileWaiting: what deletes waits for its lock before it asks who calls, and so does
// what makes a rule.
func TestDemotionWhileWaiting(t *testing.T) {
	t.Parallel()
	p := newShop(t, servertest.Fresh(t))
	p.rule("tool", "generic", "delete", "owner")
	boss := p.s.User(t, "boss")
	p.join(boss, p.project, 50)
	p.do(201, p.owner.Token, "PUT", p.at("/generic/tool/1/f"), "x")
	one := p.at(fmt.Sprint("/", p.packages("")[0].ID))
	file := fmt.Sprint(one, "/package_files/", p.files(p.packages("")[0].ID)[0].ID)
	table := func(name string) func(*db.Store) {
		return func(st *db.Store) { require.NoError(t, st.Exec(t.Context(), `select from `+name+` for update`, nil)) }
	}
	for _, c := range []struct{ path, table string }{{file, "package_files"}, {one, "packages"}} {
		p.become(boss, 50)
		demote := func() { p.become(boss, 40) }
		require.Equal(t, 403, p.whileLocked(boss, "DELETE", c.path, nil, table(c.table), demote), c.table)
	}
	rules := func(st *db.Store) {
		_, err := packages.Rules(st, p.project.ID).Count(t.Context())
		require.NoError(t, err)
	}
	another := map[string]any{
		"package_name_pattern": "other", "package_type": "generic", "minimum_access_level_for_push": "owner",
	}
	require.Equal(t, 403, p.whileLocked(p.maintainer, "POST", p.at("/protection/rules"), another, rules,
		func() { p.become(p.maintainer, 30) }))
	p.become(boss, 50)
	p.do(204, boss.Token, "DELETE", file, nil)
	p.do(204, boss.Token, "DELETE", one, nil)
}

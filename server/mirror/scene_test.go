package mirror_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/db"
	"hew/server/git/gittest"
	"hew/server/mirror"
	"hew/server/servertest"
	"hew/server/setting"
)

func TestMain(m *testing.M) { servertest.Main(m) }

// scene is a hewd that may reach the hosts of the test, with a project that a working directory is
// pushed to, and a host that serves the repositories of a directory.
type scene struct {
	t       *testing.T
	s       *servertest.Server
	user    servertest.Persona
	project servertest.Made
	work    gittest.Client
	dir     string // of the other host
	url     string // likewise
	mailed  bool   // there is a mail server, which does not answer
}

func newScene(t *testing.T, username string) *scene {
	return newSceneOn(t, servertest.Fresh(t), username)
}

func newSceneOn(t *testing.T, s *servertest.Server, username string) *scene {
	sc := &scene{t: t, s: s, dir: t.TempDir()}
	sc.user = s.User(t, username)
	sc.url = gittest.Serve(t, sc.dir)
	sc.set("allow_local_requests_from_web_hooks_and_services", true)
	sc.project = sc.create(map[string]any{"name": "site"})
	sc.work = gittest.NewClient(t)
	sc.work.Git("init", "-q", "-b", "main", ".")
	sc.work.Git("remote", "add", "origin", sc.address(sc.project.Path))
	sc.work.Commit("README.md", "# Site\n")
	return sc
}

func (sc *scene) set(key string, value any) {
	sc.t.Helper()
	require.NoError(sc.t, setting.Set(sc.t.Context(), sc.s.Store, key, value))
}

func (sc *scene) create(fields map[string]any) (p servertest.Made) {
	sc.t.Helper()
	reply := sc.s.Do(sc.t, sc.user.Token, "POST", "/projects", fields)
	require.Equal(sc.t, 201, reply.Status, string(reply.Body))
	reply.Into(sc.t, &p)
	return p
}

func (sc *scene) address(path string) string {
	return strings.Replace(sc.s.Server.URL(), "://", "://any:"+sc.user.Token+"@", 1) + "/" + path + ".git"
}

// bare makes an empty repository on the other host, and returns it.
func (sc *scene) bare(name string) gittest.Client {
	sc.t.Helper()
	gittest.ClientIn(sc.t, sc.dir).Git("init", "-q", "--bare", "-b", "main", name)
	return gittest.ClientIn(sc.t, filepath.Join(sc.dir, name))
}

// as returns an address of the other host with credentials.
func (sc *scene) as(user, path string) string {
	return strings.Replace(sc.url, "://", "://"+user+"@", 1) + path
}

func (sc *scene) do(method, path string, fields map[string]any) servertest.Reply {
	sc.t.Helper()
	var body any
	if fields != nil {
		body = fields
	}
	return sc.s.Do(sc.t, sc.user.Token, method, fmt.Sprintf("/projects/%d%s", sc.project.ID, path), body)
}

// state is what routes show of a mirror.
type state struct {
	ID        int64      `json:"id"`
	Status    string     `json:"update_status"`
	Error     *string    `json:"last_error"`
	Started   *time.Time `json:"last_update_started_at"`
	Succeeded *time.Time `json:"last_successful_update_at"`
	HostKeys  []struct {
		Fingerprint string `json:"fingerprint_sha256"`
	} `json:"host_keys"`
}

func (s state) error() string {
	if s.Error == nil {
		return ""
	}
	return *s.Error
}

// mirror creates an enabled push mirror.
func (sc *scene) mirror(url string, fields map[string]any) (m state) {
	sc.t.Helper()
	all := map[string]any{"url": url, "enabled": true}
	for name, value := range fields {
		all[name] = value
	}
	reply := sc.do("POST", "/remote_mirrors", all)
	require.Equal(sc.t, 201, reply.Status, string(reply.Body))
	reply.Into(sc.t, &m)
	return m
}

// show returns a push mirror once the jobs are done.
func (sc *scene) show(m state) (now state) {
	sc.t.Helper()
	sc.drain()
	sc.do("GET", fmt.Sprintf("/remote_mirrors/%d", m.ID), nil).Into(sc.t, &now)
	return now
}

// sync pushes to a mirror at once, and returns it.
func (sc *scene) sync(m state) state {
	sc.t.Helper()
	require.Equal(sc.t, 204, sc.do("POST", fmt.Sprintf("/remote_mirrors/%d/sync", m.ID), nil).Status)
	return sc.show(m)
}

// sweep starts what is due after some time, and waits for it.
func (sc *scene) sweep(later time.Duration) {
	sc.t.Helper()
	require.NoError(sc.t, mirror.Sweep(sc.t.Context(), sc.s.Store, time.Now().Add(later)))
	sc.drain()
}

// drain waits for the jobs. Those that send mail fail.
func (sc *scene) drain() {
	sc.t.Helper()
	if !sc.mailed {
		sc.s.Drain(sc.t)
		return
	}
	ctx, cancel := context.WithTimeout(sc.t.Context(), 30*time.Second)
	defer cancel()
	if err := sc.s.Jobs.Drain(ctx); err != nil {
		require.ErrorContains(sc.t, err, "send_mail")
	}
}

// push pushes what the working directory has.
func (sc *scene) push(args ...string) {
	sc.t.Helper()
	sc.work.Git(append([]string{"push", "-q", "origin"}, args...)...)
}

const refFormat = "--format=%(objectname) %(refname)"

func refsOf(c gittest.Client) string {
	return c.Git("for-each-ref", refFormat, "refs/heads", "refs/tags")
}

// column returns a column of a mirror as text.
func (sc *scene) column(table, name string, id int64) string {
	sc.t.Helper()
	text, err := db.Value[string](sc.t.Context(), sc.s.Store,
		`select coalesce(`+name+`::text, '') from `+table+` where id = @id`, pgx.NamedArgs{"id": id})
	require.NoError(sc.t, err)
	return text
}

func withMail(t *testing.T) *servertest.Server {
	return servertest.FreshWith(t, server.Config{Mail: "smtp://127.0.0.1:9?from=hewd@example.com"})
}

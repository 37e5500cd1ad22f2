package code_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/code"
	"hew/server/db"
	"hew/server/git/exec"
	"hew/server/git/gittest"
	"hew/server/git/object"
	"hew/server/git/pkt"
	"hew/server/policy"
	"hew/server/protect"
	"hew/server/servertest"
	"hew/server/tree"
)

func TestMain(m *testing.M) { servertest.Main(m) }

// scene is a project in a database of its own, with a user who owns it.
type scene struct {
	servertest.World
	t       testing.TB
	by      code.Author
	project tree.Project
}

func newScene(t testing.TB) scene {
	t.Helper()
	w := servertest.NewWorld(t)
	git, err := exec.Find("")
	require.NoError(t, err)
	storage := code.NewStorage(t.TempDir(), git)
	code.Attach(w.Store, storage)
	t.Cleanup(func() { require.NoError(t, storage.Close()) })
	u := w.User("alice")
	by := code.Author{Pusher: protect.Pusher{Who: policy.Who{ID: u.ID, Level: policy.Owner}}, User: u, Web: true}
	return scene{w, t, by, w.Project("site", u.NamespaceID, u.ID)}
}

// commit writes a file on a branch. With start, it creates the branch there.
func (s scene) commit(branch, start, path, text string) code.Commit {
	s.t.Helper()
	c, err := code.CreateCommit(s.t.Context(), s.Store, code.NewCommit{
		Project: s.project, By: s.by, Branch: branch, StartBranch: start, Message: "Write " + path,
		Actions: []code.Action{{Do: "create", Path: path, Content: &text}},
	})
	require.NoError(s.t, err)
	return c
}

// push pushes refs of a repository as a git client, and returns the report.
func (s scene) push(from gittest.Repo, refs ...string) string {
	s.t.Helper()
	report, err := s.tryPush(s.Store, from, refs...)
	require.NoError(s.t, err)
	return report
}

// tryPush is push with another store, which returns the error of the server.
func (s scene) tryPush(st *db.Store, from gittest.Repo, refs ...string) (string, error) {
	s.t.Helper()
	var in, out bytes.Buffer
	w := pkt.NewWriter(&in)
	for i, ref := range refs {
		line := fmt.Sprintf("%s %s %s", object.ID{}, from.Lines("rev-parse", ref)[0], ref)
		if i == 0 {
			line += "\x00report-status"
		}
		require.NoError(s.t, w.Line(line))
	}
	require.NoError(s.t, w.Flush())
	in.WriteString(from.Git(strings.Join(refs, "\n"), "pack-objects", "--revs", "--stdout", "-q"))
	err := code.Receive(s.t.Context(), st, code.SourceOf(s.project), s.by, 0, &in, &out)
	return out.String(), err
}

func (s scene) open() *code.Git {
	s.t.Helper()
	g, err := code.Open(s.t.Context(), s.Store, s.project)
	require.NoError(s.t, err)
	return g
}

// anyTime is a condition that every time of a change meets.
func anyTime(context.Context, time.Time) error { return nil }

package pkt_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/object"
	"hew/server/git/pkt"
)

// git runs the real git and returns what it prints, its messages last. The environment is env and
// nothing of ours.
func git(t *testing.T, dir, stdin string, env []string, args ...string) (string, error) {
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=C",
		"GIT_COMMITTER_EMAIL=c@example.com"}, env...)
	cmd.Stdin = strings.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	return string(out) + stderr.String(), err
}

// newRepo makes a repository with two branches, a plain and an annotated tag.
func newRepo(t *testing.T) (dir string, run func(args ...string) string) {
	dir = t.TempDir()
	run = func(args ...string) string {
		t.Helper()
		out, err := git(t, dir, "", nil, args...)
		require.NoError(t, err, out)
		return strings.TrimSpace(out)
	}
	run("init", "-q", "--template=", "-b", "main")
	run("commit", "-q", "--allow-empty", "-m", "one")
	run("branch", "topic")
	run("tag", "plain")
	run("tag", "-a", "-m", "annotated", "v1")
	return dir, run
}

// refs returns the refs of a repository as hewd would have them from its rows.
func refs(t *testing.T, run func(args ...string) string) []pkt.Ref {
	id := func(digits string) object.ID {
		if digits == "" {
			return object.ID{}
		}
		id, err := object.ParseID(digits)
		require.NoError(t, err)
		return id
	}
	all := []pkt.Ref{{Name: "HEAD", ID: id(run("rev-parse", "HEAD")), Target: "refs/heads/main"}}
	for line := range strings.Lines(run("for-each-ref", "--format=%(refname) %(objectname) %(*objectname)")) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), " ")
		all = append(all, pkt.Ref{Name: fields[0], ID: id(fields[1]), Peeled: id(fields[2])})
	}
	return all
}

func TestAdvertisementIsGits(t *testing.T) {
	t.Parallel()
	dir, run := newRepo(t)
	out, err := git(t, dir, "", nil, "upload-pack", "--http-backend-info-refs", ".")
	require.NoError(t, err)
	_, words, _ := strings.Cut(out, "\x00")
	words, _, _ = strings.Cut(words, "\n")
	var got bytes.Buffer
	require.NoError(t, pkt.WriteAdvertisement(&got, "git-upload-pack", pkt.ParseCapabilities(words), refs(t, run)))
	require.Equal(t, "001e# service=git-upload-pack\n0000"+out, got.String())

	empty := t.TempDir()
	_, err = git(t, empty, "", nil, "init", "-q", "--bare", "--template=")
	require.NoError(t, err)
	out, err = git(t, empty, "", nil, "receive-pack", "--http-backend-info-refs", ".")
	require.NoError(t, err)
	_, words, _ = strings.Cut(out, "\x00")
	words, _, _ = strings.Cut(words, "\n")
	got.Reset()
	require.NoError(t, pkt.WriteAdvertisement(&got, "git-receive-pack", pkt.ParseCapabilities(words), nil))
	require.Equal(t, "001f# service=git-receive-pack\n0000"+out, got.String())
}

func TestVersion2IsGits(t *testing.T) {
	t.Parallel()
	dir, run := newRepo(t)
	v2 := []string{"GIT_PROTOCOL=version=2"}
	out, err := git(t, dir, "", v2, "upload-pack", "--http-backend-info-refs", ".")
	require.NoError(t, err)
	r := pkt.NewReader(strings.NewReader(out), pkt.Limits{})
	var words pkt.Capabilities
	for kind, line, err := r.Line(); kind == pkt.Data; kind, line, err = r.Line() {
		require.NoError(t, err)
		words = append(words, line)
	}
	require.Equal(t, "version 2", words[0])
	var got bytes.Buffer
	require.NoError(t, pkt.WriteCapabilities(&got, "git-upload-pack", words[1:]))
	require.Equal(t, "001e# service=git-upload-pack\n0000"+out, got.String())

	for _, arguments := range [][]string{{"symrefs", "peel"}, {"peel"}, {"symrefs"}, nil} {
		request := "0014command=ls-refs\n"
		if arguments != nil {
			request += "0001"
		}
		for _, argument := range arguments {
			request += fmt.Sprintf("%04x%s\n", len(argument)+5, argument)
		}
		want, err := git(t, dir, request+"0000", v2, "upload-pack", "--stateless-rpc", ".")
		require.NoError(t, err)
		var answer []byte
		for _, ref := range refs(t, run) {
			answer = pkt.AppendRef(answer, ref, arguments)
		}
		require.Equal(t, want, string(answer)+"0000")
	}
	unborn := pkt.AppendRef(nil, pkt.Ref{Name: "HEAD", Target: "refs/heads/main"}, pkt.Capabilities{"symrefs"})
	require.Equal(t, "002eunborn HEAD symref-target:refs/heads/main\n", string(unborn))
}

// listen returns an option for git that has a file record what the client says to a service.
func listen(service, file string) string {
	return "--" + service + "=tee '" + file + "' | git-" + service
}

func TestReadPushOfGit(t *testing.T) {
	t.Parallel()
	_, run := newRepo(t)
	server := t.TempDir()
	for _, args := range [][]string{
		{"init", "-q", "--bare", "--template="}, {"config", "receive.advertisePushOptions", "true"},
	} {
		_, err := git(t, server, "", nil, args...)
		require.NoError(t, err)
	}
	said := filepath.Join(t.TempDir(), "said")
	push := func(args ...string) (pkt.Push, string) {
		t.Helper()
		run(append([]string{"push", "-q", listen("receive-pack", said), server}, args...)...)
		recorded, err := os.ReadFile(said)
		require.NoError(t, err)
		r := pkt.NewReader(bytes.NewReader(recorded), pkt.Limits{})
		p, err := pkt.ReadPush(r)
		require.NoError(t, err)
		rest, err := io.ReadAll(r.Rest())
		require.NoError(t, err)
		return p, string(rest)
	}
	tip, err := object.ParseID(run("rev-parse", "main"))
	require.NoError(t, err)

	p, rest := push("-o", "ci.skip", "-o", "ä b", "main", "topic:other")
	require.Equal(t, []pkt.Command{{New: tip, Ref: "refs/heads/main"}, {New: tip, Ref: "refs/heads/other"}}, p.Commands)
	require.Equal(t, []string{"ci.skip", "ä b"}, p.Options)
	require.True(t, p.Capabilities.Has("side-band-64k"))
	require.Equal(t, "sha1", p.Capabilities.Value("object-format"))
	require.False(t, p.Capabilities.Has("atomic"))
	require.True(t, strings.HasPrefix(rest, "PACK"))
	require.True(t, p.NeedsPack())

	p, rest = push("--atomic", ":other")
	require.Equal(t, []pkt.Command{{Old: tip, Ref: "refs/heads/other"}}, p.Commands)
	require.True(t, p.Capabilities.Has("atomic"))
	require.False(t, p.NeedsPack())
	require.Empty(t, rest)
}

func TestReadRequestOfGit(t *testing.T) {
	t.Parallel()
	dir, run := newRepo(t)
	said := filepath.Join(t.TempDir(), "said")
	_, err := git(t, t.TempDir(), "", nil, "-c", "protocol.version=2", "clone", "-q", listen("upload-pack", said),
		"--no-local", dir, ".")
	require.NoError(t, err)
	recorded, err := os.ReadFile(said)
	require.NoError(t, err)
	r := pkt.NewReader(bytes.NewReader(recorded), pkt.Limits{})
	request, err := pkt.ReadRequest(r)
	require.NoError(t, err)
	require.Equal(t, "ls-refs", request.Command)
	require.Contains(t, request.Arguments, "ref-prefix refs/heads/")
	require.Equal(t, "sha1", request.Capabilities.Value("object-format"))
	request, err = pkt.ReadRequest(r)
	require.NoError(t, err)
	require.Equal(t, "fetch", request.Command)
	require.Contains(t, request.Arguments, "want "+run("rev-parse", "main"))
	require.Contains(t, request.Arguments, "done")
	_, err = pkt.ReadRequest(r)
	require.ErrorIs(t, err, io.EOF)
}

// TestGitReadsTheReport has git push to an answer that was written before.
func TestGitReadsTheReport(t *testing.T) {
	t.Parallel()
	dir, _ := newRepo(t)
	var out bytes.Buffer
	require.NoError(t, pkt.WriteAdvertisement(&out, "git-receive-pack",
		pkt.Capabilities{"report-status", "side-band-64k", "ofs-delta"}, nil))
	advertisement := strings.TrimPrefix(out.String(), "001f# service=git-receive-pack\n0000")
	out.Reset()
	band := pkt.NewSideBand(pkt.NewWriter(&out))
	require.NoError(t, band.Message("Nothing lands here.\nAsk an owner."))
	_, err := band.ProgressWriter().Write([]byte("Checking: 1\rChecking: 2, done.\n"))
	require.NoError(t, err)
	require.NoError(t, pkt.WriteReport(band, "ok", []pkt.Result{
		{Ref: "refs/heads/main", Reason: "protected\nbranch"}, {Ref: "refs/heads/topic"},
	}))
	require.NoError(t, band.Flush())
	answer := filepath.Join(t.TempDir(), "answer")
	require.NoError(t, os.WriteFile(answer, []byte(advertisement+out.String()), 0o600))

	said, err := git(t, dir, "", nil, "push", "--receive-pack=cat '"+answer+"'; cat >/dev/null #", dir, "main", "topic")
	require.Error(t, err)
	require.Contains(t, said, "remote: Nothing lands here.")
	require.Contains(t, said, "remote: Ask an owner.")
	require.Contains(t, said, "remote: Checking: 2, done.")
	require.Contains(t, said, "! [remote rejected] main -> main (protected branch)")
	require.Contains(t, said, "* [new branch]      topic -> topic")
}

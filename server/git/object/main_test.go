package object_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/object"
)

// A repo is a repository of the real git, which the tests hold the package to.
type repo struct {
	t         *testing.T
	dir       string
	variables []string
}

func newRepo(t *testing.T) repo {
	r := repo{t: t, dir: t.TempDir()}
	r.git("", "init", "-q", "--bare", "--template=", ".")
	return r
}

// env returns the repository with more variables for its commands.
func (r repo) env(variables ...string) repo {
	r.variables = variables
	return r
}

// git runs a command and returns what it prints.
func (r repo) git(stdin string, args ...string) string {
	r.t.Helper()
	out, err := r.try(stdin, args...)
	require.NoError(r.t, err)
	return out
}

func (r repo) try(stdin string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = r.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C.UTF-8",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=1700000000 +0000",
		"GIT_COMMITTER_NAME=C", "GIT_COMMITTER_EMAIL=c@example.com", "GIT_COMMITTER_DATE=1700000000 +0000"}
	cmd.Env = append(cmd.Env, r.variables...)
	cmd.Stdin = strings.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("git %v: %w: %s", args, err, &stderr)
	}
	return string(out), err
}

// write stores an object without judging it, and returns its id.
func (r repo) write(kind object.Kind, data string) string {
	r.t.Helper()
	return strings.TrimSpace(r.git(data, "hash-object", "-w", "--literally", "-t", kind.String(), "--stdin"))
}

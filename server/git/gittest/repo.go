// Package gittest makes repositories with the real git, which the tests of git's mechanisms are
// held to.
package gittest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/object"
)

// Repo is a bare repository in a directory of the test.
type Repo struct {
	Dir string
	t   testing.TB
	env []string
}

// New makes an empty repository.
func New(t testing.TB) Repo {
	r := Repo{t: t, Dir: t.TempDir()}
	r.Git("", "init", "-q", "--bare", "--template=", "-b", "main", ".")
	return r
}

// Env returns the repository with further variables for its commands.
func (r Repo) Env(variables ...string) Repo {
	r.env = variables
	return r
}

// Git runs a command and returns what it prints. The test fails if the command does.
func (r Repo) Git(stdin string, args ...string) string {
	r.t.Helper()
	out, err := r.Try(stdin, args...)
	require.NoError(r.t, err)
	return out
}

// Try runs a command and returns what it prints. The error holds its messages.
func (r Repo) Try(stdin string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = r.Dir
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C.UTF-8",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=1700000000 +0000",
		"GIT_COMMITTER_NAME=C", "GIT_COMMITTER_EMAIL=c@example.com", "GIT_COMMITTER_DATE=1700000000 +0000",
	}, r.env...)
	cmd.Stdin = strings.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("git %.200v: %w: %s", args, err, &stderr)
	}
	return string(out), err
}

// Lines runs a command and returns the lines that it prints.
func (r Repo) Lines(args ...string) []string {
	r.t.Helper()
	return strings.FieldsFunc(r.Git("", args...), func(c rune) bool { return c == '\n' })
}

// Write stores an object without judging it.
func (r Repo) Write(kind object.Kind, data string) object.ID {
	r.t.Helper()
	return r.ID(r.Git(data, "hash-object", "-w", "--literally", "-t", kind.String(), "--stdin"))
}

// ID parses an id that git printed.
func (r Repo) ID(digits string) object.ID {
	r.t.Helper()
	id, err := object.ParseID(strings.TrimSpace(digits))
	require.NoError(r.t, err)
	return id
}

// Store is objects in memory.
type Store map[object.ID]object.Object

// Object implements object.Source.
func (s Store) Object(_ context.Context, id object.ID) (object.Object, error) {
	o, ok := s[id]
	if !ok {
		return o, fmt.Errorf("object %s: %w", id, object.ErrNotFound)
	}
	return o, nil
}

// Add stores an object and returns its id.
func (s Store) Add(kind object.Kind, data []byte) object.ID {
	id := object.Hash(kind, data)
	s[id] = object.Object{Kind: kind, Data: data}
	return id
}

// Objects reads all objects of the repository.
func (r Repo) Objects() Store {
	r.t.Helper()
	in := bufio.NewReader(strings.NewReader(r.Git("", "cat-file", "--batch", "--batch-all-objects", "--unordered")))
	store := Store{}
	for {
		var digits, name string
		var size int
		if _, err := fmt.Fscanf(in, "%s %s %d\n", &digits, &name, &size); errors.Is(err, io.EOF) {
			return store
		} else {
			require.NoError(r.t, err)
		}
		data := make([]byte, size+1)
		_, err := io.ReadFull(in, data)
		require.NoError(r.t, err)
		kind, err := object.ParseKind(name)
		require.NoError(r.t, err)
		store[r.ID(digits)] = object.Object{Kind: kind, Data: data[:size]}
	}
}

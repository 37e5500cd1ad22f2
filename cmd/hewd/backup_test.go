package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/filelock"
)

// TestBackupCommands writes a backup of a private Postgres and makes another one of it.
func TestBackupCommands(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "hewd-backup-") // Postgres may run as somebody else
	require.NoError(t, err)
	require.NoError(t, os.Chmod(dir, 0o711))
	t.Cleanup(func() { os.RemoveAll(dir) })
	in := func(name string) map[string]string {
		return map[string]string{"HEWD_DATA_DIR": filepath.Join(dir, name)}
	}
	file := filepath.Join(dir, "hew.tar")
	_, err = run(in("first"), "migrate", "--dev")
	require.NoError(t, err)

	// what a killed backup has left goes; one that runs, and one of another name, stay
	killed, other := file+".partial-1", filepath.Join(dir, "hew.tar.old.partial-1")
	require.NoError(t, os.WriteFile(killed, nil, 0o600))
	require.NoError(t, os.WriteFile(other, nil, 0o600))
	running, err := os.Create(file + ".partial-2")
	require.NoError(t, err)
	defer running.Close()
	require.NoError(t, filelock.TryLock(running))

	out, err := run(in("first"), "backup", "--dev", file)
	require.NoError(t, err)
	require.Regexp(t, `^Wrote \d+ tables with \d+ rows, .* to .*/hew.tar.\n`+
		`Its secrets can be read only with the sealing key of this hewd: keep a copy of the key elsewhere.\n$`, out)
	_, err = run(in("first"), "backup", "--dev", file)
	require.ErrorContains(t, err, "hew.tar exists; give a new file, or remove it")
	_, err = run(in("none"), "backup", filepath.Join(dir, "none.tar"))
	require.ErrorContains(t, err, "there is no database in "+filepath.Join(dir, "none"))
	_, err = os.Stat(filepath.Join(dir, "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = run(in("first"), "backup", "--dev")
	require.ErrorContains(t, err, "hewd backup needs one FILE, and got 0 arguments; see hewd backup --help")

	out, err = run(in("second"), "restore", "--dev", file)
	require.NoError(t, err)
	require.Regexp(t, `^Restored \d+ tables with \d+ rows, .*, of .* UTC.\n$`, out)
	_, err = run(in("second"), "restore", "--dev", file)
	require.ErrorContains(t, err, "the database is not empty; give one without tables")
	_, err = run(in("first"), "restore", "--dev", file)
	require.ErrorContains(t, err, "the database is not empty; give one without tables")

	left, err := filepath.Glob(filepath.Join(dir, "*partial*"))
	require.NoError(t, err)
	require.Equal(t, []string{other, running.Name()}, left)
	_, err = os.Stat(filepath.Join(dir, "second", "secret_key"))
	require.ErrorIs(t, err, os.ErrNotExist, "a restore makes no key: it would not be the right one")
}

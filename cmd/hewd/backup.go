package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hew/server"
	"hew/server/backup"
	"hew/server/filelock"
)

func backupCommand(getenv func(string) string) *cobra.Command {
	var c server.Config
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Write the whole database to a file",
		Long: `Write the whole database to a file: everything that hewd serves, with all
repositories. FILE must not exist; - is standard output.

It may run while hewd serves the database. What is written is the state when it
began. Progress goes to standard error.

Not in the file are the key that secrets are sealed under (secret_key in the data
directory, or HEWD_SECRET_KEY) and content that is stored on an S3 server: keep
copies of both.

Exits 0 if the backup is complete; 1 if it failed, and then there is no FILE.`,
		Example: "  hewd backup /backups/hew-$(date +%F).tar",
		Args:    requireFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			c.Build, c.Log = currentBuild(), noticesTo(cmd.ErrOrStderr())
			return writeBackup(cmd.Context(), c, args[0], cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	settings{cmd, getenv}.database(&c)
	return cmd
}

func restoreCommand(getenv func(string) string) *cobra.Command {
	var c server.Config
	cmd := &cobra.Command{
		Use:   "restore FILE",
		Short: "Restore a backup into an empty database",
		Long: `Restore a file that "hewd backup" wrote into an empty database; - reads standard
input.

Without --database-url it is a new private Postgres in the data directory. Give
the key of the hewd that wrote the backup: copy secret_key into the data
directory, or set HEWD_SECRET_KEY. A backup of an older hewd is brought up to
date.

Exits 0 if everything was restored; 1 if the database is not empty, if the backup
is damaged, or if something failed. If it failed while it read the backup, the
database has tables without rows: drop it before the next try. If only bringing
the schema up to date failed, run "hewd migrate".`,
		Example: "  hewd restore --data-dir=/var/lib/hewd /backups/hew-2026-01-31.tar",
		Args:    requireFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			c.Log = noticesTo(cmd.ErrOrStderr())
			return restoreBackup(cmd.Context(), c, args[0], cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	settings{cmd, getenv}.database(&c)
	return cmd
}

func requireFile(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("hewd %s needs one FILE, and got %d arguments; see hewd %[1]s --help", cmd.Name(), len(args))
	}
	return nil
}

// noticesTo returns a logger for what an operator has to know, such as where the data is instead.
func noticesTo(w io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// writeBackup writes to a file beside the one that was asked for, which appears when it is whole.
func writeBackup(ctx context.Context, c server.Config, name string, out, progress io.Writer) (err error) {
	if name == "-" {
		_, err := server.Backup(ctx, c, out, reportBytes(progress, "Written"))
		return err
	}
	if _, err := os.Lstat(name); err == nil {
		return fmt.Errorf("%s exists; give a new file, or remove it", name)
	}
	f, err := createPartial(name)
	if err != nil {
		return err
	}
	made, err := server.Backup(ctx, c, f, reportBytes(progress, "Written"))
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	fmt.Fprintf(out, "Wrote %s to %s.\n", describe(made), name)
	if made.KeyDigest != "" {
		fmt.Fprintln(out, "Its secrets can be read only with the sealing key of this hewd: keep a copy of the key elsewhere.")
	}
	return nil
}

// partial is between the name of a backup and the random end of the name that it has until it is
// whole.
const partial = ".partial-"

// createPartial creates the file that a backup is written to. It removes those that backups to the
// same name have left that were killed; one that is written now is locked.
func createPartial(name string) (*os.File, error) {
	dir, prefix := filepath.Dir(name), filepath.Base(name)+partial
	entries, _ := os.ReadDir(dir) // a directory that can only be written to is good enough
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix) && e.Type().IsRegular() {
			removeUnlocked(filepath.Join(dir, e.Name()))
		}
	}
	f, err := os.CreateTemp(dir, prefix+"*")
	if err == nil {
		err = filelock.TryLock(f)
	}
	return f, err
}

// removeUnlocked removes a file unless a process has locked it. One that cannot be removed is in
// nobody's way.
func removeUnlocked(name string) {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if filelock.TryLock(f) == nil {
		_ = os.Remove(name)
	}
}

func restoreBackup(
	ctx context.Context, c server.Config, name string, in io.Reader, out, progress io.Writer,
) error {
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	made, err := server.Restore(ctx, c, in, reportBytes(progress, "Restored"))
	if err != nil {
		return fmt.Errorf("restore %s: %w", name, err)
	}
	fmt.Fprintf(out, "Restored %s, of %s.\n", describe(made), made.CreatedAt.Format(time.RFC1123))
	return nil
}

func describe(s backup.Summary) string {
	return fmt.Sprintf("%d tables with %d rows, %s", s.Tables, s.Rows, inBytes(s.Bytes))
}

// reportBytes returns a progress that writes every second how much is done.
func reportBytes(w io.Writer, done string) backup.Progress {
	var said time.Time
	return func(bytes int64) {
		if said.IsZero() {
			said = time.Now()
		}
		if time.Since(said) > time.Second {
			fmt.Fprintf(w, "%s %s.\n", done, inBytes(bytes))
			said = time.Now()
		}
	}
}

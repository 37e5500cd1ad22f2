package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"hew/server"
	"hew/server/blob"
)

// blobCommand holds the commands about large content.
func blobCommand(getenv func(string) string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "blob",
		Short: "Check and move large content",
		Long: `Check and move large content: packages, artifacts, LFS objects, exports.

The commands use the database and the S3 server of the settings. They may run
while hewd serves them.

Exits 0 if the command succeeded; 1 if it failed, with the reason on standard
error.`,
		DisableFlagsInUseLine: true,
		Args:                  unknownCommand,
		RunE:                  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(checkBlobsCommand(getenv), moveBlobsCommand(getenv))
	return cmd
}

func checkBlobsCommand(getenv func(string) string) *cobra.Command {
	var c server.Config
	var verify bool
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Name large content that is missing, damaged or orphaned",
		Long: `Name large content that is missing, damaged or orphaned.

Prints a line for each problem, and a summary. Missing content has a row in the
database and is not where the row says, or has another size. Damaged content has
another hash than the row; only --verify, which reads everything, finds all of
it. Orphaned content has no row: it only takes space.

Exits 0 if nothing is missing or damaged; 1 if something is, or if the check
could not be finished.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			depth := blob.Sizes
			if verify {
				depth = blob.Hashes
			}
			return checkBlobs(cmd.Context(), c, depth, cmd.OutOrStdout())
		},
	}
	s := settings{cmd, getenv}
	s.database(&c)
	s.blobs(&c.Blobs)
	cmd.Flags().BoolVar(&verify, "verify", false, "read all content and compare its hash")
	return cmd
}

func checkBlobs(ctx context.Context, c server.Config, depth blob.Depth, out io.Writer) error {
	if err := c.Blobs.Check(); err != nil {
		return err
	}
	h, done, err := server.OpenBlobs(ctx, c)
	if err != nil {
		return err
	}
	checked, err := blob.Check(ctx, h, depth, func(f blob.Finding) { fmt.Fprintln(out, f) })
	if err = errors.Join(err, done()); err != nil {
		return err
	}
	missing, damaged := checked.Problems[blob.Missing], checked.Problems[blob.Damaged]
	fmt.Fprintf(out, "Checked %d blobs, %s: %d missing, %d damaged, %d orphaned.\n", checked.Blobs,
		inBytes(checked.Bytes), missing, damaged, checked.Problems[blob.Orphaned])
	if missing+damaged > 0 {
		return errors.New("content of blobs is missing or damaged; restore it from a backup")
	}
	return nil
}

func moveBlobsCommand(getenv func(string) string) *cobra.Command {
	var c server.Config
	var to string
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Move large content to Postgres or to S3",
		Long: `Move large content to Postgres or to S3.

All content stays available meanwhile. Before, restart each hewd with
HEWD_BLOB_URL, and with HEWD_BLOB_BACKEND set to where the content is going, so
that new content is stored there. Progress goes to standard error. The command
can be interrupted and started again; it goes on where it was.

Exits 0 if all content is there; 1 if the move was interrupted or failed, or if
some content could not be read and stays where it is.`,
		Example: `  hewd blob migrate --to=s3 --blob-url='s3://hew?endpoint=https://minio.example.com'`,
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return moveBlobs(cmd.Context(), c, to, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	s := settings{cmd, getenv}
	s.database(&c)
	s.blobs(&c.Blobs)
	cmd.Flags().StringVar(&to, "to", "", "move the content to `BACKEND`: postgres or s3")
	return cmd
}

func moveBlobs(ctx context.Context, c server.Config, to string, out, progress io.Writer) error {
	if to != "postgres" && to != "s3" {
		return fmt.Errorf("invalid backend %q: set --to to postgres or s3", to)
	}
	if err := c.Blobs.Check(); err != nil {
		return err
	}
	h, done, err := server.OpenBlobs(ctx, c)
	if err != nil {
		return err
	}
	var said time.Time
	moved, err := blob.Move(ctx, h, to, func(m blob.Moved, err error) {
		if err != nil {
			fmt.Fprintln(progress, err)
		}
		if time.Since(said) > time.Second {
			fmt.Fprintln(progress, movedText(m))
			said = time.Now()
		}
	})
	if closed := done(); err == nil {
		err = closed
	}
	fmt.Fprintln(out, movedText(moved))
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New("interrupted; run the command again to move the rest")
	case err == nil && moved.Failed > 0:
		err = fmt.Errorf("%d blobs could not be read and stay where they are; run hewd blob check", moved.Failed)
	}
	return err
}

func movedText(m blob.Moved) string {
	return fmt.Sprintf("Moved %d of %d blobs, %s of %s.", m.Blobs, m.AllBlobs, inBytes(m.Bytes), inBytes(m.AllBytes))
}

// inBytes returns a size with its unit.
func inBytes(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d bytes", n)
	}
	size, units := float64(n)/1000, "kMGTPE"
	for size >= 999.95 {
		size, units = size/1000, units[1:]
	}
	return fmt.Sprintf("%.1f %cB", size, units[0])
}

package code

import (
	"context"
	"io"
	"strings"
	"time"

	"hew/server/fault"
	"hew/server/git/exec"
	"hew/server/git/object"
	gittree "hew/server/git/tree"
)

// archiveTimeout limits an archive: the client may be slow.
const archiveTimeout = time.Hour

// ArchiveFormats maps the formats of archives to git's names for them; bz2 is not one of git's.
var ArchiveFormats = map[string]string{
	"tar.gz": "tar.gz", "tgz": "tar.gz", "tar": "tar", "zip": "zip",
	"tar.bz2": "tar", "tbz": "tar", "tbz2": "tar", "tb2": "tar", "bz2": "tar",
}

// Archive says what an archive has.
type Archive struct {
	Commit  Commit
	Format  string // git's name for it
	Prefix  string // the directory that all names begin with
	Path    string // the directory or file that it has; "" for all
	Exclude []string
}

// Archive writes an archive to w.
func (g *Git) Archive(ctx context.Context, w io.Writer, a Archive) error {
	args := []string{
		"archive", "--format=" + a.Format, "--prefix=" + a.Prefix + "/", a.Commit.ID.String(), "--",
		":(top,literal)" + a.Path,
	}
	for _, path := range a.Exclude {
		if path = strings.Trim(path, "/"); object.CheckPath(path) == nil {
			args = append(args, ":(top,exclude,literal)"+path)
		}
	}
	return g.run(ctx, exec.Command{Args: args, Heavy: true, Timeout: archiveTimeout}, func(r io.Reader) error {
		_, err := io.Copy(w, r)
		return err
	})
}

// CheckPath returns a not-found fault unless a commit has a file or directory at the path. The
// empty path is its root.
func (g *Git) CheckPath(ctx context.Context, c Commit, path string) error {
	if path != "" && object.CheckPath(path) != nil {
		return fault.NotFound("File")
	}
	if _, err := gittree.Lookup(ctx, g, c.Tree, path); err != nil {
		return asNotFound(err, "File")
	}
	return nil
}

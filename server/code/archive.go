package code

import (
	"context"
	"io"
	"time"

	"hew/server/fault"
	"hew/server/git/exec"
	"hew/server/git/object"
)

// archiveTimeout limits an archive: the client may be slow.
const archiveTimeout = time.Hour

// ArchiveFormats maps the formats of archives to git's names for them; bz2 is not one of git's.
var ArchiveFormats = map[string]string{
	"tar.gz": "tar.gz", "tgz": "tar.gz", "tar": "tar", "zip": "zip",
	"tar.bz2": "tar", "tbz": "tar", "tbz2": "tar", "tb2": "tar", "bz2": "tar",
}

// Archive writes an archive of the files of a commit, or of those below a path, to w. All names in
// it begin with prefix.
func (g *Git) Archive(ctx context.Context, w io.Writer, c Commit, format, prefix, path string) error {
	args := []string{"archive", "--format=" + format, "--prefix=" + prefix + "/"}
	if path != "" {
		if object.CheckPath(path) != nil {
			return fault.NotFound("File")
		}
		args = append(args, c.ID.String(), "--", path)
	} else {
		args = append(args, c.ID.String())
	}
	return g.run(ctx, exec.Command{Args: args, Heavy: true, Timeout: archiveTimeout}, func(r io.Reader) error {
		_, err := io.Copy(w, r)
		return err
	})
}

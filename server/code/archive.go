package code

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/dsnet/compress/bzip2"

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

// Archive is a request for the files of a commit as one file.
type Archive struct {
	Commit  Commit
	Format  string   // a key of ArchiveFormats
	Prefix  string   // of all names in it, before a slash
	Path    string   // of a file or directory to take alone; "" for all
	Exclude []string // paths to leave out
	LFS     bool     // with large files in place of their pointers
}

// check returns a not-found fault unless the path exists.
func (a Archive) check(ctx context.Context, g *Git) error {
	if a.Path == "" {
		return nil
	}
	if object.CheckPath(a.Path) != nil {
		return fault.NotFound("File")
	}
	if _, err := gittree.Lookup(ctx, g, a.Commit.Tree, a.Path); err != nil {
		return asNotFound(err, "File")
	}
	return nil
}

// OpenArchive checks a request, and returns the function that writes the archive.
func (g *Git) OpenArchive(ctx context.Context, a Archive) (func(context.Context, io.Writer) error, error) {
	format, ok := ArchiveFormats[a.Format]
	if !ok {
		return nil, fault.NotFound("File")
	}
	if err := a.check(ctx, g); err != nil {
		return nil, err
	}
	copyOut := func(_ context.Context, w io.Writer, r io.Reader) error { return copyArchive(w, r, a.Format) }
	if a.LFS {
		large, err := g.hasLFSObjects(ctx)
		if err != nil {
			return nil, err
		}
		if large {
			format = "tar"
			copyOut = func(ctx context.Context, w io.Writer, r io.Reader) error { return g.copyWithLFS(ctx, w, r, a) }
		}
	}
	args := []string{"archive", "--format=" + format, "--prefix=" + a.Prefix + "/", a.Commit.ID.String(), "--"}
	if a.Path != "" {
		args = append(args, ":(top,literal)"+a.Path)
	}
	for _, path := range a.Exclude {
		if path = strings.Trim(path, "/"); object.CheckPath(path) == nil {
			args = append(args, ":(top,literal,exclude)"+path)
		}
	}
	return func(ctx context.Context, w io.Writer) error {
		command := exec.Command{Args: args, Heavy: true, Timeout: archiveTimeout}
		return g.run(ctx, command, func(r io.Reader) error { return copyOut(ctx, w, r) })
	}, nil
}

// copyArchive copies what git writes, compressed if git cannot do that.
func copyArchive(w io.Writer, r io.Reader, format string) error {
	if ArchiveFormats[format] != "tar" || format == "tar" {
		_, err := io.Copy(w, r)
		return err
	}
	z, err := bzip2.NewWriter(w, nil)
	if err != nil {
		return err
	}
	_, err = io.Copy(z, r)
	return errors.Join(err, z.Close())
}

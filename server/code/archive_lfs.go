package code

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"

	"github.com/dsnet/compress/bzip2"
	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// hasLFSObjects reports whether the project of the repository has large files.
func (g *Git) hasLFSObjects(ctx context.Context) (bool, error) {
	return db.Value[bool](ctx, g.st, `select exists (select from lfs_objects where project_id = @project)`,
		pgx.NamedArgs{"project": g.ProjectID})
}

// entryWriter writes the entries of a tar file into an archive of some format.
type entryWriter interface {
	add(h *tar.Header, content io.Reader) error
	Close() error
}

// copyWithLFS copies the entries of a tar file of git into an archive, with the content of large
// files in place of their pointers.
func (g *Git) copyWithLFS(ctx context.Context, w io.Writer, r io.Reader, a Archive) error {
	to, err := newEntryWriter(w, a)
	if err != nil {
		return err
	}
	for from := tar.NewReader(r); ; {
		h, err := from.Next()
		if err == io.EOF {
			_, err = io.Copy(io.Discard, r) // git fills the last block
			return errors.Join(err, to.Close())
		}
		if err == nil {
			err = g.copyEntry(ctx, to, h, from)
		}
		if err != nil {
			return err
		}
	}
}

func (g *Git) copyEntry(ctx context.Context, to entryWriter, h *tar.Header, content io.Reader) error {
	if h.Typeflag != tar.TypeReg || h.Size > maxPointer {
		return to.add(h, content)
	}
	data, err := io.ReadAll(content)
	if err != nil {
		return err
	}
	o, _, found, err := g.FindLFSContent(ctx, data)
	if err != nil {
		return err
	}
	if !found {
		return to.add(h, bytes.NewReader(data))
	}
	large, err := OpenLFSObject(ctx, g.st, o)
	if err != nil {
		return err
	}
	defer large.Close()
	h.Size = o.Size
	return to.add(h, large)
}

// newEntryWriter returns the writer of an archive in a format.
func newEntryWriter(w io.Writer, a Archive) (entryWriter, error) {
	if ArchiveFormats[a.Format] == "zip" {
		z := zip.NewWriter(w)
		return zipWriter{z}, z.SetComment(a.Commit.ID.String())
	}
	var compress io.WriteCloser
	switch {
	case ArchiveFormats[a.Format] == "tar.gz":
		compress = gzip.NewWriter(w)
	case a.Format != "tar":
		z, err := bzip2.NewWriter(w, nil)
		if err != nil {
			return nil, err
		}
		compress = z
	default:
		return tarWriter{tar.NewWriter(w), nil}, nil
	}
	return tarWriter{tar.NewWriter(compress), compress}, nil
}

// tarWriter writes a tar file, compressed unless compress is nil.
type tarWriter struct {
	*tar.Writer
	compress io.Closer
}

func (t tarWriter) add(h *tar.Header, content io.Reader) error {
	h.Format = tar.FormatUnknown // large files may need another one
	if h.Typeflag == tar.TypeXGlobalHeader {
		h = &tar.Header{Name: h.Name, Typeflag: h.Typeflag, PAXRecords: h.PAXRecords}
	}
	if err := t.WriteHeader(h); err != nil {
		return err
	}
	_, err := io.Copy(t.Writer, content)
	return err
}

// Close implements entryWriter.
func (t tarWriter) Close() error {
	err := t.Writer.Close()
	if t.compress != nil {
		err = errors.Join(err, t.compress.Close())
	}
	return err
}

type zipWriter struct{ *zip.Writer }

func (z zipWriter) add(h *tar.Header, content io.Reader) error {
	if h.Typeflag == tar.TypeXGlobalHeader {
		return nil // the id of the commit, which is the comment here
	}
	entry, err := zip.FileInfoHeader(h.FileInfo())
	if err != nil {
		return err
	}
	entry.Name, entry.Method = h.Name, zip.Deflate
	if h.Typeflag == tar.TypeDir {
		entry.Method = zip.Store
	}
	w, err := z.CreateHeader(entry)
	if err != nil || h.Typeflag == tar.TypeDir {
		return err
	}
	if h.Typeflag == tar.TypeSymlink {
		_, err = io.WriteString(w, h.Linkname)
		return err
	}
	_, err = io.Copy(w, content)
	return err
}

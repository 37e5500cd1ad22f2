package archive

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// Writer writes an archive as a stream. It is for one goroutine. After an error it is of no use.
type Writer struct {
	zip   *gzip.Writer
	tar   *tar.Writer
	spool string // directory for temporary files
	at    time.Time
	dirs  map[string]bool
	lfs   *spooled // lfs-objects.json so far
}

// Info says what wrote an archive. Readers do not act on it.
type Info struct {
	Version  string    // of the product: "17.10.0-ee"
	Revision string    // 11 hex characters
	At       time.Time // the time of its files
}

// NewWriter returns a Writer into w. Relations are spooled to temporary files in the directory
// spool; the Writer removes each when it has been written.
func NewWriter(w io.Writer, spool string, info Info) (*Writer, error) {
	zip := gzip.NewWriter(w)
	a := &Writer{zip: zip, tar: tar.NewWriter(zip), spool: spool, at: info.At.Truncate(time.Second),
		dirs: map[string]bool{}}
	for _, f := range []struct{ name, text string }{
		{"VERSION", Version}, {"GITLAB_VERSION", info.Version}, {"GITLAB_REVISION", info.Revision},
	} {
		if err := a.File(f.name, int64(len(f.text)), strings.NewReader(f.text)); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// Project writes the document of the project.
func (w *Writer) Project(p Project) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return w.File("tree/project.json", int64(len(text)), strings.NewReader(string(text)))
}

// ToOne writes the document of a relation that has one; nil says that there is none.
func (w *Writer) ToOne(relation string, document any) error {
	text, err := json.Marshal(document)
	if err != nil {
		return err
	}
	text = append(text, '\n')
	return w.File(relationFile(relation), int64(len(text)), strings.NewReader(string(text)))
}

func relationFile(relation string) string { return "tree/project/" + relation + ".ndjson" }

// Upload writes a file that texts of the project link to as /uploads/<secret>/<name>.
func (w *Writer) Upload(secret, name string, size int64, r io.Reader) error {
	return w.File("uploads/"+secret+"/"+name, size, r)
}

// Avatar writes the picture of the project.
func (w *Writer) Avatar(name string, size int64, r io.Reader) error {
	return w.File("avatar/"+name, size, r)
}

// The names of bundles, for Writer.Bundle and Archive.Bundle.
const (
	ProjectBundle = "project.bundle"
	WikiBundle    = "project.wiki.bundle"
	DesignBundle  = "project.design.bundle"
)

// SnippetBundle returns the name of the bundle of a snippet.
func SnippetBundle(hex string) string { return "snippets/" + hex + ".bundle" }

// Bundle writes a git bundle from a file.
func (w *Writer) Bundle(name, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	return w.File(name, info.Size(), f)
}

// LFSObject writes an LFS object of the repository of the project.
func (w *Writer) LFSObject(oid string, size int64, r io.Reader) error {
	start := ",\n"
	if w.lfs == nil {
		s, err := newSpooled(w.spool)
		if err != nil {
			return err
		}
		w.lfs, start = s, "{"
	}
	if _, err := fmt.Fprintf(w.lfs.to, "%s%q:[\"project\"]", start, oid); err != nil {
		return err
	}
	return w.File("lfs-objects/"+oid, size, r)
}

// File writes a file of exactly size bytes. The name is relative, with slashes.
func (w *Writer) File(name string, size int64, r io.Reader) error {
	if err := w.addDirs(name); err != nil {
		return err
	}
	header := &tar.Header{Typeflag: tar.TypeReg, Name: "./" + name, Mode: 0o644, Size: size, ModTime: w.at}
	if err := w.tar.WriteHeader(header); err != nil {
		return fmt.Errorf("archive: %s: %w", name, err)
	}
	n, err := io.Copy(w.tar, io.LimitReader(r, size))
	if err == nil && n < size {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return fmt.Errorf("archive: %s: %w", name, err)
	}
	return nil
}

// addDirs writes the directories above a file that are not there yet.
func (w *Writer) addDirs(name string) error {
	for i := -1; ; {
		dir := "./"
		if i >= 0 {
			dir += name[:i+1]
		}
		if !w.dirs[dir] {
			w.dirs[dir] = true
			header := &tar.Header{Typeflag: tar.TypeDir, Name: dir, Mode: 0o755, ModTime: w.at}
			if err := w.tar.WriteHeader(header); err != nil {
				return fmt.Errorf("archive: %s: %w", dir, err)
			}
		}
		next := strings.IndexByte(name[i+1:], '/')
		if next < 0 {
			return nil
		}
		i += 1 + next
	}
}

// Close writes the end of the archive. It does not close the writer below.
func (w *Writer) Close() error {
	if w.lfs != nil {
		if _, err := w.lfs.to.WriteString("}"); err != nil {
			return err
		}
		if err := w.lfs.into(w, "lfs-objects.json"); err != nil {
			return err
		}
		w.lfs = nil
	}
	if err := w.tar.Close(); err != nil {
		return err
	}
	return w.zip.Close()
}

// Discard removes the temporary files of an archive that will not be finished. It does nothing
// after Close.
func (w *Writer) Discard() {
	if w.lfs != nil {
		w.lfs.discard()
	}
}

package workdir

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"hew/reconcile/file"
	"hew/reconcile/report"
	"hew/reconcile/rewrite"
)

// replacement is a new file, written beside the one that it is to replace.
type replacement struct{ name, temporary string }

// Replace replaces files of the directory: it writes all new versions beside the old ones, then
// renames them one by one, so that nobody reads half a file. It fails, and writes nothing, if a
// file is not what was read. A link stays a link and its target is replaced; nothing outside of the
// directory is written.
func (d Dir) Replace(files []rewrite.File) (err error) {
	root, err := os.OpenRoot(d.Path("."))
	if err != nil {
		return fmt.Errorf("nothing was written: %w", err)
	}
	defer root.Close()
	var ready []replacement
	defer func() {
		for _, r := range ready {
			err = errors.Join(err, root.Remove(r.temporary))
		}
	}()
	for _, f := range files {
		r, err := d.prepare(root, f)
		if err != nil {
			return fmt.Errorf("nothing was written: %s %w", f.Name, err)
		}
		ready = append(ready, r)
	}
	var done []string
	for len(ready) > 0 {
		r := ready[0]
		if err := root.Rename(r.temporary, r.name); err != nil {
			return fmt.Errorf("%s cannot be written: %w; already written: %s", r.name, err, cmp.Or(strings.Join(done,
				", "), "nothing"))
		}
		ready, done = ready[1:], append(done, r.name)
	}
	return nil
}

// prepare writes the new version of a file beside it, or beside the target of a link. It fails if
// the file is not what was read.
func (d Dir) prepare(root *os.Root, f rewrite.File) (r replacement, err error) {
	name, err := resolveWithin(d.Path("."), f.Name)
	if err != nil {
		return r, fmt.Errorf("cannot be read again: %w", err)
	}
	info, err := root.Lstat(name)
	if err != nil {
		return r, fmt.Errorf("cannot be read again: %w", err)
	}
	if !info.Mode().IsRegular() {
		return r, errors.New("is not a regular file")
	}
	raw, err := root.ReadFile(name)
	if err != nil {
		return r, fmt.Errorf("cannot be read again: %w", err)
	}
	if !bytes.Equal(file.Normalize(raw), f.Before) {
		return r, errors.New("has changed since it was read. Run the command again")
	}
	r = replacement{name, filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+"."+rand.Text())}
	to, err := root.OpenFile(r.temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
	if err != nil {
		return r, fmt.Errorf("cannot be written: %w", err)
	}
	if err = errors.Join(writeAll(to, info.Mode(), keepEncoding(raw, f)), to.Close()); err != nil {
		return r, errors.Join(fmt.Errorf("cannot be written: %w", err), root.Remove(r.temporary))
	}
	return r, nil
}

// writeAll writes a whole file to disk, with the permissions of mode.
func writeAll(to *os.File, mode fs.FileMode, content []byte) error {
	_, err := to.Write(content)
	return errors.Join(err, to.Chmod(mode.Perm()), to.Sync())
}

// keepEncoding returns the new version with the byte order mark and the line endings of the raw
// file: lines that stay keep theirs, new ones get that of the first line.
func keepEncoding(raw []byte, f rewrite.File) []byte {
	const mark = "\xef\xbb\xbf"
	text := strings.TrimPrefix(string(raw), mark)
	lines := report.FileLines(text)
	end := "\n"
	if len(lines) > 0 && strings.HasSuffix(lines[0], "\r\n") {
		end = "\r\n"
	}
	var b strings.Builder
	b.WriteString(string(raw[:len(raw)-len(text)]))
	at := 0
	for _, l := range report.DiffTokens(report.FileLines(string(f.Before)), report.FileLines(string(f.After))) {
		switch l.Op {
		case ' ':
			b.WriteString(lines[at])
			at++
		case '-':
			at++
		default:
			whole, ended := strings.CutSuffix(l.Text, "\n")
			b.WriteString(whole)
			if ended {
				b.WriteString(end)
			}
		}
	}
	return []byte(b.String())
}

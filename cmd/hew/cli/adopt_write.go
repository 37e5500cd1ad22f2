package cli

import (
	"bytes"
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

// replacement is a file that is written beside the one that it takes the place of.
type replacement struct{ name, beside string }

// replace writes files of the directory anew: all of them beside the old ones
// first, and then each at once in the place of its old one, so that nobody finds
// half of one. A link stays one, and what it leads to is written; nothing outside
// of the directory is.
func (a *app) replace(files []rewrite.File) (err error) {
	root, err := os.OpenRoot(a.path("."))
	if err != nil {
		return fmt.Errorf("nothing was written: %w", err)
	}
	defer root.Close()
	var ready []replacement
	defer func() {
		for _, r := range ready {
			err = errors.Join(err, root.Remove(r.beside))
		}
	}()
	for _, f := range files {
		r, err := a.beside(root, f)
		if err != nil {
			return fmt.Errorf("nothing was written: %s %w", f.Name, err)
		}
		ready = append(ready, r)
	}
	var done []string
	for len(ready) > 0 {
		r := ready[0]
		if err := root.Rename(r.beside, r.name); err != nil {
			return fmt.Errorf("%s cannot be written: %w; written before: %s", r.name, err, strings.Join(append([]string{"nothing"}, done...)[min(1, len(done)):], ", "))
		}
		ready, done = ready[1:], append(done, r.name)
	}
	return nil
}

// beside writes the new version of a file beside it, and beside what a link leads
// to, unless the file is not what was read.
func (a *app) beside(root *os.Root, f rewrite.File) (r replacement, err error) {
	name, err := a.behind(f.Name)
	if err != nil {
		return r, fmt.Errorf("cannot be read again: %w", err)
	}
	info, err := root.Lstat(name)
	if err != nil {
		return r, fmt.Errorf("cannot be read again: %w", err)
	}
	if !info.Mode().IsRegular() {
		return r, errors.New("is no file")
	}
	raw, err := root.ReadFile(name)
	if err != nil {
		return r, fmt.Errorf("cannot be read again: %w", err)
	}
	if !bytes.Equal(file.Plain(raw), f.Before) {
		return r, errors.New("has changed since it was read. Run the command again")
	}
	r = replacement{name, filepath.Join(filepath.Dir(name), "."+filepath.Base(name)+"."+rand.Text())}
	to, err := root.OpenFile(r.beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm())
	if err != nil {
		return r, fmt.Errorf("cannot be written: %w", err)
	}
	if err = errors.Join(fill(to, info.Mode(), asRead(raw, f)), to.Close()); err != nil {
		return r, errors.Join(fmt.Errorf("cannot be written: %w", err), root.Remove(r.beside))
	}
	return r, nil
}

// fill writes a whole file.
func fill(to *os.File, mode fs.FileMode, content []byte) error {
	_, err := to.Write(content)
	return errors.Join(err, to.Chmod(mode.Perm()), to.Sync())
}

// asRead is the new version with the byte order mark and the line ends that the
// file has: lines that stay keep theirs, and others get those of the first line.
func asRead(raw []byte, f rewrite.File) []byte {
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

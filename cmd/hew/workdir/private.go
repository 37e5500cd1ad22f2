package workdir

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"hew/reconcile/ledger"
)

// Private is the list of the files of ledgers that a run knows, which its configuration must not
// read. The zero Private is empty.
type Private struct {
	mu    sync.Mutex
	paths []string
}

// Add adds files, which need not exist yet.
func (p *Private) Add(paths ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.paths = append(p.paths, paths...)
}

// contains reports whether a file is in the list, by whatever link.
func (p *Private) contains(info fs.FileInfo) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.paths, func(path string) bool {
		private, err := os.Stat(path)
		return err == nil && os.SameFile(private, info)
	})
}

var (
	errGit    = errors.New("it is git's own file, which can hold a token")
	errLedger = errors.New("it belongs to a ledger of hew, whose digests of secrets can be guessed with its key")
)

// checkPrivate returns an error if a file is git's or of a ledger. target is its name in root, with
// links resolved. A ledger is known by its first line, and its key by the name and place, because
// the ledger may be that of another directory.
func (p *Private) checkPrivate(root *os.Root, target string, info fs.FileInfo) error {
	for part := range strings.SplitSeq(filepath.ToSlash(target), "/") {
		switch {
		case strings.EqualFold(part, ".git"):
			return errGit
		case strings.EqualFold(part, filepath.Dir(filepath.FromSlash(ledger.DefaultPath))):
			return errLedger
		}
	}
	if info.IsDir() {
		return nil
	}
	if p.contains(info) || isLedger(root, target) ||
		strings.EqualFold(filepath.Base(target), ledger.KeyName) && hasLedger(root, filepath.Dir(target)) {
		return errLedger
	}
	return nil
}

// isLedger reports whether a regular file begins as a ledger does.
func isLedger(root *os.Root, name string) bool {
	info, err := root.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := root.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	start := make([]byte, len(ledger.FirstBytes))
	_, err = io.ReadFull(f, start)
	return err == nil && string(start) == ledger.FirstBytes
}

// hasLedger reports whether a directory holds a ledger.
func hasLedger(root *os.Root, dir string) bool {
	entries, err := fs.ReadDir(root.FS(), filepath.ToSlash(dir))
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return isLedger(root, filepath.Join(dir, e.Name()))
	})
}

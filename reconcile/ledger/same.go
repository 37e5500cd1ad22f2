package ledger

import (
	"os"
	"path/filepath"
	"strings"
)

// Same tells whether two backends keep one ledger: one file, whichever way leads
// to it, one address, or one name in a database. Two names of one server are not
// seen through.
func Same(a, b Backend) bool {
	switch a := unwrapped(a).(type) {
	case *file:
		b, ok := unwrapped(b).(*file)
		return ok && sameFile(a.path, b.path)
	case *remote:
		b, ok := unwrapped(b).(*remote)
		return ok && a.spot() == b.spot()
	}
	return false
}

// sameFile compares files that need not be there yet.
func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	other, err2 := os.Stat(b)
	if err == nil && err2 == nil {
		return os.SameFile(one, other)
	}
	return real(a) == real(b)
}

// real is a path without links, as far as it is there.
func real(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if to, err := filepath.EvalSymlinks(path); err == nil {
		return to
	}
	dir := filepath.Dir(path)
	if dir == path {
		return path
	}
	return filepath.Join(real(dir), filepath.Base(path))
}

func (w *web) spot() any {
	at := w.read.url
	at.Host = strings.ToLower(at.Host)
	return at.String()
}

func (d *database) spot() any {
	type spot struct {
		host, database, schema, name string
		port                         uint16
	}
	return spot{d.config.Host, d.config.Database, d.schema, d.name, d.config.Port}
}

package ledger

import (
	"os"
	"path/filepath"
	"strings"
)

// SameStorage reports whether two backends keep the same ledger: the same file (through links as
// well), the same URL, or the same name in the same database. It does not resolve host names, so it
// misses two names of one server.
func SameStorage(a, b Backend) bool {
	switch a := unwrap(a).(type) {
	case *fileBackend:
		b, ok := unwrap(b).(*fileBackend)
		return ok && isSameFile(a.path, b.path)
	case *remoteBackend:
		b, ok := unwrap(b).(*remoteBackend)
		return ok && a.location() == b.location()
	}
	return false
}

// isSameFile compares two files that need not exist yet.
func isSameFile(a, b string) bool {
	one, err := os.Stat(a)
	other, err2 := os.Stat(b)
	if err == nil && err2 == nil {
		return os.SameFile(one, other)
	}
	return resolvePath(a) == resolvePath(b)
}

// resolvePath returns the absolute path, with the links in its existing part resolved.
func resolvePath(path string) string {
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
	return filepath.Join(resolvePath(dir), filepath.Base(path))
}

func (s *httpStore) location() any {
	u := s.readEndpoint.url
	u.Host = strings.ToLower(u.Host)
	return u.String()
}

func (s *postgresStore) location() any {
	type location struct {
		host, database, schema, name string
		port                         uint16
	}
	return location{s.config.Host, s.config.Database, s.schema, s.name, s.config.Port}
}

package seal

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// KeyFile returns the path of the key file in a data directory.
func KeyFile(dir string) string { return filepath.Join(dir, "secret_key") }

// Load returns a box for the given secret or, if that is empty, for the key file in dir. It fails
// with os.ErrNotExist if there is no such file, and refuses one that other users can read.
// Processes that share a database need the same secret.
func Load(secret, dir string) (*Box, error) {
	if secret != "" {
		return New([]byte(secret))
	}
	path := KeyFile(dir)
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("read the key file (set HEWD_SECRET_KEY to do without it): %w", err)
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 && runtime.GOOS != "windows" { // which has no such bits
		return nil, fmt.Errorf("other users can read the key file %s (mode %#o): run chmod 600 %[1]s", path, mode)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the key file (set HEWD_SECRET_KEY to do without it): %w", err)
	}
	return New(bytes.TrimSpace(text))
}

// Create writes a new key file into dir, and returns a box for it. If another process was faster,
// it is the key of that one.
func Create(dir string) (*Box, error) {
	random := make([]byte, 32)
	rand.Read(random) // never fails
	if err := writeOnce(KeyFile(dir), []byte(base64.StdEncoding.EncodeToString(random)+"\n")); err != nil {
		return nil, fmt.Errorf("write the key file (set HEWD_SECRET_KEY to do without it): %w", err)
	}
	return Load("", dir)
}

// writeOnce writes a file of mode 0600, complete from the start, unless there is one.
func writeOnce(path string, text []byte) error {
	fresh, err := os.CreateTemp(filepath.Dir(path), ".secret_key-") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(fresh.Name())
	_, werr := fresh.Write(text)
	if err := errors.Join(werr, fresh.Sync(), fresh.Close()); err != nil {
		return err
	}
	if err := os.Link(fresh.Name(), path); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	return nil
}

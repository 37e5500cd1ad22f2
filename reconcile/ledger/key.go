package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// KeyVariable is the environment variable with the digest key: the content of a key file, or any
// text of that length.
const KeyVariable = "HEW_LEDGER_KEY"

// minKeyLength is in characters. A new key has 43 characters, for 256 random bits.
const minKeyLength = 32

// Key is the key of secret digests. A new key is saved when it is first used, so that a
// configuration without secrets never has a key file.
type Key struct {
	text      []byte
	file      string // to save a new key in; "": the key is not new, or not in a file
	ephemeral bool   // random, and lost when the run ends
	saveOnce  sync.Once
	used      atomic.Bool
	saveErr   error
}

// NewKey returns the key with that text: at least 32 characters, without the space around them.
func NewKey(text string) (*Key, error) {
	return parseKey(KeyVariable, []byte(text))
}

// newFileKey returns the key in the file, or a new key that is saved there on first use.
func newFileKey(path string) (*Key, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &Key{text: []byte(randomText(32)), file: path}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the digest key: %w", err)
	}
	defer f.Close()
	text, err := readWithSharedLock(f)
	switch {
	case err != nil:
		return nil, fmt.Errorf("cannot read the digest key: %w", err)
	case len(text) == 0: // another run has created it and not written it yet, or crashed
		return &Key{text: []byte(randomText(32)), file: path}, nil
	}
	return parseKey(path, text)
}

func parseKey(where string, text []byte) (*Key, error) {
	text = bytes.TrimSpace(text)
	if len(text) < minKeyLength {
		return nil, fmt.Errorf("the digest key in %s has %d characters, but needs at least %d. "+
			"Restore the right key, or replace it with a new one (openssl rand -base64 32) and run hew ledger rebind",
			where, len(text), minKeyLength)
	}
	return &Key{text: text}, nil
}

// isNew reports whether the key is not saved yet.
func (k *Key) isNew() bool { return k.file != "" && !k.used.Load() }

// hasFingerprint reports whether the key has the fingerprint; a new key has none.
func (k *Key) hasFingerprint(fingerprint string) bool {
	return !k.isNew() && k.fingerprint() == fingerprint
}

// usedText returns the text of the key and saves a new key. If that fails the text still serves
// this run; see saveError.
func (k *Key) usedText() []byte {
	k.saveOnce.Do(func() {
		if k.file != "" {
			k.text, k.saveErr = createKeyFile(k.file, k.text)
		}
		k.used.Store(true)
	})
	return k.text
}

func (k *Key) saveError() error {
	if k.used.Load() {
		return k.saveErr
	}
	return nil
}

func (k *Key) mac(text string) [32]byte { return hmacSHA256(k.usedText(), text) }

// fingerprint returns a short text that identifies the key and does not reveal it.
func (k *Key) fingerprint() string {
	return string(truncateDigest("", k.mac("fingerprint")))[:11]
}

// createKeyFile saves a new key and returns it, or the key that another process saved first.
func createKeyFile(path string, text []byte) (_ []byte, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("cannot save a new digest key for secrets: %w. Make the directory writable, or set %s",
				err, KeyVariable)
		}
	}()
	dir, name := filepath.Split(path)
	if err := makeDir(dir); err != nil {
		return text, err
	}
	if err := addToGitignore(dir, name); err != nil {
		return text, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return text, err
	}
	defer f.Close()
	if err := flock(f, exclusive); err != nil {
		return text, err
	}
	switch saved, err := io.ReadAll(f); {
	case err != nil:
		return text, err
	case len(saved) > 0:
		return bytes.TrimSpace(saved), nil
	}
	if _, err := f.Write(append(bytes.Clone(text), '\n')); err != nil {
		return text, errors.Join(err, f.Truncate(0))
	}
	return text, errors.Join(f.Sync(), syncDir(dir))
}

// addToGitignore makes git ignore the named files of dir, unless that is a directory of others
// outside of any git repository.
func addToGitignore(dir string, names ...string) error {
	if filepath.Base(dir) != filepath.Dir(filepath.FromSlash(DefaultPath)) && !inRepository(dir) {
		return nil
	}
	path := filepath.Join(dir, ".gitignore")
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	known := strings.Fields(string(old))
	var add strings.Builder
	for _, name := range names {
		if !slices.Contains(known, "/"+name) {
			add.WriteString("/" + name + "\n")
		}
	}
	if add.Len() == 0 {
		return nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	text := add.String()
	if len(old) > 0 && old[len(old)-1] != '\n' {
		text = "\n" + text
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// inRepository reports whether a directory is in the working tree of a git repository.
func inRepository(dir string) bool {
	dir, err := filepath.Abs(dir)
	for ; err == nil; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return false
}

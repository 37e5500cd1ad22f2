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

// KeyVariable is the environment variable that holds the digest key. It takes
// the content of a key file as it is.
const KeyVariable = "HEW_LEDGER_KEY"

// shortest is the least length of a key: a new one has 43 characters, of 256
// random bits.
const shortest = 32

// Key is the key of secret digests. A new one is saved when it is first used,
// so that a configuration without secrets never has one.
type Key struct {
	text    []byte
	file    string // where a new key is to be saved; "" where that is done, or never will be
	passing bool   // random, for this run alone
	save    sync.Once
	used    atomic.Bool
	err     error
}

// NewKey returns the key that text spells: at least 32 characters, space around
// them does not count.
func NewKey(text string) (*Key, error) {
	return checked(KeyVariable, []byte(text))
}

// newFileKey returns the key in the file, or a new one that will be saved there.
func newFileKey(path string) (*Key, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &Key{text: []byte(random(32)), file: path}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the digest key: %w", err)
	}
	defer f.Close()
	text, err := readShared(f)
	switch {
	case err != nil:
		return nil, fmt.Errorf("cannot read the digest key: %w", err)
	case len(text) == 0: // made by somebody who has not written it yet, or crashed
		return &Key{text: []byte(random(32)), file: path}, nil
	}
	return checked(path, text)
}

func checked(where string, text []byte) (*Key, error) {
	text = bytes.TrimSpace(text)
	if len(text) < shortest {
		return nil, fmt.Errorf("the digest key in %s has %d characters, it takes at least %d: "+
			"put the right one there, or a new one (openssl rand -base64 32) and run: hew ledger rebind",
			where, len(text), shortest)
	}
	return &Key{text: text}, nil
}

// fresh tells that there is no such key yet.
func (k *Key) fresh() bool { return k.file != "" && !k.used.Load() }

// is tells whether the key has the fingerprint; one that is not there yet has none.
func (k *Key) is(fingerprint string) bool { return !k.fresh() && k.fingerprint() == fingerprint }

// use returns the key, saved. A key that cannot be saved serves this run all
// the same; saved tells.
func (k *Key) use() []byte {
	k.save.Do(func() {
		if k.file != "" {
			k.text, k.err = saveKey(k.file, k.text)
		}
		k.used.Store(true)
	})
	return k.text
}

func (k *Key) saved() error {
	if k.used.Load() {
		return k.err
	}
	return nil
}

func (k *Key) mac(text string) [32]byte { return sum(k.use(), text) }

// fingerprint tells keys apart and gives none away.
func (k *Key) fingerprint() string {
	return string(shorten("", k.mac("fingerprint")))[:11]
}

// saveKey writes a new key, unless another process was faster, and returns the
// one that is there then.
func saveKey(path string, text []byte) (_ []byte, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("cannot save a new digest key for secrets: %w; make the directory writable, or set %s", err, KeyVariable)
		}
	}()
	dir, name := filepath.Split(path)
	if err := makeDir(dir); err != nil {
		return text, err
	}
	if err := ignore(dir, name); err != nil {
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
	switch theirs, err := io.ReadAll(f); {
	case err != nil:
		return text, err
	case len(theirs) > 0:
		return bytes.TrimSpace(theirs), nil
	}
	if _, err := f.Write(append(bytes.Clone(text), '\n')); err != nil {
		return text, errors.Join(err, f.Truncate(0))
	}
	return text, errors.Join(f.Sync(), syncDir(dir))
}

// ignore makes git ignore names in dir, next to what it ignores there already.
func ignore(dir string, names ...string) error {
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

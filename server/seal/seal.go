// Package seal keeps secrets unreadable at rest: hook tokens, passwords of integrations, credentials of mirrors.
//
// A sealed value is AES-256-GCM under one key of the installation. Where it belongs (table, column, row) is bound into
// it, so that whoever can write to the database cannot move a secret to a row that he may read.
package seal

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// Box seals and opens under one key. It is safe for concurrent use.
type Box struct{ aead cipher.AEAD }

// version is the first byte of every sealed value, so that the form can change one day.
const version = 1

// New makes a box from a secret of any form; at least 16 bytes, since it ought to be random.
func New(secret []byte) (*Box, error) {
	if len(secret) < 16 {
		return nil, fmt.Errorf("the secret key has %d bytes: at least 16 random ones are needed (openssl rand -base64 32)", len(secret))
	}
	key, err := hkdf.Key(sha256.New, secret, nil, "hewd secrets at rest", 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, err
	}
	return &Box{aead}, nil
}

// Load makes a box from the given secret or, if that is empty, from the key file in dir, which it creates at first use.
// Several processes on one database need the same secret.
func Load(secret, dir string) (*Box, error) {
	if secret != "" {
		return New([]byte(secret))
	}
	path := filepath.Join(dir, "secret_key")
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		text, err = create(path)
	}
	if err != nil {
		return nil, fmt.Errorf("secret key (name one by HEWD_SECRET_KEY instead): %w", err)
	}
	return New(bytes.TrimSpace(text))
}

// create writes a new key. A concurrent start may be faster; then its key is the one.
func create(path string) ([]byte, error) {
	random := make([]byte, 32)
	rand.Read(random) // never fails, see its documentation
	text := []byte(base64.StdEncoding.EncodeToString(random) + "\n")
	fresh, err := os.CreateTemp(filepath.Dir(path), ".secret_key-") // mode 0600
	if err != nil {
		return nil, err
	}
	defer os.Remove(fresh.Name())
	_, werr := fresh.Write(text)
	if err := errors.Join(werr, fresh.Sync(), fresh.Close()); err != nil {
		return nil, err
	}
	if err := os.Link(fresh.Name(), path); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, err
	}
	return os.ReadFile(path)
}

// Seal hides plain; it can be opened only for the same place ("project_hooks.token") and row.
func (b *Box) Seal(place string, row int64, plain []byte) []byte {
	return b.aead.Seal([]byte{version}, nil, plain, bound(place, row))
}

// Open returns what was sealed for this place and row. A failure means another key, another row, or tampering.
func (b *Box) Open(place string, row int64, sealed []byte) ([]byte, error) {
	if len(sealed) == 0 || sealed[0] != version {
		return nil, fmt.Errorf("open %s of row %d: not a sealed value of this version", place, row)
	}
	plain, err := b.aead.Open(nil, nil, sealed[1:], bound(place, row))
	if err != nil {
		return nil, fmt.Errorf("open %s of row %d: sealed under another key, or for another row", place, row)
	}
	return plain, nil
}

func bound(place string, row int64) []byte {
	return strconv.AppendInt([]byte(place+"/"), row, 10)
}

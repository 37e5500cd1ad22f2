// Package seal encrypts secrets at rest: hook tokens, passwords of integrations, credentials of
// mirrors.
//
// A sealed value is AES-256-GCM under one key of the installation. Its place (table, column, row)
// is authenticated with it, so that an attacker who can write to the database cannot move a secret
// to a row that they can read.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"fmt"
	"strconv"
)

// Box seals and opens values under one key. It is safe for concurrent use.
type Box struct {
	aead   cipher.AEAD
	digest []byte
}

// version is the first byte of every sealed value, so that the format can change.
const version = 1

// New returns a box for a secret of any form. A secret of less than 16 bytes is an error.
func New(secret []byte) (*Box, error) {
	if len(secret) < 16 {
		return nil, fmt.Errorf("the secret key has %d bytes; it needs at least 16 "+
			"(make one with openssl rand -base64 32)", len(secret))
	}
	key, err := hkdf.Key(sha256.New, secret, nil, "hewd secrets at rest", 32)
	if err != nil {
		return nil, err
	}
	digest, err := hkdf.Key(sha256.New, secret, nil, "hewd digest of the key", 32)
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
	return &Box{aead, digest}, nil
}

// KeyDigest returns 32 bytes that differ for each key and from which nobody learns the key.
func (b *Box) KeyDigest() []byte { return b.digest }

// Seal encrypts plain. It can be opened only with the same place ("project_hooks.token") and row.
func (b *Box) Seal(place string, row int64, plain []byte) []byte {
	return b.aead.Seal([]byte{version}, nil, plain, associatedData(place, row))
}

// Open decrypts a value that was sealed for this place and row. It fails if the key, the place or
// the row is another one, or if the value was changed.
func (b *Box) Open(place string, row int64, sealed []byte) ([]byte, error) {
	if len(sealed) == 0 || sealed[0] != version {
		return nil, fmt.Errorf("open %s of row %d: not a sealed value of this version", place, row)
	}
	plain, err := b.aead.Open(nil, nil, sealed[1:], associatedData(place, row))
	if err != nil {
		return nil, fmt.Errorf("open %s of row %d: sealed under another key, or for another row", place, row)
	}
	return plain, nil
}

func associatedData(place string, row int64) []byte {
	return strconv.AppendInt([]byte(place+"/"), row, 10)
}

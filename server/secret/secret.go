// Package secret makes and verifies tokens and passwords. Only digests of them are stored.
package secret

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strconv"

	"golang.org/x/crypto/bcrypt"

	"hew/server/fault"
)

// NewToken returns a new token: the prefix and 260 random bits.
func NewToken(prefix string) string { return prefix + rand.Text() + rand.Text() }

// Digest returns what is stored of a token. A token is random, so it needs no salt and no slow
// hash.
func Digest(token string) [32]byte { return sha256.Sum256([]byte(token)) }

// HashPassword returns what is stored of a password. A password of fewer than least characters, or
// of more than 128, is a fault.
func HashPassword(password string, least int) (string, error) {
	if len([]rune(password)) < least {
		return "", fault.Invalid("password", "is too short (minimum is "+strconv.Itoa(least)+" characters)")
	}
	if len([]rune(password)) > 128 {
		return "", fault.Invalid("password", "is too long (maximum is 128 characters)")
	}
	digest, err := bcrypt.GenerateFromPassword(prehash(password), bcryptCost)
	return string(digest), err
}

// CheckPassword reports whether digest is that of the password.
func CheckPassword(digest, password string) bool {
	return bcrypt.CompareHashAndPassword([]byte(digest), prehash(password)) == nil
}

const bcryptCost = bcrypt.DefaultCost

// prehash makes a password of any length fit into bcrypt, which reads 72 bytes and stops at a NUL.
func prehash(password string) []byte {
	sum := sha256.Sum256([]byte(password))
	return []byte(base64.RawStdEncoding.EncodeToString(sum[:]))
}

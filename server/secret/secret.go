package secret

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strconv"

	"golang.org/x/crypto/bcrypt"

	"hew/server/fault"
)

// NewToken makes a token: the prefix and 260 random bits. Only its digest is ever stored.
func NewToken(prefix string) string { return prefix + rand.Text() + rand.Text() }

// Digest is what is stored of a token. The token is random, so it needs no salt and no slow hash.
func Digest(token string) [32]byte { return sha256.Sum256([]byte(token)) }

// HashPassword is what is stored of a password. It fails with a fault for one shorter than least.
func HashPassword(password string, least int) (string, error) {
	if len([]rune(password)) < least {
		return "", fault.Invalid("password", "is too short (minimum is "+strconv.Itoa(least)+" characters)")
	}
	if len([]rune(password)) > 128 {
		return "", fault.Invalid("password", "is too long (maximum is 128 characters)")
	}
	digest, err := bcrypt.GenerateFromPassword(folded(password), cost)
	return string(digest), err
}

// CheckPassword says whether the password is the one that was hashed.
func CheckPassword(digest, password string) bool {
	return bcrypt.CompareHashAndPassword([]byte(digest), folded(password)) == nil
}

const cost = bcrypt.DefaultCost

// folded makes any password fit: bcrypt reads 72 bytes and stops at a NUL.
func folded(password string) []byte {
	sum := sha256.Sum256([]byte(password))
	return []byte(base64.RawStdEncoding.EncodeToString(sum[:]))
}

package ledger

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"sync/atomic"
)

// Digest is a salted or keyed digest of a value in canonical form, as text: "p:" (plain) or "s:"
// (secret) and 128 bits. The empty digest matches nothing.
type Digest string

const (
	plainPrefix  = "p:"
	secretPrefix = "s:"
)

// Secret reports whether the digest was made with the digest key.
func (d Digest) Secret() bool { return strings.HasPrefix(string(d), secretPrefix) }

// Digester makes the digests of one ledger. It is safe for concurrent use. Equal values have equal
// digests; to hide that two attributes have the same value, put the attribute into the canonical
// form.
type Digester struct {
	lineage    string
	key        *Key
	secretUsed *atomic.Bool // for ForPlans: a secret was digested; else nil
}

// NewDigester returns a digester for a ledger's lineage and key. Open returns one with the ledger.
func NewDigester(lineage string, key *Key) *Digester { return &Digester{lineage, key, nil} }

// Plain digests a value that is not secret: SHA-256, salted with the lineage.
func (d *Digester) Plain(canonical string) Digest {
	return truncateDigest(plainPrefix, sha256.Sum256([]byte(d.lineage+"\x00"+canonical)))
}

// Secret digests a secret: HMAC-SHA-256 with the digest key, so that nobody can test guesses
// against the ledger. Its first use saves a new key; see Err.
func (d *Digester) Secret(canonical string) Digest {
	if d.secretUsed != nil {
		d.secretUsed.Store(true)
	}
	return truncateDigest(secretPrefix, d.key.mac("secret\x00"+d.lineage+"\x00"+canonical))
}

// Matches reports whether old is the plain or secret digest of the value.
func (d *Digester) Matches(old Digest, canonical string) bool {
	now := d.Plain
	if old.Secret() {
		now = d.Secret
	}
	return old != "" && subtle.ConstantTimeCompare([]byte(old), []byte(now(canonical))) == 1
}

// ForPlans returns a digester for saved plans. Its digests depend on the key only and not on the
// ledger, because a plan may be made before there is a ledger. Its Err also reports a key that ends
// with the run.
func (d *Digester) ForPlans() *Digester {
	return &Digester{"a plan of any ledger", d.key, new(atomic.Bool)}
}

// Err returns an error if a new key was used and could not be saved. The digests are then good for
// this run only: Append fails, and a plan must not be saved.
func (d *Digester) Err() error {
	if d.secretUsed != nil && d.secretUsed.Load() && d.key.ephemeral {
		return fmt.Errorf("a plan with secrets needs a digest key, and without a ledger hew keeps none. "+
			"Set %s to the same text of at least %d characters for hew plan and for hew "+
			"apply", KeyVariable, minKeyLength)
	}
	return d.key.saveError()
}

func truncateDigest(prefix string, sum [sha256.Size]byte) Digest {
	return Digest(prefix + base64.RawURLEncoding.EncodeToString(sum[:16]))
}

func hmacSHA256(key []byte, text string) (out [sha256.Size]byte) {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	h.Sum(out[:0])
	return out
}

// randomText returns n random bytes as text.
func randomText(n int) string {
	b := make([]byte, n)
	rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

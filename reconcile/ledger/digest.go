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

// Digest is a salted or keyed digest of a canonical value, in text: "p:" or
// "s:" and 128 bits. The empty one matches nothing.
type Digest string

const (
	plain  = "p:"
	secret = "s:"
)

// Secret tells whether the digest was made under the key.
func (d Digest) Secret() bool { return strings.HasPrefix(string(d), secret) }

// Digester makes the digests of one ledger. It may be used by several
// goroutines. Equal values have equal digests, so whoever must hide that two
// attributes are alike puts the attribute into the canonical form.
type Digester struct {
	lineage string
	key     *Key
	lasting *atomic.Bool // set once a secret was digested; nil for a ledger's own
}

// NewDigester returns a digester for a ledger's lineage and key. Open makes it
// for those who have a ledger.
func NewDigester(lineage string, key *Key) *Digester { return &Digester{lineage, key, nil} }

// Plain digests a value that anyone may know: SHA-256, salted by the lineage.
func (d *Digester) Plain(canonical string) Digest {
	return shorten(plain, sha256.Sum256([]byte(d.lineage+"\x00"+canonical)))
}

// Secret digests a secret: HMAC-SHA-256 under the digest key, so that guesses
// cannot be tried on the ledger. Its first use saves a new key; see Err.
func (d *Digester) Secret(canonical string) Digest {
	if d.lasting != nil {
		d.lasting.Store(true)
	}
	return shorten(secret, d.key.mac("secret\x00"+d.lineage+"\x00"+canonical))
}

// Matches tells whether old is the digest, of its own sort, of the value.
func (d *Digester) Matches(old Digest, canonical string) bool {
	now := d.Plain
	if old.Secret() {
		now = d.Secret
	}
	return old != "" && subtle.ConstantTimeCompare([]byte(old), []byte(now(canonical))) == 1
}

// Lasting is a digester whose digests are the same in every run under the key,
// whatever the ledger: for plans, which may be made before there is one. Its Err
// also tells of a key that ends with the run.
func (d *Digester) Lasting() *Digester {
	return &Digester{"a plan of any ledger", d.key, new(atomic.Bool)}
}

// Err tells that a new key was used and could not be saved. Digests made so far
// are good for this run only: Append refuses, and a plan must not be saved.
func (d *Digester) Err() error {
	if d.lasting != nil && d.lasting.Load() && d.key.passing {
		return fmt.Errorf("without a ledger there is no key for digests of the secrets in it: set %s to the same text, of %d characters at least, where it is planned and where it is applied",
			KeyVariable, shortest)
	}
	return d.key.saved()
}

func shorten(prefix string, sum [sha256.Size]byte) Digest {
	return Digest(prefix + base64.RawURLEncoding.EncodeToString(sum[:16]))
}

func sum(key []byte, text string) (out [sha256.Size]byte) {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	h.Sum(out[:0])
	return out
}

// random returns n random bytes as text.
func random(n int) string {
	b := make([]byte, n)
	rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

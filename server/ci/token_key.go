package ci

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"math/big"
	"time"

	"hew/server/db"
)

// tokenKey is a key that signs the tokens by which jobs prove to other hosts who they are. It is
// sealed; it never leaves the server.
type tokenKey struct {
	ID        int64     `db:"id,auto"`
	Sealed    []byte    `db:"sealed"` // PKCS #8
	CreatedAt time.Time `db:"created_at,auto"`
}

// tokenKeyPlace is where the keys are, for their seals.
const tokenKeyPlace = "token_keys.key"

// keyBits is the size of new keys.
const keyBits = 2048

func tokenKeys(ctx context.Context, st *db.Store) ([]*rsa.PrivateKey, error) {
	rows, err := db.Many[tokenKey](ctx, st, `select * from token_keys order by id desc limit 10`, nil)
	if err != nil {
		return nil, err
	}
	keys := make([]*rsa.PrivateKey, len(rows))
	for n, row := range rows {
		plain, err := st.Seal.Open(tokenKeyPlace, row.ID, row.Sealed)
		if err != nil {
			return nil, err
		}
		key, err := x509.ParsePKCS8PrivateKey(plain)
		if err != nil {
			return nil, fmt.Errorf("key %d of token_keys: %w", row.ID, err)
		}
		ours, ok := key.(*rsa.PrivateKey)
		if !ok {
			return nil, fmt.Errorf("key %d of token_keys is not an RSA key", row.ID)
		}
		keys[n] = ours
	}
	return keys, nil
}

// signingKey returns the key that signs now: the newest, which is made if there is none.
func signingKey(ctx context.Context, st *db.Store) (*rsa.PrivateKey, error) {
	keys, err := tokenKeys(ctx, st)
	if err != nil || len(keys) > 0 {
		return first(keys), err
	}
	err = st.Tx(ctx, func(st *db.Store) error {
		if err := st.Exclusively(ctx, "key of id tokens"); err != nil {
			return err
		}
		if keys, err = tokenKeys(ctx, st); err != nil || len(keys) > 0 {
			return err
		}
		key, err := rsa.GenerateKey(rand.Reader, keyBits)
		if err != nil {
			return err
		}
		plain, err := x509.MarshalPKCS8PrivateKey(key)
		if err != nil {
			return err
		}
		id, err := st.NextID(ctx, "token_keys")
		if err != nil {
			return err
		}
		keys = []*rsa.PrivateKey{key}
		_, err = st.Insert(ctx, "token_keys", tokenKey{ID: id, Sealed: st.Seal.Seal(tokenKeyPlace, id, plain)})
		return err
	})
	return first(keys), err
}

func first(keys []*rsa.PrivateKey) *rsa.PrivateKey {
	if len(keys) == 0 {
		return nil
	}
	return keys[0]
}

// PublicKey is a key as a JSON Web Key (RFC 7517), by which others check tokens of jobs.
type PublicKey struct {
	Type      string `json:"kty"`
	ID        string `json:"kid"`
	Exponent  string `json:"e"`
	Modulus   string `json:"n"`
	Use       string `json:"use"`
	Algorithm string `json:"alg"`
}

// PublicKeys returns the keys that have signed tokens, the one that signs now first. There is none
// before the first token.
func PublicKeys(ctx context.Context, st *db.Store) ([]PublicKey, error) {
	keys, err := tokenKeys(ctx, st)
	list := make([]PublicKey, len(keys))
	for n, key := range keys {
		list[n] = publicKeyOf(key)
	}
	return list, err
}

// publicKeyOf returns the public half of a key. Its id is the thumbprint of RFC 7638.
func publicKeyOf(key *rsa.PrivateKey) PublicKey {
	k := PublicKey{
		Type: "RSA", Exponent: base64url(big.NewInt(int64(key.E)).Bytes()), Modulus: base64url(key.N.Bytes()),
		Use: "sig", Algorithm: "RS256",
	}
	sum := sha256.Sum256([]byte(`{"e":"` + k.Exponent + `","kty":"RSA","n":"` + k.Modulus + `"}`))
	k.ID = base64url(sum[:])
	return k
}

func base64url(content []byte) string { return base64.RawURLEncoding.EncodeToString(content) }

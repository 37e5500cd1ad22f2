package mirror

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"net/url"
	"strings"

	"golang.org/x/crypto/ssh"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/remote"
)

// SSH is how a mirror is reached by SSH: with a pair of keys that the server has made, from a host
// that has one of the host keys.
type SSH struct {
	PublicKey *string  `db:"public_key" json:"-"`
	SealedKey []byte   `db:"sealed_key" json:"-"`
	HostKeys  []string `db:"host_keys" json:"-"` // as "type key"; see Fingerprints
}

// sealedKey says where the private key of a mirror is, for its seal.
func (t table) sealedKey() string { return string(t) + ".sealed_key" }

// makeKeys makes a pair of keys for a mirror that has none. Only the public one is ever shown.
func (s *SSH) makeKeys(st *db.Store, of table, id int64) error {
	if s.PublicKey != nil {
		return nil
	}
	public, private, err := newKeyPair()
	if err == nil {
		s.PublicKey, s.SealedKey = &public, st.Seal.Seal(of.sealedKey(), id, private)
	}
	return err
}

// newKeyPair returns a new pair of keys: the line for the receiver, and a private key file for ssh.
func newKeyPair() (public string, private []byte, err error) {
	open, secret, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return "", nil, err
	}
	key, err := ssh.NewPublicKey(open)
	if err != nil {
		return "", nil, err
	}
	block, err := ssh.MarshalPrivateKey(secret, "")
	if err != nil {
		return "", nil, err
	}
	return strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key))), pem.EncodeToMemory(block), nil
}

// open returns how the host of a mirror is reached. The first key that a host shows is kept if none
// is known. The private key is left out unless the mirror is to use it.
func (s SSH) open(ctx context.Context, st *db.Store, of table, id int64, withKey bool) (to remote.SSH, err error) {
	to.Known = s.hostKeys()
	to.Met = func(key ssh.PublicKey) error {
		line := strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key)))
		n, err := st.Affected(ctx, `
			update `+string(of)+` set host_keys = array[@line] where id = @id and host_keys = '{}'`,
			namedArgs{"id": id, "line": line})
		if err == nil && n == 0 {
			err = errors.New("host_keys were set meanwhile")
		}
		return err
	}
	if !withKey || s.SealedKey == nil {
		return to, nil
	}
	private, err := st.Seal.Open(of.sealedKey(), id, s.SealedKey)
	if err != nil {
		return to, err
	}
	to.Key, err = ssh.ParsePrivateKey(private)
	return to, err
}

// usesKey reports whether an address is reached by SSH without a password.
func usesKey(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "ssh" {
		return false
	}
	_, hasPassword := u.User.Password()
	return !hasPassword
}

// publicKey returns the key that the other host must know.
func (s SSH) publicKey() (string, error) {
	if s.PublicKey == nil {
		return "", fault.NotFound("")
	}
	return *s.PublicKey, nil
}

package people

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/jackc/pgx/v5"

	"hew/server/check"
	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/setting"
	"hew/server/sshkey"
	"hew/server/tree"
)

// SSHKey is the public half of an SSH key of a user.
type SSHKey struct {
	ID                  int64      `db:"id,auto" json:"id"`
	UserID              int64      `db:"user_id" json:"-"`
	Title               string     `db:"title" json:"title"`
	CreatedAt           time.Time  `db:"created_at,auto" json:"created_at"`
	ExpiresAt           *time.Time `db:"expires_at" json:"expires_at"`
	Key                 string     `db:"key" json:"key"`
	UsageType           string     `db:"usage_type" json:"usage_type"` // auth_and_signing, auth, signing
	sshkey.Fingerprints `json:"-"`
}

// GPGKey is a public OpenPGP key of a user.
type GPGKey struct {
	ID          int64     `db:"id,auto" json:"id"`
	UserID      int64     `db:"user_id" json:"-"`
	Key         string    `db:"key" json:"key"` // armored
	Fingerprint string    `db:"fingerprint" json:"-"`
	Subkeys     []string  `db:"subkeys" json:"-"` // their key ids: the last 16 digits of fingerprints
	CreatedAt   time.Time `db:"created_at,auto" json:"created_at"`
}

// KeyTable reads a table of keys of users.
type KeyTable[T any] struct{ name, what string }

// The tables of keys.
var (
	SSHKeys = KeyTable[SSHKey]{"ssh_keys", "Key"}
	GPGKeys = KeyTable[GPGKey]{"gpg_keys", "GPG Key"}
)

func (t KeyTable[T]) query() string { return `select t.* from ` + t.name + ` t` }

// List lists the keys of a user, by id.
func (t KeyTable[T]) List(ctx context.Context, s *db.Store, userID int64, p db.Page) ([]T, int, error) {
	w := db.NewWhere(nil)
	w.And(`t.user_id = @user`, userID)
	return db.List[T](ctx, s, p, db.Order{}, "t.id", t.query(), w)
}

// One returns a key of a user, or a not-found fault.
func (t KeyTable[T]) One(ctx context.Context, s *db.Store, userID, id int64) (T, error) {
	return db.One[T](ctx, s, t.what, t.query()+` where t.user_id = @user and t.id = @id`,
		pgx.NamedArgs{"user": userID, "id": id})
}

// Find returns the oldest key that satisfies a condition, whosever it is, or a not-found fault.
func (t KeyTable[T]) Find(ctx context.Context, s *db.Store, cond db.Condition) (T, error) {
	w := db.NewWhere(nil)
	cond(w)
	return db.One[T](ctx, s, t.what, t.query()+w.String()+` order by t.id limit 1`, w.Args)
}

// SSHKeysOf returns the SSH keys of users, by id.
func SSHKeysOf(ctx context.Context, s *db.Store, users []int64) ([]SSHKey, error) {
	return db.Many[SSHKey](ctx, s, SSHKeys.query()+` where t.user_id = any(@users) order by t.id`,
		pgx.NamedArgs{"users": users})
}

// remove deletes a key of a user and returns it. A missing one is a not-found fault.
func (t KeyTable[T]) remove(ctx context.Context, s *db.Store, userID, id int64) (T, error) {
	return db.One[T](ctx, s, t.what, `delete from `+t.name+` t where t.user_id = @user and t.id = @id returning t.*`,
		pgx.NamedArgs{"user": userID, "id": id})
}

// ByFingerprint returns the condition of the SSH key with a fingerprint: MD5, or SHA-256 with the
// prefix "SHA256:".
func ByFingerprint(fingerprint string) db.Condition {
	return func(w *db.Where) { w.And(`@print in (t.fingerprint, t.fingerprint_sha256)`, fingerprint) }
}

// GPGKeysWithID returns the keys that have a key id, 16 digits in lower case, themselves or as a
// subkey, and the keys whose subkeys are not known, by id.
func GPGKeysWithID(ctx context.Context, s *db.Store, keyID string) ([]GPGKey, error) {
	return db.Many[GPGKey](ctx, s, GPGKeys.query()+`
		where right(t.fingerprint, 16) = @key or t.subkeys @> array[@key] or t.subkeys is null order by t.id`,
		pgx.NamedArgs{"key": keyID})
}

// AddSSHKey stores the key of a user from title, key, usage and expiry of k (more-2 §8.4).
func AddSSHKey(ctx context.Context, st *db.Store, u tree.User, k SSHKey) (SSHKey, error) {
	k.Key, k.UserID = strings.TrimSpace(k.Key), u.ID
	key, prints, err := sshkey.Parse(k.Key)
	if err != nil {
		return k, err
	}
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return k, err
	}
	var wrong check.Problems
	if wrong.Fits("title", k.Title, 255) && strings.TrimSpace(k.Title) == "" {
		wrong.On("title", check.Blank)
	}
	if weak := sshkey.FindProblem(key, settings.KeyRestrictions); weak != "" {
		wrong.On("key", weak)
	}
	if k.ExpiresAt != nil && !k.ExpiresAt.After(time.Now()) {
		wrong.On("key", "has expired")
	}
	if err := wrong.Err(); err != nil {
		return k, err
	}
	k.Fingerprints = prints
	err = st.Tx(ctx, func(st *db.Store) error {
		id, err := st.Insert(ctx, SSHKeys.name, k)
		if err != nil {
			return err
		}
		if k, err = SSHKeys.One(ctx, st, u.ID, id); err != nil {
			return err
		}
		return event.Emit(ctx, st, KeyChanged{What: KeyCreated, Key: k, Owner: u})
	})
	return k, err
}

// RemoveSSHKey deletes the key of a user.
func RemoveSSHKey(ctx context.Context, st *db.Store, u tree.User, id int64) error {
	return st.Tx(ctx, func(st *db.Store) error {
		k, err := SSHKeys.remove(ctx, st, u.ID, id)
		if err != nil {
			return err
		}
		return event.Emit(ctx, st, KeyChanged{What: KeyDestroyed, Key: k, Owner: u})
	})
}

// The first and last line of an armored key.
const (
	armorBegin = "-----BEGIN PGP PUBLIC KEY BLOCK-----"
	armorEnd   = "-----END PGP PUBLIC KEY BLOCK-----"
)

// AddGPGKey stores the armored public key of a user.
func AddGPGKey(ctx context.Context, st *db.Store, u tree.User, armored string) (GPGKey, error) {
	k := GPGKey{UserID: u.ID, Key: strings.TrimSpace(armored)}
	key, err := parseGPGKey(k.Key)
	if err != nil {
		return k, err
	}
	k.Fingerprint, k.Subkeys = hex.EncodeToString(key.PrimaryKey.Fingerprint), []string{}
	for _, subkey := range key.Subkeys {
		k.Subkeys = append(k.Subkeys, fmt.Sprintf("%016x", subkey.PublicKey.KeyId))
	}
	id, err := st.Insert(ctx, GPGKeys.name, k)
	if err != nil {
		return k, err
	}
	return GPGKeys.One(ctx, st, u.ID, id)
}

// parseGPGKey returns the key of a text that is one armored public key and nothing else, or an
// invalid fault. The whole text is stored and shown to everybody.
func parseGPGKey(armored string) (*openpgp.Entity, error) {
	ring, err := openpgp.ReadArmoredKeyRing(strings.NewReader(armored))
	whole := strings.HasPrefix(armored, armorBegin) && strings.HasSuffix(armored, armorEnd) &&
		strings.Count(armored, "-----BEGIN ") == 1
	if err != nil || !whole || len(ring) != 1 || hasPrivateKey(ring[0]) {
		return nil, fault.Invalid("key", "is invalid. A valid public GPG key must begin with '"+armorBegin+
			"' and end with '"+armorEnd+"'").Because(err)
	}
	return ring[0], nil
}

// hasPrivateKey reports whether a key or one of its subkeys has its private half.
func hasPrivateKey(key *openpgp.Entity) bool {
	return key.PrivateKey != nil ||
		slices.ContainsFunc(key.Subkeys, func(s openpgp.Subkey) bool { return s.PrivateKey != nil })
}

// RemoveGPGKey deletes the key of a user.
func RemoveGPGKey(ctx context.Context, st *db.Store, u tree.User, id int64) error {
	_, err := GPGKeys.remove(ctx, st, u.ID, id)
	return err
}

package code

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/people"
	"hew/server/tree"
)

// Signature is what is known about the signature of a commit or a tag (more-2 §8.4).
type Signature struct {
	Type   string // PGP, SSH, X509
	Status string // verification_status

	GPG  *GPGSigner
	SSH  *people.SSHKey // nil: nobody has added the key
	X509 *Certificate
}

// The states of signatures.
const (
	verified           = "verified"
	unverified         = "unverified"
	sameUser           = "same_user_different_email"
	otherUser          = "other_user"
	unverifiedKey      = "unverified_key"
	unknownKey         = "unknown_key"
	multipleSignatures = "multiple_signatures"
)

// signed is an object with a signature, and the e-mail address of its committer or tagger.
type signed struct {
	armored, email string
	payload        []byte
}

// CommitSignature checks the signature of a commit. An unsigned one is a not-found fault.
func (g *Git) CommitSignature(ctx context.Context, id object.ID) (Signature, error) {
	c, err := object.ReadCommit(ctx, g, id)
	if err != nil {
		return Signature{}, err
	}
	return verifySignature(ctx, g.st, signed{c.Signature, c.Committer.Email, c.SignedPayload()})
}

// TagSignature checks the signature of an annotated tag. Others are a not-found fault, as are those
// that are not signed.
func (g *Git) TagSignature(ctx context.Context, r Ref) (Signature, error) {
	t, err := g.Annotation(ctx, r)
	if err != nil {
		return Signature{}, err
	}
	if t == nil {
		return Signature{}, fault.NotFound("Signature")
	}
	return verifySignature(ctx, g.st, signed{t.Signature, t.Tagger.Email, t.SignedPayload()})
}

// verifySignature checks a signature of any kind.
func verifySignature(ctx context.Context, st *db.Store, s signed) (Signature, error) {
	switch {
	case strings.HasPrefix(s.armored, "-----BEGIN PGP"):
		return verifyGPG(ctx, st, s)
	case strings.HasPrefix(s.armored, "-----BEGIN SSH"):
		return verifySSH(ctx, st, s)
	case strings.HasPrefix(s.armored, "-----BEGIN SIGNED MESSAGE"):
		return verifyX509(ctx, st, s)
	}
	return Signature{}, fault.NotFound("Signature")
}

// signer is the owner of a key.
type signer struct{ tree.User }

func findSigner(ctx context.Context, st *db.Store, id int64) (signer, error) {
	u, err := tree.FindUser(ctx, st, id)
	return signer{u}, err
}

// confirmed reports whether an address is one that the owner has confirmed.
func (s signer) confirmed(email string) bool {
	return s.ID != 0 && email != "" && strings.EqualFold(s.Email, email)
}

// uses reports whether an address is any of the owner's.
func (s signer) uses(email string) bool {
	return s.confirmed(email) || s.CommitEmail != nil && email != "" && strings.EqualFold(*s.CommitEmail, email)
}

// userOf returns the id of the user with an address, 0 if there is none.
func userOf(ctx context.Context, st *db.Store, email string) (int64, error) {
	return db.Value[int64](ctx, st, `
		select coalesce((select u.id from users u where lower(u.email) = lower(@email)), 0)`,
		pgx.NamedArgs{"email": email})
}

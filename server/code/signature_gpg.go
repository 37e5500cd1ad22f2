package code

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"

	"hew/server/db"
	"hew/server/people"
)

// GPGSigner is the key that an OpenPGP signature names. If nobody has added it, there is only the
// key id.
type GPGSigner struct {
	RowID            int64  // 0: unknown
	KeyID            string // that of the key or, for a signature by a subkey, of its primary key
	SubkeyID         string // "": the key itself signed
	UserName, UserID string // name and address of the first identity
}

// verifyGPG checks an OpenPGP signature.
func verifyGPG(ctx context.Context, st *db.Store, s signed) (Signature, error) {
	result := Signature{Type: "PGP", Status: unknownKey, GPG: &GPGSigner{}}
	signatures, raw := readGPG(s.armored)
	switch {
	case len(signatures) > 1:
		result.Status = multipleSignatures
		return result, nil
	case len(signatures) == 0 || signatures[0].IssuerKeyId == nil:
		result.Status = unverified
		return result, nil
	}
	keyID := *signatures[0].IssuerKeyId
	result.GPG.KeyID = fmt.Sprintf("%016X", keyID)
	rows, err := people.GPGKeysWithID(ctx, st, fmt.Sprintf("%016x", keyID))
	if err != nil {
		return result, err
	}
	for _, row := range rows {
		ring, err := openpgp.ReadArmoredKeyRing(strings.NewReader(row.Key))
		if err != nil || len(ring) != 1 || len(ring.KeysById(keyID)) == 0 {
			continue // the key id is that of another one
		}
		owner, err := findSigner(ctx, st, row.UserID)
		if err != nil {
			return result, err
		}
		_, err = openpgp.CheckDetachedSignature(ring, bytes.NewReader(s.payload), bytes.NewReader(raw), nil)
		result.GPG = newGPGSigner(row, ring[0], keyID)
		result.Status = judgeGPG(ring[0], owner, s.email, err == nil)
		return result, nil
	}
	return result, nil
}

// readGPG returns the signatures of an armored text, and their bytes.
func readGPG(armored string) (signatures []*packet.Signature, raw []byte) {
	block, err := armor.Decode(strings.NewReader(armored))
	if err != nil {
		return nil, nil
	}
	if raw, err = io.ReadAll(block.Body); err != nil {
		return nil, nil
	}
	packets := packet.NewReader(bytes.NewReader(raw))
	for {
		p, err := packets.Next()
		if err != nil {
			return signatures, raw
		}
		if signature, ok := p.(*packet.Signature); ok {
			signatures = append(signatures, signature)
		}
	}
}

// judgeGPG returns the state of a signature by a known key (more-2 §8.4).
func judgeGPG(key *openpgp.Entity, owner signer, email string, valid bool) string {
	keyVerified, ofCommitter := false, false
	for _, identity := range key.Identities {
		if owner.confirmed(identity.UserId.Email) {
			keyVerified = true
			ofCommitter = ofCommitter || strings.EqualFold(identity.UserId.Email, email)
		}
	}
	switch {
	case !keyVerified || !valid:
		return unverifiedKey
	case ofCommitter:
		return verified
	case owner.uses(email):
		return sameUser
	}
	return otherUser
}

func newGPGSigner(row people.GPGKey, key *openpgp.Entity, keyID uint64) *GPGSigner {
	g := &GPGSigner{RowID: row.ID, KeyID: strings.ToUpper(hex.EncodeToString(key.PrimaryKey.Fingerprint))}
	g.KeyID = g.KeyID[max(len(g.KeyID)-16, 0):]
	if keyID != key.PrimaryKey.KeyId {
		g.SubkeyID = fmt.Sprintf("%016X", keyID)
	}
	for _, name := range slices.Sorted(maps.Keys(key.Identities)) {
		id := key.Identities[name].UserId
		g.UserName, g.UserID = id.Name, id.Email
		break
	}
	return g
}

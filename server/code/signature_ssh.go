package code

import (
	"context"
	"crypto"
	_ "crypto/sha512" // the hash of most signatures
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/ssh"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/people"
)

// verifySSH checks a signature that ssh-keygen -Y sign made.
func verifySSH(ctx context.Context, st *db.Store, s signed) (Signature, error) {
	result := Signature{Type: "SSH", Status: unverified}
	key, err := checkSSH(s)
	if err != nil || s.email == "" {
		return result, nil
	}
	row, err := people.SSHKeys.Find(ctx, st, func(w *db.Where) {
		w.And(`t.fingerprint_sha256 = @print`, ssh.FingerprintSHA256(key))
		w.And(`t.usage_type in ('auth_and_signing', 'signing')`)
	})
	if fault.CodeOf(err) == fault.CodeNotFound {
		result.Status = unknownKey
		return result, nil
	}
	if err != nil {
		return result, err
	}
	result.SSH = &row
	owner, err := findSigner(ctx, st, row.UserID)
	if err != nil {
		return result, err
	}
	committer, err := userOf(ctx, st, s.email)
	switch {
	case err != nil:
		return result, err
	case owner.confirmed(s.email):
		result.Status = verified
	case committer != 0 && committer != owner.ID:
		result.Status = otherUser
	}
	return result, nil
}

// The lines around an SSH signature, and what its bytes begin with.
const (
	sshBegin, sshEnd = "-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"
	sshMagic         = "SSHSIG"
	gitNamespace     = "git"
)

// sshSignature is the format of OpenSSH's PROTOCOL.sshsig.
type sshSignature struct {
	Version                        uint32
	Key                            []byte
	Namespace, Reserved, Algorithm string
	Signature                      []byte
}

// sshPayload is what the key signs.
type sshPayload struct {
	Namespace, Reserved, Algorithm string
	Sum                            []byte
}

// checkSSH returns the key that made a signature for git over this very payload.
func checkSSH(s signed) (ssh.PublicKey, error) {
	text, ok := strings.CutPrefix(strings.TrimSpace(s.armored), sshBegin)
	text, ok2 := strings.CutSuffix(text, sshEnd)
	raw, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	body, ok3 := strings.CutPrefix(string(raw), sshMagic)
	if !ok || !ok2 || !ok3 || err != nil {
		return nil, errors.New("it is not an SSH signature")
	}
	var parsed sshSignature
	if err := ssh.Unmarshal([]byte(body), &parsed); err != nil {
		return nil, err
	}
	hashes := map[string]crypto.Hash{"sha256": crypto.SHA256, "sha512": crypto.SHA512}
	hash, known := hashes[parsed.Algorithm]
	if parsed.Version != 1 || parsed.Namespace != gitNamespace || !known {
		return nil, fmt.Errorf("version %d, namespace %q, hash %q", parsed.Version, parsed.Namespace, parsed.Algorithm)
	}
	key, err := ssh.ParsePublicKey(parsed.Key)
	if err != nil {
		return nil, err
	}
	var signature ssh.Signature
	if err := ssh.Unmarshal(parsed.Signature, &signature); err != nil {
		return nil, err
	}
	if signature.Format == ssh.KeyAlgoRSA {
		return nil, errors.New("signatures with SHA-1 are not accepted")
	}
	sum := hash.New()
	sum.Write(s.payload)
	payload := ssh.Marshal(sshPayload{parsed.Namespace, parsed.Reserved, parsed.Algorithm, sum.Sum(nil)})
	return key, key.Verify(append([]byte(sshMagic), payload...), &signature)
}

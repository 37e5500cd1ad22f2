// Package sshkey reads the public halves of SSH keys and says which of them an instance accepts.
package sshkey

import (
	"crypto/rsa"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/crypto/ssh"

	"hew/server/fault"
	"hew/server/setting"
)

// keyTypes lists the types of SSH keys that the server accepts, in the order of messages, and what
// the settings demand of each.
var keyTypes = []struct {
	name, prefix string
	least        func(setting.KeyRestrictions) int
}{
	{"RSA", "ssh-rsa", func(r setting.KeyRestrictions) int { return r.RSA }},
	{"DSA", "ssh-dss", func(r setting.KeyRestrictions) int { return r.DSA }},
	{"ECDSA", "ecdsa-sha2-", func(r setting.KeyRestrictions) int { return r.ECDSA }},
	{"ED25519", "ssh-ed25519", func(r setting.KeyRestrictions) int { return r.ED25519 }},
	{"ECDSA_SK", "sk-ecdsa-sha2-", func(r setting.KeyRestrictions) int { return r.ECDSASK }},
	{"ED25519_SK", "sk-ssh-ed25519", func(r setting.KeyRestrictions) int { return r.ED25519SK }},
}

const forbiddenKey = -1 // in place of a number of bits

// Fingerprints are those of a key. They are columns of every table of SSH keys.
type Fingerprints struct {
	Fingerprint       string `db:"fingerprint" json:"fingerprint"` // MD5
	FingerprintSHA256 string `db:"fingerprint_sha256" json:"fingerprint_sha256"`
}

// Parse parses the public half of an SSH key, one line as in authorized_keys, without options. Any
// other text is a fault of the field key.
func Parse(text string) (ssh.PublicKey, Fingerprints, error) {
	key, _, options, rest, err := ssh.ParseAuthorizedKey([]byte(text))
	if err != nil || len(options)+len(rest) > 0 || strings.ContainsAny(text, "\r\n") {
		return nil, Fingerprints{}, fault.Invalid("key", "is invalid").Because(err)
	}
	return key, Fingerprints{ssh.FingerprintLegacyMD5(key), ssh.FingerprintSHA256(key)}, nil
}

// FindProblem returns why the settings refuse a key, or an empty text.
func FindProblem(key ssh.PublicKey, r setting.KeyRestrictions) string {
	for _, t := range keyTypes {
		if !strings.HasPrefix(key.Type(), t.prefix) {
			continue
		}
		switch least := t.least(r); {
		case least == forbiddenKey:
			return "type is forbidden. Must be " + orList(allowedTypes(r))
		case keyBits(key) < least:
			return fmt.Sprintf("must be at least %d bits", least)
		}
		return ""
	}
	return "is invalid" // a certificate, for one
}

func allowedTypes(r setting.KeyRestrictions) (names []string) {
	for _, t := range keyTypes {
		if t.least(r) != forbiddenKey {
			names = append(names, t.name)
		}
	}
	return names
}

// orList returns a list in a sentence: "RSA, ECDSA, or ED25519".
func orList(words []string) string {
	switch last := len(words) - 1; last {
	case -1:
		return "none"
	case 0:
		return words[0]
	case 1:
		return words[0] + " or " + words[1]
	default:
		return strings.Join(slices.Concat(words[:last], []string{"or " + words[last]}), ", ")
	}
}

// keyBits returns the length of a key in bits. Only RSA keys have different lengths; for the others
// it follows from the type.
func keyBits(key ssh.PublicKey) int {
	if k, ok := key.(ssh.CryptoPublicKey); ok {
		if k, ok := k.CryptoPublicKey().(*rsa.PublicKey); ok {
			return k.N.BitLen()
		}
	}
	switch key.Type() {
	case "ssh-dss":
		return 1024
	case ssh.KeyAlgoECDSA384:
		return 384
	case ssh.KeyAlgoECDSA521:
		return 521
	}
	return 256
}

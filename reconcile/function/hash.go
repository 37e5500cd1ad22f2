package function

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"hash"

	"github.com/hashicorp/go-cty-funcs/crypto"
	"github.com/hashicorp/go-cty-funcs/uuid"

	"hew/reconcile/file"
)

var hashFuncs = []entry{
	{"base64sha256", pureStringFunc(digest(sha256.New, encode64)), "The SHA-256 hash of a string, in Base64."},
	{"base64sha512", pureStringFunc(digest(sha512.New, encode64)), "The SHA-512 hash of a string, in Base64."},
	{"md5", checked(crypto.Md5Func), "The MD5 hash of a string, in hexadecimal digits."},
	{
		"rsadecrypt",
		checked(crypto.RsaDecryptFunc),
		"The text of RSA-encrypted data that is in Base64. The private key is in PEM format; mark it sensitive.",
	},
	{"sha1", checked(crypto.Sha1Func), "The SHA-1 hash of a string, in hexadecimal digits."},
	{"sha256", checked(crypto.Sha256Func), "The SHA-256 hash of a string, in hexadecimal digits."},
	{"sha512", checked(crypto.Sha512Func), "The SHA-512 hash of a string, in hexadecimal digits."},
	{"uuidv5", checked(uuid.V5Func), "The version 5 UUID of a name in a namespace: dns, url, oid, x500 or a UUID."},
}

func fileHashFuncs(dir file.Dir) []entry {
	return []entry{
		{
			"filebase64sha256",
			fileFunc(dir, digest(sha256.New, encode64)),
			"The SHA-256 hash of a file's bytes, in Base64.",
		},
		{
			"filebase64sha512",
			fileFunc(dir, digest(sha512.New, encode64)),
			"The SHA-512 hash of a file's bytes, in Base64.",
		},
		{
			"filemd5",
			fileFunc(dir, digest(md5.New, hex.EncodeToString)),
			"The MD5 hash of a file's bytes, in hexadecimal digits.",
		},
		{
			"filesha1",
			fileFunc(dir, digest(sha1.New, hex.EncodeToString)),
			"The SHA-1 hash of a file's bytes, in hexadecimal digits.",
		},
		{
			"filesha256",
			fileFunc(dir, digest(sha256.New, hex.EncodeToString)),
			"The SHA-256 hash of a file's bytes, in hexadecimal digits.",
		},
		{
			"filesha512",
			fileFunc(dir, digest(sha512.New, hex.EncodeToString)),
			"The SHA-512 hash of a file's bytes, in hexadecimal digits.",
		},
	}
}

func digest(algorithm func() hash.Hash, write func([]byte) string) func(string) string {
	return func(s string) string {
		h := algorithm()
		h.Write([]byte(s))
		return write(h.Sum(nil))
	}
}

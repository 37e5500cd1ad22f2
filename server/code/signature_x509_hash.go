package code

import (
	"crypto"
	"crypto/x509"
)

// cmsAlgorithm is a hash and the signatures that are made with it, by the kind of the key.
type cmsAlgorithm struct {
	hash crypto.Hash
	by   map[x509.PublicKeyAlgorithm]x509.SignatureAlgorithm
}

// cmsAlgorithms are the hashes that signatures may use, by their object identifiers.
var cmsAlgorithms = map[string]cmsAlgorithm{
	"2.16.840.1.101.3.4.2.1": {crypto.SHA256, map[x509.PublicKeyAlgorithm]x509.SignatureAlgorithm{
		x509.RSA: x509.SHA256WithRSA, x509.ECDSA: x509.ECDSAWithSHA256,
	}},
	"2.16.840.1.101.3.4.2.2": {crypto.SHA384, map[x509.PublicKeyAlgorithm]x509.SignatureAlgorithm{
		x509.RSA: x509.SHA384WithRSA, x509.ECDSA: x509.ECDSAWithSHA384,
	}},
	"2.16.840.1.101.3.4.2.3": {crypto.SHA512, map[x509.PublicKeyAlgorithm]x509.SignatureAlgorithm{
		x509.RSA: x509.SHA512WithRSA, x509.ECDSA: x509.ECDSAWithSHA512, x509.Ed25519: x509.PureEd25519,
	}},
}

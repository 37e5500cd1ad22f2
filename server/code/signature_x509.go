package code

import (
	"bytes"
	"context"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/pem"
	"errors"
	"math/big"
	"slices"
	"strings"

	"hew/server/db"
)

// Certificate is the X.509 certificate that made a signature.
type Certificate struct {
	*x509.Certificate
	Issuer *x509.Certificate // nil: the signature does not contain it
}

// verifyX509 checks a signature by a certificate that the system of the server trusts. It does not
// ask for lists of revoked certificates.
func verifyX509(ctx context.Context, st *db.Store, s signed) (Signature, error) {
	result := Signature{Type: "X509", Status: unverified}
	certificate, err := checkX509(s, nil)
	if certificate.Certificate != nil {
		result.X509 = &certificate
	}
	if err != nil {
		return result, nil
	}
	committer, err := userOf(ctx, st, s.email)
	if err == nil && committer != 0 {
		result.Status = verified
	}
	return result, err
}

// The parts of a message of RFC 5652 that signatures have.
type (
	cmsContent struct {
		Type    asn1.ObjectIdentifier
		Content asn1.RawValue `asn1:"explicit,optional,tag:0"`
	}
	cmsSigned struct {
		Version      int
		Hashes       asn1.RawValue
		Content      cmsContent
		Certificates asn1.RawValue `asn1:"optional,tag:0"`
		Revoked      asn1.RawValue `asn1:"optional,tag:1"`
		Signers      []cmsSigner   `asn1:"set"`
	}
	cmsSigner struct {
		Version int
		Name    struct {
			Issuer asn1.RawValue
			Serial *big.Int
		}
		Hash       pkix.AlgorithmIdentifier
		Attributes asn1.RawValue `asn1:"optional,tag:0"`
		Algorithm  pkix.AlgorithmIdentifier
		Signature  []byte
		Unsigned   asn1.RawValue `asn1:"optional,tag:1"`
	}
	cmsAttribute struct {
		Type   asn1.ObjectIdentifier
		Values asn1.RawValue
	}
)

var messageDigest = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 4}

// checkX509 returns the certificate of a signature, and an error unless it signs this payload, its
// chain ends at the roots (nil: those of the system) and it has the address of the committer.
func checkX509(s signed, roots *x509.CertPool) (c Certificate, err error) {
	message, chain, err := parseCMS(s.armored)
	if err != nil {
		return c, err
	}
	if len(message.Signers) != 1 {
		return c, errors.New("want one signer")
	}
	by := message.Signers[0]
	find := func(matches func(*x509.Certificate) bool) *x509.Certificate {
		if i := slices.IndexFunc(chain, matches); i >= 0 {
			return chain[i]
		}
		return nil
	}
	c.Certificate = find(func(c *x509.Certificate) bool {
		return c.SerialNumber.Cmp(by.Name.Serial) == 0 && bytes.Equal(c.RawIssuer, by.Name.Issuer.FullBytes)
	})
	if c.Certificate == nil {
		return c, errors.New("the certificate of the signer is missing")
	}
	c.Issuer = find(func(i *x509.Certificate) bool { return bytes.Equal(i.RawSubject, c.RawIssuer) })
	if err := by.check(c.Certificate, s.payload); err != nil {
		return c, err
	}
	between := x509.NewCertPool()
	for _, cert := range chain {
		between.AddCert(cert)
	}
	if _, err := c.Verify(x509.VerifyOptions{
		Roots: roots, Intermediates: between, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny},
	}); err != nil {
		return c, err
	}
	if !slices.ContainsFunc(c.EmailAddresses, func(e string) bool { return strings.EqualFold(e, s.email) }) {
		return c, errors.New("the certificate has another address than the committer")
	}
	return c, nil
}

func parseCMS(armored string) (m cmsSigned, chain []*x509.Certificate, err error) {
	block, _ := pem.Decode([]byte(armored))
	if block == nil {
		return m, nil, errors.New("it is not armored")
	}
	var content cmsContent
	if _, err := asn1.Unmarshal(block.Bytes, &content); err != nil {
		return m, nil, err
	}
	if _, err := asn1.Unmarshal(content.Content.Bytes, &m); err != nil {
		return m, nil, err
	}
	chain, err = x509.ParseCertificates(m.Certificates.Bytes)
	return m, chain, err
}

// check verifies the signature over the attributes, which include the hash of the payload.
func (by cmsSigner) check(c *x509.Certificate, payload []byte) error {
	algorithm, ok := cmsAlgorithms[by.Hash.Algorithm.String()]
	if !ok {
		return errors.New("the hash is not accepted")
	}
	data := payload
	if len(by.Attributes.FullBytes) > 0 {
		sum := algorithm.hash.New()
		sum.Write(payload)
		if !bytes.Equal(by.digest(), sum.Sum(nil)) {
			return errors.New("it signs something else")
		}
		data = bytes.Clone(by.Attributes.FullBytes)
		data[0] = asn1.TagSet | 0x20 // it is signed as the set that it is
	}
	return c.CheckSignature(algorithm.by[c.PublicKeyAlgorithm], data, by.Signature)
}

// digest returns the attribute messageDigest.
func (by cmsSigner) digest() []byte {
	for rest := by.Attributes.Bytes; len(rest) > 0; {
		var a cmsAttribute
		var err error
		if rest, err = asn1.Unmarshal(rest, &a); err != nil {
			return nil
		}
		var digest []byte
		if a.Type.Equal(messageDigest) {
			_, _ = asn1.Unmarshal(a.Values.Bytes, &digest) // nil is no hash of anything
			return digest
		}
	}
	return nil
}

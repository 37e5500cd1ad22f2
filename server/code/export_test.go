package code

import "crypto/x509"

// CheckX509 checks a signature with roots that a test trusts.
func CheckX509(armored, email string, payload []byte, roots *x509.CertPool) (Certificate, error) {
	return checkX509(signed{armored, email, payload}, roots)
}

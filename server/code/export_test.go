package code

import (
	"crypto/x509"

	"hew/server/db"
)

// EvictAll removes all copies that nobody uses.
func EvictAll(st *db.Store) error { return storageOf(st).evict(0) }

// CopiedBytes returns the size of all copies.
func CopiedBytes(st *db.Store) (n int64) {
	s := storageOf(st)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.copies {
		n += c.bytes()
	}
	return n
}

// CheckX509 checks a signature with roots that a test trusts.
func CheckX509(armored, email string, payload []byte, roots *x509.CertPool) (Certificate, error) {
	return checkX509(signed{armored, email, payload}, roots)
}

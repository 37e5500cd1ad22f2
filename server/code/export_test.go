package code

import (
	"context"
	"crypto/x509"
	"time"

	"hew/server/db"
	"hew/server/git/object"
)

// EvictAll removes all copies that nobody uses.
func EvictAll(st *db.Store) error { return storageOf(st).evict(0) }

// Forget forgets what was not asked for since a time, and returns of how many repositories
// something is kept.
func Forget(st *db.Store, before time.Time) (kept int, err error) {
	s := storageOf(st)
	err = s.forget(before)
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(len(s.copies), len(s.histories)), err
}

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

// NewIn returns what finds the new commits that a commit reaches, of a push that brings a number of
// commits, parents first.
func NewIn(commits int, commit func(i int) (object.ID, []object.ID)) func(...object.ID) []object.ID {
	r := rules{fresh: map[object.ID]int{}}
	for i := range commits {
		id, parents := commit(i)
		r.change.Commits, r.fresh[id] = append(r.change.Commits, freshCommit{id, parents}), i
	}
	return r.newIn
}

// LimitObjects limits the objects that are read from packs, in bytes.
func LimitObjects(st *db.Store, limit int64) { storageOf(st).maxObject = limit }

// CopiedPacks returns the number of packs of all copies.
func CopiedPacks(st *db.Store) (n int) {
	for _, c := range storageOf(st).allCopies() {
		n += len(c.packs)
	}
	return n
}

// CheckX509 checks a signature with roots that a test trusts.
func CheckX509(armored, email string, payload []byte, roots *x509.CertPool) (Certificate, error) {
	return checkX509(signed{armored, email, payload}, roots)
}

// Collect collects the garbage of a repository, keeping for a time what was found now.
func Collect(ctx context.Context, st *db.Store, repository int64, grace time.Duration) error {
	return storageOf(st).collect(ctx, st, repository, grace)
}

// BeforeExchange has collections call a function before their last step, when they have read all.
func BeforeExchange(st *db.Store, do func()) { storageOf(st).beforeExchange = do }

// BeforePush has pushes call a function when their objects are checked.
func BeforePush(st *db.Store, do func()) { storageOf(st).beforePush = do }

// JoinPacks joins the small packs of a repository.
func JoinPacks(ctx context.Context, st *db.Store, repository int64) error {
	return storageOf(st).joinPacks(ctx, st, repository)
}

// CountSmall returns how many of packs with these numbers of objects are joined.
func CountSmall(objects ...int) int {
	packs := make([]linkedPack, len(objects))
	for i, n := range objects {
		packs[i].Objects = n
	}
	return countSmall(packs)
}

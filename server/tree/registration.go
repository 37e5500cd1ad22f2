package tree

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
)

// A registration token makes runners for the instance, a group or a project (gaps §10.4). Those of
// groups and projects are shown to their administrators, so they are stored sealed, and found by
// their digest.

// The columns of the tokens, which their seals are bound to.
const (
	GroupRunnersToken   = "namespaces.runners_token"
	ProjectRunnersToken = "projects.runners_token"
)

// registrationPrefix marks registration tokens (gaps §1.3).
const registrationPrefix = "GR1348941"

// Registration is the registration token of a group or project.
type Registration struct {
	RunnersToken       []byte `db:"runners_token"` // sealed: see RunnersToken and ProjectRunnersToken of the store
	RunnersTokenDigest []byte `db:"runners_token_digest"`
}

// NewRegistration returns a new token for the row with that id, and what is stored of it.
func NewRegistration(s *db.Store, where string, id int64) (plain string, r Registration) {
	plain = registrationPrefix + rand.Text()[:20]
	return plain, Registration{s.Seal.Seal(where, id, []byte(plain)), DigestOf(plain)}
}

// DigestOf returns the SHA-256 that a token is found by.
func DigestOf(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// GroupRegistrationToken returns the group's registration token in clear, for its owners.
func GroupRegistrationToken(s *db.Store, g Group) (string, error) {
	token, err := s.Seal.Open(GroupRunnersToken, g.ID, g.RunnersToken)
	return string(token), err
}

// ProjectRegistrationToken returns the project's registration token in clear, for its maintainers,
// or "" if there is none.
func ProjectRegistrationToken(s *db.Store, p Project) (string, error) {
	if p.RunnersToken == nil {
		return "", nil
	}
	token, err := s.Seal.Open(ProjectRunnersToken, p.ID, p.RunnersToken)
	return string(token), err
}

// IndexRegistrations fills in the digests of registration tokens from before digests were stored. A
// migration cannot, since the database has no key.
func IndexRegistrations(ctx context.Context, s *db.Store) error {
	for table, where := range map[string]string{"namespaces": GroupRunnersToken, "projects": ProjectRunnersToken} {
		for more := true; more; {
			list, err := db.Many[struct {
				ID    int64  `db:"id"`
				Token []byte `db:"runners_token"`
			}](ctx, s, `
				select id, runners_token from `+table+`
				where runners_token is not null and runners_token_digest is null order by id limit 1000`, nil)
			if err != nil {
				return err
			}
			more = len(list) > 0
			ids, digests := make([]int64, len(list)), make([][]byte, len(list))
			for i, row := range list {
				token, err := s.Seal.Open(where, row.ID, row.Token)
				if err != nil {
					return fmt.Errorf("registration token of %s %d: %w", table, row.ID, err)
				}
				ids[i], digests[i] = row.ID, DigestOf(string(token))
			}
			if err := s.Exec(ctx, `
				update `+table+` t set runners_token_digest = d.digest
				from unnest(@ids::bigint[], @digests::bytea[]) d (id, digest) where t.id = d.id`,
				pgx.NamedArgs{"ids": ids, "digests": digests}); err != nil {
				return err
			}
		}
	}
	return nil
}

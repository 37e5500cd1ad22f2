package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// With a registration token runners are made for the instance, a group or a project (gaps §10.4). Those of groups and
// projects are shown to whoever administers these, and therefore sealed; what is looked for by one is found by its digest.

// Where the tokens are, for their seals.
const (
	groupRunnersToken   = "namespaces.runners_token"
	projectRunnersToken = "projects.runners_token"
)

// registrationPrefix marks registration tokens (gaps §1.3).
const registrationPrefix = "GR1348941"

// Registration is the registration token of a group or project.
type Registration struct {
	RunnersToken       []byte `db:"runners_token"` // sealed: see RunnersToken and ProjectRunnersToken of the store
	RunnersTokenDigest []byte `db:"runners_token_digest"`
}

// newRegistration makes a token for the row with that id, and what is stored of it.
func (s *Store) newRegistration(where string, id int64) (plain string, r Registration) {
	plain = registrationPrefix + rand.Text()[:20]
	return plain, Registration{s.seal.Seal(where, id, []byte(plain)), digestOf(plain)}
}

func digestOf(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// RunnersToken is the group's registration token in clear, for its owners.
func (s *Store) RunnersToken(g Group) (string, error) {
	token, err := s.seal.Open(groupRunnersToken, g.ID, g.RunnersToken)
	return string(token), err
}

// ProjectRunnersToken is the project's registration token in clear, for its maintainers; empty if there is none.
func (s *Store) ProjectRunnersToken(p Project) (string, error) {
	if p.RunnersToken == nil {
		return "", nil
	}
	token, err := s.seal.Open(projectRunnersToken, p.ID, p.RunnersToken)
	return string(token), err
}

// ResetRegistration gives a group, a project or, if it is neither, the instance another registration token.
func (s *Store) ResetRegistration(ctx context.Context, c Container) (string, error) {
	if c == (Container{}) {
		plain, r := s.newRegistration("", 0)
		return plain, s.exec(ctx, `update application_settings set runners_token_digest = @digest where id = 1`,
			pgx.NamedArgs{"digest": r.RunnersTokenDigest})
	}
	table, where := "namespaces", groupRunnersToken
	if c.ProjectID != nil {
		table, where = "projects", projectRunnersToken
	}
	plain, r := s.newRegistration(where, c.ID())
	return plain, s.exec(ctx, `update `+table+` set (runners_token, runners_token_digest) = (@token, @digest) where id = @id`,
		pgx.NamedArgs{"id": c.ID(), "token": r.RunnersToken, "digest": r.RunnersTokenDigest})
}

// Registered is where a registration token is good for: a group, a project, or the instance, which is neither.
func (s *Store) Registered(ctx context.Context, token string) (Container, error) {
	return one[Container](ctx, s, "", `
		select null::bigint as namespace_id, null::bigint as project_id
		from application_settings where runners_token_digest = @digest
		union all
		select id, null from namespaces where runners_token_digest = @digest
		union all
		select null, id from projects where runners_token_digest = @digest`, pgx.NamedArgs{"digest": digestOf(token)})
}

// IndexRegistrations makes registration tokens found that were made before there was anything to find by them: the database
// cannot open them.
func (s *Store) IndexRegistrations(ctx context.Context) error {
	for table, where := range map[string]string{"namespaces": groupRunnersToken, "projects": projectRunnersToken} {
		for more := true; more; {
			list, err := many[struct {
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
				token, err := s.seal.Open(where, row.ID, row.Token)
				if err != nil {
					return fmt.Errorf("registration token of %s %d: %w", table, row.ID, err)
				}
				ids[i], digests[i] = row.ID, digestOf(string(token))
			}
			if err := s.exec(ctx, `
				update `+table+` t set runners_token_digest = d.digest
				from unnest(@ids::bigint[], @digests::bytea[]) d (id, digest) where t.id = d.id`,
				pgx.NamedArgs{"ids": ids, "digests": digests}); err != nil {
				return err
			}
		}
	}
	return nil
}

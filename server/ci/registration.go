package ci

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// ResetRegistration gives a group, a project or, for an empty container, the instance a new
// registration token and returns it.
func ResetRegistration(ctx context.Context, s *db.Store, c db.Container) (string, error) {
	if c == (db.Container{}) {
		plain, r := tree.NewRegistration(s, "", 0)
		return plain, s.Exec(ctx, `update application_settings set runners_token_digest = @digest where id = 1`,
			pgx.NamedArgs{"digest": r.RunnersTokenDigest})
	}
	table, where := "namespaces", tree.GroupRunnersToken
	if c.ProjectID != nil {
		table, where = "projects", tree.ProjectRunnersToken
	}
	plain, r := tree.NewRegistration(s, where, c.ID())
	return plain, s.Exec(ctx, `update `+table+` set (runners_token, runners_token_digest) = (@token, @digest)
		where id = @id`,
		pgx.NamedArgs{"id": c.ID(), "token": r.RunnersToken, "digest": r.RunnersTokenDigest})
}

// FindRegistration returns the group or project that a registration token is for, or an empty
// container for the instance.
func FindRegistration(ctx context.Context, s *db.Store, token string) (db.Container, error) {
	return db.One[db.Container](ctx, s, "", `
		select null::bigint as namespace_id, null::bigint as project_id
		from application_settings where runners_token_digest = @digest
		union all
		select id, null from namespaces where runners_token_digest = @digest
		union all
		select null, id from projects where runners_token_digest = @digest`, pgx.NamedArgs{"digest": tree.DigestOf(token)})
}

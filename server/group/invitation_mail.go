package group

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/mail"
	"hew/server/policy"
	"hew/server/tree"
)

// mailInvitations sends the invitations to a source to these addresses, if there is a mail server.
func mailInvitations(ctx context.Context, st *db.Store, r Roster, addresses []string, role Role) error {
	if len(addresses) == 0 || !mail.Enabled(st) {
		return nil
	}
	m := mail.Message{
		Kind: mail.Invited, About: r.Source.Container(), Text: policy.Roles[policy.Level(role.Level)],
	}
	if r.Source.Project != nil {
		p, err := tree.FindProject(ctx, st, *r.Source.Project)
		if err != nil {
			return err
		}
		m.Title, m.URL = p.FullPath, "/"+p.FullPath
	} else {
		g, err := tree.FindGroup(ctx, st, r.Source.Container().ID())
		if err != nil {
			return err
		}
		m.Title, m.URL = g.FullPath, "/"+g.FullPath
	}
	by, err := tree.FindUser(ctx, st, r.By.ID)
	if err != nil {
		return err
	}
	m.Author, m.Subject = by.Name, by.Name+" invites you to "+m.Title
	return mail.SendTo(ctx, st, addresses, m)
}

// Administrators returns the users who are members of a source, or of a group above it, with at
// least a level, except bots.
func Administrators(ctx context.Context, s *db.Store, src tree.Source, level policy.Level) ([]int64, error) {
	return db.Values[int64](ctx, s, `
		select distinct m.user_id from members m join users u on u.id = m.user_id
		where (m.namespace_id = any(@namespaces) or m.project_id = @project) and m.access_level >= @level
		  and not u.bot and `+tree.Live+`
		union select @holder::bigint where @holder is not null`, pgx.NamedArgs{
		"namespaces": src.Namespaces, "project": src.Project, "level": int(level), "holder": src.Holder,
	})
}

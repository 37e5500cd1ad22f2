package group

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// directoryUser is the user of a person on an LDAP server.
type directoryUser struct {
	Nth    int   `db:"nth"` // index in the arguments
	UserID int64 `db:"user_id"`
}

// findDirectoryUsers returns the users for pairs of a lower-case DN and a user name: users with
// that identity at the provider, or else users of that name without an identity there. Names are
// safe to match because administrators create accounts. Bots never match.
func findDirectoryUsers(
	ctx context.Context, s *db.Store, provider string, dns, names []string,
) ([]directoryUser, error) {
	return db.Many[directoryUser](ctx, s, `
		with asked as (
		    select dn, lower(name) as name, nth - 1 as nth
		      from unnest(@dns::text[], @names::text[]) with ordinality a (dn, name, nth)),
		known as (
		    select u.id, lower(i ->> 'extern_uid') as dn from users u
		      cross join lateral jsonb_array_elements(u.identities) i
		    where u.identities @> jsonb_build_array(jsonb_build_object('provider', @provider::text))
		      and i ->> 'provider' = @provider and not u.bot)
		select asked.nth, known.id as user_id from asked join known on known.dn = asked.dn
		union
		select asked.nth, u.id from asked join users u on lower(u.username) = asked.name
		where not u.bot and asked.name <> '' and not exists (select from known where known.id = u.id)
		order by 1, 2`, pgx.NamedArgs{"provider": provider, "dns": dns, "names": names})
}

// listDirectMembers returns all direct members of a group.
func listDirectMembers(ctx context.Context, s *db.Store, g tree.Group) ([]Member, error) {
	w := MemberFilter{}.where(tree.InGroup(g))
	return db.Many[Member](ctx, s, directMembers+w.String()+` order by m.id`, w.Args)
}

// listLinkedGroups returns the ids of the groups with links to a provider.
func listLinkedGroups(ctx context.Context, s *db.Store, provider string) ([]int64, error) {
	groups, err := db.Many[struct {
		ID int64 `db:"namespace_id"`
	}](ctx, s, `select distinct namespace_id from ldap_group_links where provider = @provider order by 1`,
		pgx.NamedArgs{"provider": provider})
	ids := make([]int64, len(groups))
	for i, g := range groups {
		ids[i] = g.ID
	}
	return ids, err
}

// updateOverride stores whether synchronization leaves a membership alone.
func updateOverride(ctx context.Context, s *db.Store, m Member, to Override) (Member, error) {
	return db.One[Member](ctx, s, "", `
		with changed as (update members set override = @override, updated_at = now() where id = @id returning *)
		`+changedMember, pgx.NamedArgs{"id": m.ID, "override": to})
}

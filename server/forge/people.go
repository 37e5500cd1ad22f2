package forge

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/forge/mapping"
	"hew/server/tree"
)

// identityProvider is the name of the public host of the GitHub kind in identities of users.
const identityProvider = "github"

// shown is what the host shows of a user.
type shown struct {
	ID    int64
	Email string
}

// local is a user here, with what a user of the host is known by.
type local struct {
	ID       int64  `db:"id"`
	Username string `db:"username"`
	Sign     string `db:"sign"`
}

// findPeople returns who of the other host is a user here: those with an identity at the public
// host, and else those with an address that the host shows and a user here has confirmed. A host
// can show any address: only the public one, which has confirmed them, is trusted with those of
// others, unless an administrator imports.
func (r *run) findPeople(ctx context.Context, importer tree.User) (mapping.People, error) {
	users, err := r.shownUsers(ctx)
	if err != nil {
		return nil, err
	}
	byID, err := r.linked(ctx, users)
	if err != nil {
		return nil, err
	}
	byEmail, err := r.confirmed(ctx, users, importer)
	people := mapping.People{}
	for key, u := range users {
		if person, ok := byID[strconv.FormatInt(u.ID, 10)]; ok {
			people[key] = person
		} else if person, ok := byEmail[u.Email]; ok {
			people[key] = person
		}
	}
	return people, err
}

// shownUsers returns what the host has said of users, by login or, where that is how they are
// known, by address.
func (r *run) shownUsers(ctx context.Context) (map[string]shown, error) {
	list, err := db.Many[staged](ctx, r.st, `
		select kind, key, number, document from forge_documents where project_id = @project and kind = @kind`,
		pgx.NamedArgs{"project": r.ProjectID, "kind": kindUser})
	users := map[string]shown{}
	for _, d := range list {
		u := decode[shown](d) // of null: the host has not said anything
		if r.source.Kind == BitbucketServer {
			u.Email = d.Key
		}
		if u.Email = strings.ToLower(u.Email); strings.Contains(u.Email, "\x00") {
			u.Email = ""
		}
		users[d.Key] = u
	}
	return users, err
}

// linked returns users with an identity at the public host, by their id there.
func (r *run) linked(ctx context.Context, users map[string]shown) (map[string]mapping.Person, error) {
	if !r.source.isPublic() {
		return nil, nil
	}
	var wanted []json.RawMessage
	for _, u := range users {
		if u.ID != 0 {
			wanted = append(wanted, json.RawMessage(
				`[{"provider":"`+identityProvider+`","extern_uid":"`+strconv.FormatInt(u.ID, 10)+`"}]`))
		}
	}
	return byWhat(db.Many[local](ctx, r.st, `
		select u.id, u.username, w.identity -> 0 ->> 'extern_uid' as sign
		from unnest(@wanted::jsonb[]) w (identity) join users u on u.identities @> w.identity
		where u.state = 'active' and not u.bot order by u.id`, pgx.NamedArgs{"wanted": wanted}))
}

// confirmed returns users by the address that they have confirmed, as far as the host is trusted.
func (r *run) confirmed(
	ctx context.Context, users map[string]shown, importer tree.User,
) (map[string]mapping.Person, error) {
	emails := []string{}
	for _, u := range users {
		if u.Email != "" {
			emails = append(emails, u.Email)
		}
	}
	return byWhat(db.Many[local](ctx, r.st, `
		select u.id, u.username, lower(u.email) as sign from users u
		where lower(u.email) = any(@emails) and u.confirmed_at is not null and u.state = 'active' and not u.bot
		      and (@trusted or u.id = @importer)`,
		pgx.NamedArgs{"emails": emails, "importer": importer.ID, "trusted": importer.Admin || r.source.isPublic()}))
}

// byWhat returns users by what they are known by.
func byWhat(list []local, err error) (map[string]mapping.Person, error) {
	people := map[string]mapping.Person{}
	for _, u := range list {
		people[u.Sign] = mapping.Person{ID: u.ID, Username: u.Username}
	}
	return people, err
}

package analytics

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/group"
	"hew/server/people"
	"hew/server/policy"
	"hew/server/tree"
)

// tokenPlace is where the token of a project is sealed.
const tokenPlace = "analytics_tokens.sealed_token"

// keptToken is the token of a project by which the engine reads its funnels.
type keptToken struct {
	people.Token
	Sealed []byte `db:"sealed_token"`
	Works  bool   `db:"works"` // its bot is a member still
}

// ProjectToken returns a token of the project by which the engine reads its funnels, valid for a
// day at most. Requests share one until it ends. Then it is revoked, with which its bot goes, and
// another one is made.
func ProjectToken(ctx context.Context, st *db.Store, p tree.Project, by tree.User, who policy.Who) (string, error) {
	var plain string
	holder := group.Holder{Container: p.Container(), By: who}
	err := st.Tx(ctx, func(st *db.Store) error {
		if err := st.Exclusively(ctx, fmt.Sprint("analytics token of project ", p.ID)); err != nil {
			return err
		}
		kept, err := db.One[keptToken](ctx, st, "Token", `
			select t.*, a.sealed_token, u.state = 'active' and exists (
			           select from members m where m.project_id = a.project_id and m.user_id = t.user_id) as works
			from analytics_tokens a join personal_access_tokens t on t.id = a.token_id join users u on u.id = t.user_id
			where a.project_id = @project`, pgx.NamedArgs{"project": p.ID})
		switch {
		case fault.CodeOf(err) == fault.CodeNotFound:
		case err != nil:
			return err
		case kept.Active() && kept.Works:
			text, err := st.Seal.Open(tokenPlace, p.ID, kept.Sealed)
			plain = string(text)
			return err
		case !kept.Revoked:
			if err := people.RevokeToken(ctx, st, kept.Token); err != nil {
				return err
			}
		}
		tomorrow := db.Today().Add(1)
		issued, err := group.CreateAccessToken(ctx, st, holder, by, people.Token{
			Name: "Product analytics", Scopes: []string{"read_api"}, AccessLevel: new(int(policy.Developer)),
			ExpiresAt: &tomorrow,
		})
		if err != nil {
			return err
		}
		plain = issued.Plain
		return st.Exec(ctx, `
			insert into analytics_tokens (project_id, token_id, sealed_token) values (@project, @token, @sealed)
			on conflict (project_id) do update
			set token_id = excluded.token_id, sealed_token = excluded.sealed_token`, pgx.NamedArgs{
			"project": p.ID, "token": issued.ID, "sealed": st.Seal.Seal(tokenPlace, p.ID, []byte(plain)),
		})
	})
	return plain, err
}

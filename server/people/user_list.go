package people

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// UserFilter narrows a list of users. Zero fields narrow nothing.
type UserFilter struct {
	Search          string // in name, username, and the e-mail that may be searched: see SearchEmail
	SearchEmail     bool   // search every e-mail address (administrators); otherwise public ones
	Username        string
	ExternUID       string // together with Provider
	Provider        string
	SAMLProviderID  int64
	Active          *bool
	Blocked         *bool
	Bots            *bool
	External        *bool
	Admins          *bool
	TwoFactor       *bool
	WithoutProjects *bool // neither member of a project nor owner of one
	CreatedAfter    *time.Time
	CreatedBefore   *time.Time
	Attributes      map[string]string
}

var userOrders = db.Order{
	"id": "u.id", "name": "u.name", "username": "u.username", "created_at": "u.created_at",
	"updated_at": "u.updated_at",
}

func (f UserFilter) where() *db.Where {
	w := db.NewWhere(
		pgx.NamedArgs{"like": tree.Infix(f.Search), "search_email": f.SearchEmail, "extern_uid": f.ExternUID},
	)
	w.AndIf(f.Username != "", `lower(u.username) = lower(@username)`, f.Username)
	w.AndIf(f.Search != "", `lower(u.public_email) = lower(@search) or u.name ilike @like or u.username ilike @like
		or @search_email and u.email ilike @like`, f.Search)
	w.AndIf(f.Provider != "",
		`u.identities @> jsonb_build_array(jsonb_build_object('provider', @provider::text, 'extern_uid', @extern_uid::text))`,
		f.Provider)
	w.AndIf(f.SAMLProviderID != 0,
		`u.identities @> jsonb_build_array(jsonb_build_object('saml_provider_id', @saml::bigint))`, f.SAMLProviderID)
	w.AndIf(f.Active != nil, `(u.state = 'active') = @active`, f.Active)
	w.AndIf(f.Blocked != nil, `(u.state = 'blocked') = @blocked`, f.Blocked)
	w.AndIf(f.Bots != nil, `u.bot = @bots`, f.Bots)
	w.AndIf(f.External != nil, `u.external = @external`, f.External)
	w.AndIf(f.Admins != nil, `u.admin = @admins`, f.Admins)
	w.AndIf(f.TwoFactor != nil, `u.two_factor_enabled = @two_factor`, f.TwoFactor)
	w.AndIf(f.WithoutProjects != nil, `@without_projects <> (
		exists (select from members m where m.user_id = u.id and m.project_id is not null)
		or exists (select from projects p where p.namespace_id = n.id))`, f.WithoutProjects)
	w.AndIf(f.CreatedAfter != nil, `u.created_at > @created_after`, f.CreatedAfter)
	w.AndIf(f.CreatedBefore != nil, `u.created_at < @created_before`, f.CreatedBefore)
	w.AndIf(len(f.Attributes) > 0, `u.custom_attributes @> @attributes::jsonb`, f.Attributes)
	return w
}

// Users lists users. Orders: id, name, username, created_at, updated_at.
func Users(ctx context.Context, s *db.Store, f UserFilter, p db.Page) ([]tree.User, int, error) {
	return db.List[tree.User](ctx, s, p, userOrders, "u.id", tree.SelectUsers, f.where())
}

// AvatarByEmail returns the path of the avatar of the active user with a public e-mail address, nil
// if there is none.
func AvatarByEmail(ctx context.Context, s *db.Store, email string) (*string, error) {
	found, err := db.Values[*string](ctx, s, `
		select u.avatar from users u where lower(u.public_email) = lower(@email) and u.state = 'active'
		order by u.id limit 1`, pgx.NamedArgs{"email": email})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], nil
}

package api

import (
	"context"
	"time"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/people"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/tree"
)

type userList struct {
	rest.Keyset     `of:"User"`
	Search          string     `param:"search"`
	Username        string     `param:"username"`
	Active          *bool      `param:"active"`
	Blocked         *bool      `param:"blocked"`
	External        *bool      `param:"external"`
	ExcludeExternal bool       `param:"exclude_external"`
	ExcludeActive   bool       `param:"exclude_active"`
	ExcludeInternal bool       `param:"exclude_internal"`
	WithoutBots     bool       `param:"without_project_bots"`
	Humans          bool       `param:"humans"`
	ExcludeHumans   bool       `param:"exclude_humans"`
	CreatedAfter    *time.Time `param:"created_after"`
	CreatedBefore   *time.Time `param:"created_before"`
	ExternUID       string     `param:"extern_uid"`
	Provider        string     `param:"provider"`
	OrderBy         string     `param:"order_by" default:"id" oneof:"id name username created_at updated_at"`
	Sort            string     `param:"sort" default:"desc" oneof:"asc desc"`
	TwoFactor       string     `param:"two_factor" oneof:"enabled disabled"`
	Admins          *bool      `param:"admins"`
	WithoutProjects *bool      `param:"without_projects"`
	attributesParam
	CustomAttributes map[string]string `param:"custom_attributes"`
	SAMLProviderID   int64             `param:"saml_provider_id"`
	Cursor           scope.Cursor      `param:"cursor"`
}

// filter returns what the caller may filter by. It ignores administrators' parameters of others.
func (in userList) filter(admin bool) people.UserFilter {
	f := people.UserFilter{
		Search: in.Search, Username: in.Username, Active: in.Active, Blocked: in.Blocked, External: in.External,
		CreatedAfter: in.CreatedAfter, CreatedBefore: in.CreatedBefore,
	}
	yes, no := true, false
	if in.ExcludeActive {
		f.Active = &no
	}
	if in.ExcludeExternal {
		f.External = &no
	}
	switch {
	case in.WithoutBots || in.ExcludeInternal || in.Humans:
		f.Bots = &no
	case in.ExcludeHumans:
		f.Bots = &yes
	}
	if !admin {
		return f
	}
	f.SearchEmail, f.ExternUID, f.Provider, f.Admins = true, in.ExternUID, in.Provider, in.Admins
	f.WithoutProjects, f.Attributes, f.SAMLProviderID = in.WithoutProjects, in.CustomAttributes, in.SAMLProviderID
	if in.TwoFactor != "" {
		enabled := in.TwoFactor == "enabled"
		f.TwoFactor = &enabled
	}
	return f
}

// page returns the requested page. Only administrators choose the order.
func (in userList) page(admin bool) (db.Page, error) {
	p := db.Page{Limit: in.Limit(), Offset: in.Offset(), ByKey: in.ByKey(), Order: "id", Desc: true}
	if admin {
		p.Order, p.Desc = in.OrderBy, in.Sort == "desc"
	}
	if p.ByKey && p.Order != "id" {
		return p, rest.NoKeyset()
	}
	var err error
	p.After, err = in.Cursor.Position()
	return p, err
}

func (a users) list(ctx context.Context, s scope.Anyone, in userList) (rest.List[userView], error) {
	if !s.Caller.Signed() && in.Username == "" {
		return rest.List[userView]{}, fault.Forbidden("Not authorized to access /api/v4/users")
	}
	admin := s.Caller.Admin()
	page, err := in.page(admin)
	if err != nil {
		return rest.List[userView]{}, err
	}
	users, total, err := people.Users(ctx, s.Store, in.filter(admin), page)
	list, err := rest.Pages(func(u tree.User) userView {
		if admin {
			return a.adminViewWith(in.attributesParam, u)
		}
		return userView{BasicUser: a.BasicUser(u.Person())}
	})(users, total, err)
	if err != nil {
		return list, err
	}
	list.Next = rest.After(in.Keyset, users,
		func(u tree.User) map[string]string { return scope.Next(db.Position{ID: u.ID}) })
	return list, nil
}

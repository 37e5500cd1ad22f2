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
	"hew/server/view"
)

// users are people and bots (gaps §2.1).
type users struct{ *view.Site }

func (a users) routes() []rest.Route {
	anyone, user, admin := scope.ForAnyone("read_user"), scope.ForSigned("read_user"), scope.ForAdmin()
	return []rest.Route{
		rest.Get("/users", anyone, a.list),
		rest.Get("/users/{id}", user, a.show),
		rest.Get("/user", user, a.self),
		rest.Post("/users", admin, a.create),
		rest.Put("/users/{id}", admin, a.update),
		rest.Delete("/users/{id}", admin, a.delete),
	}
}

type userList struct {
	rest.Keyset          `of:"User"`
	Search               string            `param:"search"`
	Username             string            `param:"username"`
	Active               *bool             `param:"active"`
	Blocked              *bool             `param:"blocked"`
	External             *bool             `param:"external"`
	ExcludeExternal      bool              `param:"exclude_external"`
	ExcludeActive        bool              `param:"exclude_active"`
	ExcludeInternal      bool              `param:"exclude_internal"`
	WithoutBots          bool              `param:"without_project_bots"`
	Humans               bool              `param:"humans"`
	ExcludeHumans        bool              `param:"exclude_humans"`
	CreatedAfter         *time.Time        `param:"created_after"`
	CreatedBefore        *time.Time        `param:"created_before"`
	ExternUID            string            `param:"extern_uid"`
	Provider             string            `param:"provider"`
	OrderBy              string            `param:"order_by" default:"id" oneof:"id name username created_at updated_at"`
	Sort                 string            `param:"sort" default:"desc" oneof:"asc desc"`
	TwoFactor            string            `param:"two_factor" oneof:"enabled disabled"`
	Admins               *bool             `param:"admins"`
	WithoutProjects      *bool             `param:"without_projects"`
	WithCustomAttributes bool              `param:"with_custom_attributes"`
	CustomAttributes     map[string]string `param:"custom_attributes"`
	SAMLProviderID       int64             `param:"saml_provider_id"`
	Cursor               scope.Cursor      `param:"cursor"`
}

// filter is what the caller may ask for: the parameters of administrators are ignored in other hands.
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

// page is the part of the list; only administrators choose the order.
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
			return a.adminView(u, in.WithCustomAttributes)
		}
		return userView{BasicUser: a.BasicUser(u.Person())}
	})(users, total, err)
	if err != nil {
		return list, err
	}
	list.Next = rest.After(in.Keyset, users, func(u tree.User) map[string]string { return scope.Next(db.Position{ID: u.ID}) })
	return list, nil
}

type userShow struct {
	rest.ByID
	WithCustomAttributes bool `param:"with_custom_attributes"`
}

func (a users) show(ctx context.Context, s scope.Signed, in userShow) (userView, error) {
	u, err := tree.FindUser(ctx, s.Store, in.ID)
	switch {
	case err != nil:
		return userView{}, err
	case s.Caller.Admin():
		return a.adminView(u, in.WithCustomAttributes), nil
	}
	return a.publicView(u), nil
}

// self reads the caller again: what auth remembers of him may be seconds old.
func (a users) self(ctx context.Context, s scope.Signed, _ rest.None) (userView, error) {
	u, err := tree.FindUser(ctx, s.Store, s.Caller.ID())
	switch {
	case err != nil:
		return userView{}, err
	case u.Admin:
		return a.adminView(u, false), nil
	}
	return a.ownView(u), nil
}

// userFields are the fields of a user that administrators set; on update each is optional.
type userFields struct {
	rest.Into[tree.User]
	Admin                    rest.Opt[bool]    `param:"admin"`
	Auditor                  rest.Opt[bool]    `param:"auditor"`
	Bio                      rest.Opt[string]  `param:"bio"`
	CanCreateGroup           rest.Opt[bool]    `param:"can_create_group"`
	ColorSchemeID            rest.Opt[int]     `param:"color_scheme_id" min:"1"`
	CommitEmail              rest.Opt[*string] `param:"commit_email"`
	Discord                  rest.Opt[string]  `param:"discord"`
	External                 rest.Opt[bool]    `param:"external"`
	ExtraRunnersMinutesLimit rest.Opt[*int]    `param:"extra_shared_runners_minutes_limit"`
	JobTitle                 rest.Opt[string]  `param:"job_title"`
	Linkedin                 rest.Opt[string]  `param:"linkedin"`
	Location                 rest.Opt[*string] `param:"location"`
	Note                     rest.Opt[*string] `param:"note"`
	Organization             rest.Opt[string]  `param:"organization"`
	PrivateProfile           rest.Opt[bool]    `param:"private_profile"`
	ProjectsLimit            rest.Opt[int]     `param:"projects_limit" min:"0"`
	Pronouns                 rest.Opt[*string] `param:"pronouns"`
	PublicEmail              rest.Opt[*string] `param:"public_email"`
	RunnersMinutesLimit      rest.Opt[*int]    `param:"shared_runners_minutes_limit"`
	Skype                    rest.Opt[string]  `param:"skype"`
	ThemeID                  rest.Opt[int]     `param:"theme_id" min:"1"`
	Twitter                  rest.Opt[string]  `param:"twitter"`
	ViewDiffsFileByFile      rest.Opt[bool]    `param:"view_diffs_file_by_file"`
	WebsiteURL               rest.Opt[string]  `param:"website_url"`
	ExternUID                string            `param:"extern_uid"`
	Provider                 string            `param:"provider"`
	SAMLProviderID           *int64            `param:"group_id_for_saml"`
}

func (in userFields) into(u *tree.User, fresh tree.User) {
	rest.Merge(u, in, fresh)
	if in.Provider != "" && in.ExternUID != "" {
		u.SetIdentity(tree.Identity{Provider: in.Provider, ExternUID: in.ExternUID, SAMLProviderID: in.SAMLProviderID})
	}
}

type userNew struct {
	Email            string `param:"email,required,notempty"`
	Name             string `param:"name,required,notempty"`
	Username         string `param:"username,required,notempty"`
	Password         string `param:"password"`
	ResetPassword    bool   `param:"reset_password"`
	RandomPassword   bool   `param:"force_random_password"`
	SkipConfirmation bool   `param:"skip_confirmation"`
	userFields
	_ struct{} `atleast:"password reset_password force_random_password"`
}

func (a users) create(ctx context.Context, s scope.Admin, in userNew) (userView, error) {
	return rest.Show(a.changedView)(people.CreateUser(ctx, s.Store, in.Password, func(u *tree.User, fresh tree.User) {
		u.Username, u.Name, u.Email = in.Username, in.Name, in.Email
		in.into(u, fresh)
		if !in.SkipConfirmation {
			u.ConfirmedAt = nil
		}
	}, s.Caller.User))
}

type userChange struct {
	rest.ByID
	Password *string `param:"password"`
	userNames
	userFields
}

// userNames are what a user is called.
type userNames struct {
	rest.Into[tree.User]
	Email    rest.Opt[string] `param:"email"`
	Name     rest.Opt[string] `param:"name"`
	Username rest.Opt[string] `param:"username"`
}

func (a users) update(ctx context.Context, s scope.Admin, in userChange) (userView, error) {
	return rest.Show(a.changedView)(people.ChangeUser(ctx, s.Store, in.ID, in.Password, func(u *tree.User, fresh tree.User) {
		rest.Merge(u, in.userNames, fresh)
		in.into(u, fresh)
	}, s.Caller.User))
}

type userDelete struct {
	rest.ByID
	Hard bool `param:"hard_delete"`
}

func (a users) delete(ctx context.Context, s scope.Admin, in userDelete) (rest.None, error) {
	u, err := tree.FindUser(ctx, s.Store, in.ID)
	if err != nil {
		return rest.None{}, err
	}
	if err := rest.Unmodified(ctx, u.UpdatedAt); err != nil {
		return rest.None{}, err
	}
	return rest.None{}, people.RemoveUser(ctx, s.Store, u.ID, in.Hard)
}

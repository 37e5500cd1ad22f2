package api

import (
	"context"
	"crypto/rand"
	"time"

	"hew/server/auth"
	"hew/server/fault"
	"hew/server/forge"
	"hew/server/rest"
	"hew/server/store"
)

// users are people and bots (gaps §2.1).
type users struct{ *API }

func (a users) routes() []rest.Route {
	anyone, user, admin := a.anyone("read_user"), a.signed("read_user"), a.admin()
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
	Cursor               cursor            `param:"cursor"`
}

// filter is what the caller may ask for: the parameters of administrators are ignored in other hands.
func (in userList) filter(admin bool) store.UserFilter {
	f := store.UserFilter{
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
func (in userList) page(admin bool) (store.Page, error) {
	p := store.Page{Limit: in.Limit(), Offset: in.Offset(), ByKey: in.ByKey(), Order: "id", Desc: true}
	if admin {
		p.Order, p.Desc = in.OrderBy, in.Sort == "desc"
	}
	if p.ByKey && p.Order != "id" {
		return p, rest.NoKeyset()
	}
	var err error
	p.After, err = in.Cursor.id()
	return p, err
}

func (a users) list(ctx context.Context, s Anyone, in userList) (rest.List[any], error) {
	if !s.Caller.Signed() && in.Username == "" {
		return rest.List[any]{}, fault.Forbidden("Not authorized to access /api/v4/users")
	}
	admin := s.Caller.Admin()
	page, err := in.page(admin)
	if err != nil {
		return rest.List[any]{}, err
	}
	users, total, err := s.Store.Users(ctx, in.filter(admin), page)
	list, err := rest.Pages(func(u store.User) any {
		if admin {
			return a.adminUser(u, in.WithCustomAttributes)
		}
		return a.basicUser(u)
	})(users, total, err)
	if n := len(users); page.ByKey && n == page.Limit {
		list.Next = map[string]string{"cursor": string(cursorAt(users[n-1].ID))}
	}
	return list, err
}

type userShow struct {
	ID                   int64 `param:"id"`
	WithCustomAttributes bool  `param:"with_custom_attributes"`
}

func (a users) show(ctx context.Context, s Signed, in userShow) (any, error) {
	u, err := s.Store.User(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if s.Caller.Admin() {
		return a.adminUser(u, in.WithCustomAttributes), nil
	}
	return a.publicUser(u), nil
}

func (a users) self(ctx context.Context, s Signed, _ rest.None) (any, error) {
	u, err := s.Store.User(ctx, s.Caller.ID())
	if err != nil {
		return nil, err
	}
	if u.Admin {
		return a.adminUser(u, false), nil
	}
	return a.ownUser(u), nil
}

// userFields are the fields of a user that administrators set; on update each is optional.
type userFields struct {
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

func (in userFields) into(u *store.User) {
	in.Admin.Into(&u.Admin)
	in.Auditor.Into(&u.Auditor)
	in.Bio.Into(&u.Bio)
	in.CanCreateGroup.Into(&u.CanCreateGroup)
	in.ColorSchemeID.Into(&u.ColorSchemeID)
	in.CommitEmail.Into(&u.CommitEmail)
	in.Discord.Into(&u.Discord)
	in.External.Into(&u.External)
	in.ExtraRunnersMinutesLimit.Into(&u.ExtraRunnersMinutesLimit)
	in.JobTitle.Into(&u.JobTitle)
	in.Linkedin.Into(&u.Linkedin)
	in.Location.Into(&u.Location)
	in.Note.Into(&u.Note)
	in.Organization.Into(&u.Organization)
	in.PrivateProfile.Into(&u.PrivateProfile)
	in.ProjectsLimit.Into(&u.ProjectsLimit)
	in.Pronouns.Into(&u.Pronouns)
	in.PublicEmail.Into(&u.PublicEmail)
	in.RunnersMinutesLimit.Into(&u.RunnersMinutesLimit)
	in.Skype.Into(&u.Skype)
	in.ThemeID.Into(&u.ThemeID)
	in.Twitter.Into(&u.Twitter)
	in.ViewDiffsFileByFile.Into(&u.ViewDiffsFileByFile)
	in.WebsiteURL.Into(&u.WebsiteURL)
	if in.Provider != "" && in.ExternUID != "" {
		u.SetIdentity(store.Identity{Provider: in.Provider, ExternUID: in.ExternUID, SAMLProviderID: in.SAMLProviderID})
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

func (a users) create(ctx context.Context, s Admin, in userNew) (any, error) {
	settings, err := s.Store.Settings(ctx)
	if err != nil {
		return nil, err
	}
	u := store.NewUser(in.Username, in.Name, in.Email)
	u.CanCreateGroup, u.ProjectsLimit = settings.CanCreateGroup, settings.DefaultProjectsLimit
	by := s.Caller.ID()
	u.CreatedByID = &by
	in.into(&u)
	if !in.SkipConfirmation {
		u.ConfirmedAt = nil
	}
	if in.Password == "" {
		in.Password = rand.Text() // nobody knows it: the account waits for a reset, or signs in elsewhere
	}
	if u.PasswordDigest, err = auth.HashPassword(in.Password, settings.MinimumPasswordLength); err != nil {
		return nil, err
	}
	if err := checkUser(u); err != nil {
		return nil, err
	}
	u, err = s.Store.CreateUser(ctx, u)
	return a.adminUser(u, false), err
}

type userChange struct {
	ID       int64            `param:"id"`
	Email    rest.Opt[string] `param:"email"`
	Name     rest.Opt[string] `param:"name"`
	Username rest.Opt[string] `param:"username"`
	Password rest.Opt[string] `param:"password"`
	userFields
}

func (a users) update(ctx context.Context, s Admin, in userChange) (any, error) {
	u, err := s.Store.HoldUser(ctx, in.ID)
	switch {
	case err != nil:
		return nil, err
	case u.ID == s.Caller.ID() && !in.Admin.Or(true):
		return nil, fault.Forbidden("administrators cannot take that right from themselves")
	}
	in.into(&u)
	in.Email.Into(&u.Email)
	in.Name.Into(&u.Name)
	in.Username.Into(&u.Username)
	if password, ok := in.Password.Value(); ok {
		settings, err := s.Store.Settings(ctx)
		if err != nil {
			return nil, err
		}
		if u.PasswordDigest, err = auth.HashPassword(password, settings.MinimumPasswordLength); err != nil {
			return nil, err
		}
	}
	if err := checkUser(u); err != nil {
		return nil, err
	}
	u, err = s.Store.UpdateUser(ctx, u)
	return a.adminUser(u, false), err
}

type userDelete struct {
	ID   int64 `param:"id"`
	Hard bool  `param:"hard_delete"`
}

func (a users) delete(ctx context.Context, s Admin, in userDelete) (rest.None, error) {
	u, err := s.Store.User(ctx, in.ID)
	if err != nil {
		return rest.None{}, err
	}
	if err := rest.Unmodified(ctx, u.UpdatedAt); err != nil {
		return rest.None{}, err
	}
	return rest.None{}, forge.RemoveUser(ctx, s.Store, a.Jobs, u.ID, in.Hard)
}

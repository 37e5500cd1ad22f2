package api

import (
	"context"

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

type userShow struct {
	rest.ByID
	attributesParam
}

func (a users) show(ctx context.Context, s scope.Signed, in userShow) (userView, error) {
	u, err := tree.FindUser(ctx, s.Store, in.ID)
	switch {
	case err != nil:
		return userView{}, err
	case s.Caller.Admin():
		return a.adminViewWith(in.attributesParam, u), nil
	}
	return a.publicView(u), nil
}

// self reads the caller again, because what auth remembers may be seconds old.
func (a users) self(ctx context.Context, s scope.Signed, _ rest.None) (userView, error) {
	u, err := tree.FindUser(ctx, s.Store, s.Caller.ID())
	switch {
	case err != nil:
		return userView{}, err
	case u.Admin:
		return a.adminView(u), nil
	}
	return a.ownView(u), nil
}

// userFields are the parameters of users that administrators set. All are optional.
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
	view.AvatarParam
	_ struct{} `atleast:"password reset_password force_random_password"`
}

func (a users) create(ctx context.Context, s scope.Admin, in userNew) (userView, error) {
	u, err := people.CreateUser(ctx, s.Store, in.Password, func(u *tree.User, fresh tree.User) {
		u.Username, u.Name, u.Email = in.Username, in.Name, in.Email
		in.into(u, fresh)
		if !in.SkipConfirmation {
			u.ConfirmedAt = nil
		}
	}, s.Caller.User)
	if err == nil {
		err = in.AvatarParam.Store(ctx, s.Store, tree.NewPictured(tree.PicturedUser, u.ID), &u.Avatar)
	}
	return rest.Show(a.adminView)(u, err)
}

type userChange struct {
	rest.ByID
	Password *string `param:"password"`
	userNames
	userFields
	view.AvatarParam
}

// userNames are the names of a user, which are required for new ones.
type userNames struct {
	rest.Into[tree.User]
	Email    rest.Opt[string] `param:"email"`
	Name     rest.Opt[string] `param:"name"`
	Username rest.Opt[string] `param:"username"`
}

func (a users) update(ctx context.Context, s scope.Admin, in userChange) (userView, error) {
	u, err := people.ChangeUser(ctx, s.Store, in.ID, in.Password, func(u *tree.User, fresh tree.User) {
		rest.Merge(u, in.userNames, fresh)
		in.into(u, fresh)
	}, s.Caller.User)
	if err == nil {
		err = in.AvatarParam.Store(ctx, s.Store, tree.NewPictured(tree.PicturedUser, u.ID), &u.Avatar)
	}
	return rest.Show(a.adminView)(u, err)
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
	return rest.None{}, people.RemoveUser(ctx, s.Store, people.RemovalJob{ID: u.ID, Hard: in.Hard})
}

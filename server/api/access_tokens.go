package api

import (
	"context"
	"slices"

	"hew/server/fault"
	"hew/server/forge"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/store"
)

// accessTokens are the tokens of groups and projects, each with a bot that is a member there (gaps §2.2). A token is shown
// once, in the answer that makes it.
type accessTokens struct{ *Site }

func (a accessTokens) routes() []rest.Route {
	return slices.Concat(
		a.at("/groups/{id}/access_tokens",
			as(a.group(policy.AdminGroupToken), InGroup.container), as(a.group(policy.ReadGroup, "self_rotate"), InGroup.container)),
		a.at("/projects/{id}/access_tokens",
			as(a.project(policy.AdminProjectToken), InProject.container), as(a.project(policy.ReadProject, "self_rotate"), InProject.container)),
	)
}

// at are the routes of access tokens under a path; self is who calls with one of them.
func (a accessTokens) at(path string, admin, self rest.Guard[container]) []rest.Route {
	one := path + "/{token_id}"
	return []rest.Route{
		rest.Get(path, admin, a.list),
		rest.Get(one, admin, a.show),
		rest.Post(path, admin, a.create),
		rest.Post(path+"/self/rotate", self, a.rotateOwn).Status(200),
		rest.Post(one+"/rotate", admin, a.rotate).Status(200),
		rest.Delete(one, admin, a.revoke),
	}
}

// holder is the group or project as far as its access tokens go.
func (c container) holder() forge.Holder { return forge.Holder{Container: c.Container, By: c.Who()} }

type accessTokenList struct{ tokenFilters }

func (accessTokens) list(ctx context.Context, s container, in accessTokenList) (rest.List[tokenView], error) {
	f := in.filter()
	f.In = s.Container
	return rest.Pages(tokenViewOf)(s.Store.Tokens(ctx, f, in.page()))
}

type accessTokenID struct {
	TokenID int64 `param:"token_id"`
}

func (accessTokens) show(ctx context.Context, s container, in accessTokenID) (tokenView, error) {
	return rest.Show(tokenViewOf)(s.Store.AccessToken(ctx, s.Container, in.TokenID))
}

type accessTokenNew struct {
	Name        string   `param:"name,required,notempty"`
	Description *string  `param:"description"`
	Scopes      []string `param:"scopes,required,comma" oneof:"api read_api create_runner manage_runner ai_features k8s_proxy read_repository write_repository read_registry write_registry self_rotate"`
	AccessLevel int      `param:"access_level" default:"40" oneof:"10 15 20 30 40 50"`
	tokenExpiry
}

func (a accessTokens) create(ctx context.Context, s container, in accessTokenNew) (tokenView, error) {
	return rest.Show(newTokenViewOf)(forge.CreateAccessToken(ctx, s.Store, a.Jobs, s.holder(), s.Caller.User, store.Token{
		Name: in.Name, Description: in.Description, Scopes: in.Scopes, AccessLevel: &in.AccessLevel,
		ExpiresAt: store.DateOf(in.ExpiresAt),
	}))
}

type accessTokenRotate struct {
	accessTokenID
	tokenExpiry
}

func (accessTokens) rotate(ctx context.Context, s container, in accessTokenRotate) (tokenView, error) {
	t, err := s.Store.AccessToken(ctx, s.Container, in.TokenID)
	if err != nil {
		return tokenView{}, err
	}
	return rest.Show(newTokenViewOf)(forge.RotateAccessToken(ctx, s.Store, s.holder(), t, store.DateOf(in.ExpiresAt)))
}

// rotateOwn is for the tokens of the group or project alone.
func (accessTokens) rotateOwn(ctx context.Context, s container, in tokenExpiry) (tokenView, error) {
	t, err := s.Store.AccessToken(ctx, s.Container, s.Caller.Token.ID)
	switch {
	case fault.CodeOf(err) == fault.CodeNotFound:
		return tokenView{}, wrongKind()
	case err != nil:
		return tokenView{}, err
	}
	return rest.Show(newTokenViewOf)(forge.RotateToken(ctx, s.Store, t, store.DateOf(in.ExpiresAt)))
}

// wrongKind refuses a token of one kind where those of another are rotated.
func wrongKind() error { return fault.NotAllowed("405 Method Not Allowed") }

func (a accessTokens) revoke(ctx context.Context, s container, in accessTokenID) (rest.None, error) {
	t, err := s.Store.AccessToken(ctx, s.Container, in.TokenID)
	if err != nil {
		return rest.None{}, err
	}
	return rest.None{}, forge.RevokeToken(ctx, s.Store, a.Jobs, t)
}

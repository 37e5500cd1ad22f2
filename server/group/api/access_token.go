package api

import (
	"context"
	"slices"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/group"
	"hew/server/people"
	peopleapi "hew/server/people/api"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/scope"
)

// accessTokens are the tokens of groups and projects (gaps §2.2). The answer that creates one is
// the only one that shows it.
type accessTokens struct{}

func (a accessTokens) routes() []rest.Route {
	return slices.Concat(
		a.at("/groups/{id}/access_tokens",
			scope.HeldByGroup(adminGroupToken), scope.HeldByGroup(policy.ReadGroup, "self_rotate")),
		a.at("/projects/{id}/access_tokens",
			scope.HeldByProject(adminProjectToken), scope.HeldByProject(policy.ReadProject, "self_rotate")),
	)
}

// at returns the routes of access tokens below a path. The guard self admits the tokens themselves.
func (a accessTokens) at(path string, admin, self rest.Guard[scope.Container]) []rest.Route {
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

// holder returns the scope as the holder of access tokens.
func holder(c scope.Container) group.Holder { return group.Holder{Container: c.Container, By: c.Who()} }

type accessTokenList struct{ peopleapi.TokenFilters }

// list leaves out revoked tokens, whose bots are gone, unless inactive or revoked ones are asked
// for.
func (accessTokens) list(
	ctx context.Context, s scope.Container, in accessTokenList,
) (rest.List[peopleapi.TokenView], error) {
	f := in.Filter()
	f.In = s.Container
	if f.Revoked == nil && (f.Active == nil || *f.Active) {
		f.Revoked = new(bool)
	}
	return rest.Pages(peopleapi.TokenViewOf)(people.Tokens(ctx, s.Store, f, in.Page()))
}

type accessTokenID struct {
	TokenID int64 `param:"token_id"`
}

func (accessTokens) show(ctx context.Context, s scope.Container, in accessTokenID) (peopleapi.TokenView, error) {
	return rest.Show(peopleapi.TokenViewOf)(group.FindAccessToken(ctx, s.Store, s.Container, in.TokenID))
}

type accessTokenNew struct {
	Name        string   `param:"name,required,notempty"`
	Description *string  `param:"description"`
	Scopes      []string `param:"scopes,required,comma" oneof:"api read_api create_runner manage_runner ai_features k8s_proxy read_repository write_repository read_registry write_registry self_rotate"`
	AccessLevel int      `param:"access_level" default:"40" oneof:"10 15 20 30 40 50"`
	peopleapi.TokenExpiry
}

func (a accessTokens) create(ctx context.Context, s scope.Container, in accessTokenNew) (peopleapi.TokenView, error) {
	return rest.Show(peopleapi.IssuedTokenViewOf)(group.CreateAccessToken(ctx, s.Store, holder(s), s.Caller.User,
		people.Token{
			Name: in.Name, Description: in.Description, Scopes: in.Scopes, AccessLevel: &in.AccessLevel,
			ExpiresAt: db.DateOf(in.ExpiresAt),
		}))
}

type accessTokenRotate struct {
	accessTokenID
	peopleapi.TokenExpiry
}

func (accessTokens) rotate(ctx context.Context, s scope.Container, in accessTokenRotate) (peopleapi.TokenView, error) {
	t, err := group.FindAccessToken(ctx, s.Store, s.Container, in.TokenID)
	if err != nil {
		return peopleapi.TokenView{}, err
	}
	return rest.Show(peopleapi.IssuedTokenViewOf)(
		group.RotateAccessToken(ctx, s.Store, holder(s), t, db.DateOf(in.ExpiresAt)),
	)
}

// rotateOwn rotates the token of the request, which has to be one of the group or project.
func (accessTokens) rotateOwn(
	ctx context.Context, s scope.Container, in peopleapi.TokenExpiry,
) (peopleapi.TokenView, error) {
	t, err := group.FindAccessToken(ctx, s.Store, s.Container, s.Caller.Token.ID)
	switch {
	case fault.CodeOf(err) == fault.CodeNotFound:
		return peopleapi.TokenView{}, peopleapi.WrongTokenKind()
	case err != nil:
		return peopleapi.TokenView{}, err
	}
	return rest.Show(peopleapi.IssuedTokenViewOf)(people.RotateToken(ctx, s.Store, t, db.DateOf(in.ExpiresAt)))
}

func (a accessTokens) revoke(ctx context.Context, s scope.Container, in accessTokenID) (rest.None, error) {
	t, err := group.FindAccessToken(ctx, s.Store, s.Container, in.TokenID)
	if err != nil {
		return rest.None{}, err
	}
	return rest.None{}, people.RevokeToken(ctx, s.Store, t)
}

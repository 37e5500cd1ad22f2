package api

import (
	"context"

	"hew/server/people"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/tree"
)

// impersonationTokens are tokens with which administrators act as a user (gaps §15), who neither
// sees nor ends them.
type impersonationTokens struct{}

func (a impersonationTokens) routes() []rest.Route {
	const path = "/users/{user_id}/impersonation_tokens"
	admin := scope.ForAdmin()
	return []rest.Route{
		rest.Get(path, admin, a.list),
		rest.Get(path+"/{impersonation_token_id}", admin, a.show),
		rest.Post(path, admin, a.create),
		rest.Delete(path+"/{impersonation_token_id}", admin, a.revoke),
	}
}

type impersonationList struct {
	rest.Paging
	UserID int64  `param:"user_id"`
	State  string `param:"state" default:"all" oneof:"all active inactive"`
}

func (impersonationTokens) list(
	ctx context.Context, s scope.Admin, in impersonationList,
) (rest.List[TokenView], error) {
	u, err := tree.FindUser(ctx, s.Store, in.UserID)
	if err != nil {
		return rest.List[TokenView]{}, err
	}
	f := people.TokenFilter{Impersonation: true, UserID: &u.ID}
	if in.State != "all" {
		active := in.State == "active"
		f.Active = &active
	}
	return rest.Pages(TokenViewOf)(people.Tokens(ctx, s.Store, f, scope.PageOf(in.Paging)))
}

type impersonationID struct {
	UserID int64 `param:"user_id"`
	ID     int64 `param:"impersonation_token_id"`
}

func (impersonationTokens) find(ctx context.Context, s scope.Admin, in impersonationID) (people.Token, error) {
	u, err := tree.FindUser(ctx, s.Store, in.UserID)
	if err != nil {
		return people.Token{}, err
	}
	return people.FindImpersonationToken(ctx, s.Store, u.ID, in.ID)
}

func (a impersonationTokens) show(ctx context.Context, s scope.Admin, in impersonationID) (TokenView, error) {
	return rest.Show(TokenViewOf)(a.find(ctx, s, in))
}

func (impersonationTokens) create(ctx context.Context, s scope.Admin, in tokenNewFor) (TokenView, error) {
	u, err := tree.FindUser(ctx, s.Store, in.UserID)
	if err != nil {
		return TokenView{}, err
	}
	t := in.token()
	t.Impersonation = true
	return rest.Show(IssuedTokenViewOf)(people.CreateToken(ctx, s.Store, u, t))
}

// revoke revokes a token, which may be revoked already.
func (a impersonationTokens) revoke(ctx context.Context, s scope.Admin, in impersonationID) (rest.None, error) {
	t, err := a.find(ctx, s, in)
	if err != nil {
		return rest.None{}, err
	}
	_, err = people.MarkRevoked(ctx, s.Store, t)
	return rest.None{}, err
}

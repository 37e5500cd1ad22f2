package api

import (
	"context"
	"slices"
	"time"

	"hew/server/db"
	"hew/server/people"
	"hew/server/rest"
	"hew/server/scope"
)

// deployTokens are the deploy tokens of groups, of projects and of all (more-2 §7). The answer that
// creates one is the only one that shows it.
type deployTokens struct{}

func (a deployTokens) routes() []rest.Route {
	return slices.Concat(
		[]rest.Route{rest.Get("/deploy_tokens", scope.ForAdmin(), a.listAll)},
		a.at("/groups/{id}/deploy_tokens", scope.HeldByGroup(adminGroupDeployToken)),
		a.at("/projects/{id}/deploy_tokens", scope.HeldByProject(adminDeployToken)),
	)
}

// at returns the routes of deploy tokens below a path.
func (a deployTokens) at(path string, admin rest.Guard[scope.Container]) []rest.Route {
	one := path + "/{token_id}"
	return []rest.Route{
		rest.Get(path, admin, a.list),
		rest.Get(one, admin, a.show),
		rest.Post(path, admin, a.create),
		rest.Delete(one, admin, a.delete),
	}
}

// deployTokenView is a deploy token as it is shown.
type deployTokenView struct {
	ID        int64      `json:"id"`
	Name      string     `json:"name"`
	Username  string     `json:"username"`
	ExpiresAt *time.Time `json:"expires_at"`
	Scopes    []string   `json:"scopes"`
	Revoked   bool       `json:"revoked"`
	Expired   bool       `json:"expired"`
	Plain     string     `json:"token,omitempty"` // only in the answer that creates it
}

func deployTokenViewOf(t people.DeployToken) deployTokenView {
	return deployTokenView{
		ID: t.ID, Name: t.Name, Username: t.Username, ExpiresAt: t.ExpiresAt, Scopes: t.Scopes, Revoked: t.Revoked,
		Expired: t.Expired(),
	}
}

func issuedDeployTokenViewOf(t people.IssuedDeployToken) deployTokenView {
	v := deployTokenViewOf(t.DeployToken)
	v.Plain = t.Plain
	return v
}

type deployTokenList struct {
	rest.Paging
	Active *bool `param:"active"`
}

func (in deployTokenList) filter() people.DeployTokenFilter {
	return people.DeployTokenFilter{Active: in.Active}
}

func (deployTokens) listAll(
	ctx context.Context, s scope.Admin, in deployTokenList,
) (rest.List[deployTokenView], error) {
	return rest.Pages(deployTokenViewOf)(people.AllDeployTokens(ctx, s.Store, in.filter(), scope.PageOf(in.Paging)))
}

func (deployTokens) list(
	ctx context.Context, s scope.Container, in deployTokenList,
) (rest.List[deployTokenView], error) {
	tokens := people.DeployTokens(s.Store, s.Container)
	return rest.Pages(deployTokenViewOf)(tokens.List(ctx, scope.PageOf(in.Paging), in.filter().Within))
}

type deployTokenID struct {
	TokenID int64 `param:"token_id"`
}

func (deployTokens) show(ctx context.Context, s scope.Container, in deployTokenID) (deployTokenView, error) {
	return rest.Show(deployTokenViewOf)(people.DeployTokens(s.Store, s.Container).One(ctx, db.ByID(in.TokenID)))
}

type deployTokenNew struct {
	Name      string     `param:"name,required,notempty"`
	Scopes    []string   `param:"scopes,required,comma" oneof:"read_repository read_registry write_registry read_package_registry write_package_registry read_virtual_registry write_virtual_registry"`
	Username  string     `param:"username"`
	ExpiresAt *time.Time `param:"expires_at"`
}

func (deployTokens) create(ctx context.Context, s scope.Container, in deployTokenNew) (deployTokenView, error) {
	return rest.Show(issuedDeployTokenViewOf)(people.CreateDeployToken(ctx, s.Store, s.Container, people.DeployToken{
		Name: in.Name, Scopes: in.Scopes, Username: in.Username, ExpiresAt: in.ExpiresAt,
	}))
}

func (deployTokens) delete(ctx context.Context, s scope.Container, in deployTokenID) (rest.None, error) {
	return rest.None{}, people.DeployTokens(s.Store, s.Container).Delete(ctx, db.ByID(in.TokenID), rest.Unmodified)
}

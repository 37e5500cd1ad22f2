package api

import (
	"context"

	"hew/server/db"
	"hew/server/group"
	"hew/server/rest"
	"hew/server/scope"
)

// samlLinks are the SAML links of groups (spec 2 §2.9 and §4.5, gaps §3.4). Callers who may not
// manage them get 401.
type samlLinks struct{}

func (a samlLinks) routes() []rest.Route {
	const all, one = "/groups/{id}/saml_group_links", "/groups/{id}/saml_group_links/{saml_group_name}"
	admin := scope.HeldByGroup(adminGroupSAML)
	return []rest.Route{
		rest.Get(all, admin, a.list),
		rest.Get(one, admin, a.show),
		rest.Post(all, admin, a.create),
		rest.Delete(one, admin, a.delete),
	}
}

type samlLinkList struct{ rest.Paging }

func (samlLinks) list(ctx context.Context, s scope.Container, in samlLinkList) (rest.List[group.SAMLLink], error) {
	return rest.Page(group.SAMLLinks(s.Store, s.Container).List(ctx, scope.PageOf(in.Paging)))
}

type samlLinkID struct {
	Name     string  `param:"saml_group_name"`
	Provider *string `param:"provider"`
}

func (in samlLinkID) find(ctx context.Context, s scope.Container) (group.SAMLLink, error) {
	return group.FindSAMLLink(ctx, s.Store, s.Container, in.Name, in.Provider)
}

func (samlLinks) show(ctx context.Context, s scope.Container, in samlLinkID) (group.SAMLLink, error) {
	return in.find(ctx, s)
}

type samlLinkNew struct {
	Name        string  `param:"saml_group_name,required,notempty"`
	AccessLevel int     `param:"access_level,required" oneof:"5 10 15 20 30 40 50"`
	MemberRole  *int64  `param:"member_role_id"`
	Provider    *string `param:"provider"`
}

func (samlLinks) create(ctx context.Context, s scope.Container, in samlLinkNew) (group.SAMLLink, error) {
	return group.CreateSAMLLink(ctx, s.Store, s.Container, group.SAMLLink{
		Name: in.Name, AccessLevel: in.AccessLevel, MemberRoleID: in.MemberRole, Provider: in.Provider,
	})
}

func (samlLinks) delete(ctx context.Context, s scope.Container, in samlLinkID) (rest.None, error) {
	l, err := in.find(ctx, s)
	if err != nil {
		return rest.None{}, err
	}
	return rest.None{}, group.SAMLLinks(s.Store, s.Container).Delete(ctx, db.ByID(l.ID), rest.Unmodified)
}

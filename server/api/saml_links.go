package api

import (
	"context"

	"hew/server/forge"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/store"
)

// samlLinks bind groups to those that a SAML provider tells of when somebody signs in (spec 2 §2.9 and §4.5, gaps §3.4). Whoever
// may not manage them is told that he is nobody.
type samlLinks struct{ *Site }

func (a samlLinks) routes() []rest.Route {
	const all, one = "/groups/{id}/saml_group_links", "/groups/{id}/saml_group_links/{saml_group_name}"
	admin := as(a.group(policy.AdminGroupSAML), InGroup.container)
	return []rest.Route{
		rest.Get(all, admin, a.list),
		rest.Get(one, admin, a.show),
		rest.Post(all, admin, a.create),
		rest.Delete(one, admin, a.delete),
	}
}

type samlLinkList struct{ rest.Paging }

func (samlLinks) list(ctx context.Context, s container, in samlLinkList) (rest.List[store.SAMLLink], error) {
	return rest.Page(s.Store.SAMLLinks(s.Container).List(ctx, pageOf(in.Paging)))
}

type samlLinkID struct {
	Name     string  `param:"saml_group_name"`
	Provider *string `param:"provider"`
}

func (in samlLinkID) find(ctx context.Context, s container) (store.SAMLLink, error) {
	return forge.SAMLLink(ctx, s.Store, s.Container, in.Name, in.Provider)
}

func (samlLinks) show(ctx context.Context, s container, in samlLinkID) (store.SAMLLink, error) {
	return in.find(ctx, s)
}

type samlLinkNew struct {
	Name        string  `param:"saml_group_name,required,notempty"`
	AccessLevel int     `param:"access_level,required" oneof:"5 10 15 20 30 40 50"`
	MemberRole  *int64  `param:"member_role_id"`
	Provider    *string `param:"provider"`
}

func (samlLinks) create(ctx context.Context, s container, in samlLinkNew) (store.SAMLLink, error) {
	return forge.CreateSAMLLink(ctx, s.Store, s.Container, store.SAMLLink{
		Name: in.Name, AccessLevel: in.AccessLevel, MemberRoleID: in.MemberRole, Provider: in.Provider,
	})
}

func (samlLinks) delete(ctx context.Context, s container, in samlLinkID) (rest.None, error) {
	l, err := in.find(ctx, s)
	if err != nil {
		return rest.None{}, err
	}
	return rest.None{}, s.Store.SAMLLinks(s.Container).Delete(ctx, store.ByID(l.ID), rest.Unmodified)
}

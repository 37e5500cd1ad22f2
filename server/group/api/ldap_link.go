package api

import (
	"context"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/group"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/setting"
)

// ldapLinks are the LDAP links of groups (spec 2 §2.9 and §4.5, gaps §3.4).
type ldapLinks struct{ directory *group.Directory }

func (a ldapLinks) routes() []rest.Route {
	const all = "/groups/{id}/ldap_group_links"
	admin := scope.Unless(scope.HeldByGroup(adminGroupLDAP),
		scope.Reserved(func(s setting.Settings) bool { return !s.OwnersManageLDAP }, fault.Forbidden("")))
	return []rest.Route{
		rest.Get(all, admin, a.list),
		rest.Post(all, admin, a.create),
		rest.Delete(all, admin, a.delete),
		rest.Delete(all+"/{cn}", admin, a.deleteByCN),
		rest.Delete(all+"/{provider}/{cn}", admin, a.deleteOf),
		rest.Post("/groups/{id}/ldap_sync", admin, a.sync).Status(202),
	}
}

type ldapLinkList struct{ rest.Paging }

// list answers 404 for a group without links.
func (ldapLinks) list(ctx context.Context, s scope.Container, in ldapLinkList) (rest.List[group.LDAPLink], error) {
	links, total, err := group.LDAPLinks(s.Store, s.Container).List(ctx, scope.PageOf(in.Paging))
	if err == nil && total == 0 {
		err = fault.NotFound("No linked LDAP groups found").In(fault.Text)
	}
	return rest.Page(links, total, err)
}

type ldapLinkNew struct {
	CN          *string  `param:"cn"`
	Filter      *string  `param:"filter"`
	GroupAccess int      `param:"group_access,required" oneof:"5 10 15 20 30 40 50"`
	Provider    string   `param:"provider,required,notempty"`
	MemberRole  *int64   `param:"member_role_id"`
	_           struct{} `exactly:"cn filter"`
}

func (a ldapLinks) create(ctx context.Context, s scope.Container, in ldapLinkNew) (group.LDAPLink, error) {
	return group.CreateLDAPLink(ctx, s.Store, a.directory, s.Container, group.LDAPLink{
		CN: in.CN, Filter: in.Filter, GroupAccess: in.GroupAccess, Provider: in.Provider, MemberRoleID: in.MemberRole,
	})
}

type ldapLinkDelete struct {
	Provider string   `param:"provider,required"`
	CN       *string  `param:"cn"`
	Filter   *string  `param:"filter"`
	_        struct{} `exactly:"cn filter"`
}

func (a ldapLinks) delete(ctx context.Context, s scope.Container, in ldapLinkDelete) (rest.None, error) {
	return a.remove(ctx, s, group.LDAPLinkTo(in.Provider, in.CN, in.Filter))
}

type ldapLinkCN struct {
	CN string `param:"cn"`
}

// deleteByCN is the oldest form, for any provider.
func (a ldapLinks) deleteByCN(ctx context.Context, s scope.Container, in ldapLinkCN) (rest.None, error) {
	return a.remove(ctx, s, group.LDAPLinkByCN(in.CN))
}

type ldapLinkOf struct {
	Provider string `param:"provider"`
	CN       string `param:"cn"`
}

// deleteOf is the second oldest form.
func (a ldapLinks) deleteOf(ctx context.Context, s scope.Container, in ldapLinkOf) (rest.None, error) {
	return a.remove(ctx, s, group.LDAPLinkTo(in.Provider, &in.CN, nil))
}

func (ldapLinks) remove(ctx context.Context, s scope.Container, which db.Condition) (rest.None, error) {
	err := group.LDAPLinks(s.Store, s.Container).Delete(ctx, which, rest.Unmodified)
	if fault.CodeOf(err) == fault.CodeNotFound {
		err = fault.NotFound("Linked LDAP group not found").In(fault.Text)
	}
	return rest.None{}, err
}

// sync enqueues the synchronization of the group. It does nothing without an LDAP server.
func (a ldapLinks) sync(ctx context.Context, s scope.Container, _ rest.None) (rest.None, error) {
	return rest.None{}, a.directory.Begin(ctx, s.Store, *s.NamespaceID)
}

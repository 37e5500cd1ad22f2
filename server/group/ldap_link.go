package group

import (
	"time"

	"hew/server/db"
)

// LDAPLink binds a group to one of an LDAP server, or to those whom a filter finds there (spec 2 §2.9, gaps §3.4): they become
// members of it.
type LDAPLink struct {
	ID           int64     `db:"id,auto" json:"-"`
	NamespaceID  int64     `db:"namespace_id" json:"-"`
	CN           *string   `db:"cn" json:"cn"`
	Filter       *string   `db:"filter" json:"filter"` // one of the two
	GroupAccess  int       `db:"group_access" json:"group_access"`
	Provider     string    `db:"provider" json:"provider"`
	MemberRoleID *int64    `db:"member_role_id" json:"member_role_id"`
	CreatedAt    time.Time `db:"created_at,auto" json:"-"`
	UpdatedAt    time.Time `db:"updated_at,auto" json:"-"`
}

// LDAPLinks are those of a group.
func LDAPLinks(s *db.Store, c db.Container) db.Held[LDAPLink] {
	return db.HeldIn[LDAPLink](s, c, "ldap_group_links")
}

// LDAPLinkTo is the link to what a provider knows by its cn or finds by a filter.
func LDAPLinkTo(provider string, cn, filter *string) db.Which {
	return func(w *db.Where) {
		w.And(true, `t.provider = @provider`, provider)
		w.And(true, `t.cn is not distinct from @cn and t.filter is not distinct from @filter`, cn)
		w.Args["filter"] = filter
	}
}

// LDAPLinkByCN is the first link to a cn, whatever its provider.
func LDAPLinkByCN(cn string) db.Which {
	return func(w *db.Where) {
		w.And(true, `t.id = (select min(l.id) from ldap_group_links l where l.namespace_id = t.namespace_id and l.cn = @cn)`, cn)
	}
}

// LDAPLinksOf are those to a provider.
func LDAPLinksOf(provider string) db.Which {
	return func(w *db.Where) { w.And(true, `t.provider = @provider`, provider) }
}

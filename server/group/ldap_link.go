package group

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"hew/server/check"
	"hew/server/db"
	"hew/server/directory"
	"hew/server/fault"
)

// LDAPLink makes the members of an LDAP group, or the people that a filter finds, members of a
// group (spec 2 §2.9, gaps §3.4).
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

// LDAPLinks returns the LDAP links of a group.
func LDAPLinks(s *db.Store, c db.Container) db.Held[LDAPLink] {
	return db.NewHeld[LDAPLink](s, c, "ldap_group_links")
}

// LDAPLinkTo selects the link to a cn or filter of a provider.
func LDAPLinkTo(provider string, cn, filter *string) db.Condition {
	return func(w *db.Where) {
		w.And(`t.provider = @provider`, provider)
		w.And(`t.cn is not distinct from @cn and t.filter is not distinct from @filter`, cn, filter)
	}
}

// LDAPLinkByCN selects the first link to a cn of any provider.
func LDAPLinkByCN(cn string) db.Condition {
	return func(w *db.Where) {
		w.And(`t.id = (select min(l.id) from ldap_group_links l where l.namespace_id = t.namespace_id
			and l.cn = @cn)`, cn)
	}
}

// ldapLinksOf selects the links to a provider.
func ldapLinksOf(provider string) db.Condition {
	return func(w *db.Where) { w.And(`t.provider = @provider`, provider) }
}

// CreateLDAPLink creates an LDAP link of a group. An invalid link is a conflict about its first
// error.
func CreateLDAPLink(ctx context.Context, st *db.Store, d *Directory, c db.Container, l LDAPLink) (LDAPLink, error) {
	l.NamespaceID = *c.NamespaceID
	err := d.check(l)
	if err == nil {
		err = st.Tx(ctx, func(st *db.Store) error {
			l, err = LDAPLinks(st, c).Create(ctx, l)
			return err
		})
	}
	return l, asSentence(err, fault.Conflict)
}

// check returns a fault about all that is invalid in a link.
func (d *Directory) check(l LDAPLink) error {
	var wrong check.Problems
	switch {
	case blankText(l.CN) && l.Filter == nil:
		wrong.On("cn", check.Blank)
	case blankText(l.Filter) && l.CN == nil:
		wrong.On("filter", check.Blank)
	case l.Filter != nil && directory.CheckFilter(*l.Filter) != nil:
		wrong.On("filter", "must be a valid filter")
	case !d.knows(l.Provider):
		wrong.On("provider", "is not included in the list")
	case l.MemberRoleID != nil: // there are no custom roles
		wrong.On("member_role", "does not exist")
	}
	return wrong.Err()
}

func blankText(text *string) bool { return text == nil || strings.TrimSpace(*text) == "" }

// asSentence turns a fault about fields into one of another code, with a sentence about the first
// field.
func asSentence(err error, as func(string) *fault.Error) error {
	f, ok := fault.From(err)
	if !ok || f.Fields == nil {
		return err
	}
	field := slices.Sorted(maps.Keys(f.Fields))[0]
	words := strings.ReplaceAll(field, "_", " ")
	return as(strings.ToUpper(words[:1]) + words[1:] + " " + f.Fields[field][0]).Because(err)
}

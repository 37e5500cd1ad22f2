package group

import (
	"context"
	"maps"
	"slices"
	"strings"

	"hew/server/check"
	"hew/server/db"
	"hew/server/directory"
	"hew/server/fault"
)

// CreateLDAPLink binds a group to one of an LDAP server, or to whom a filter finds there (gaps §3.4). What is wrong with the
// link is a conflict, told by its first sentence.
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

// check says what is wrong with a link, if anything.
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
	case l.MemberRoleID != nil: // custom roles are made nowhere
		wrong.On("member_role", "does not exist")
	}
	return wrong.Err()
}

func blankText(text *string) bool { return text == nil || strings.TrimSpace(*text) == "" }

// asSentence turns what is wrong with a field into a fault of another kind that says it in one sentence.
func asSentence(err error, as func(string) *fault.Error) error {
	f, ok := fault.From(err)
	if !ok || f.Fields == nil {
		return err
	}
	field := slices.Sorted(maps.Keys(f.Fields))[0]
	words := strings.ReplaceAll(field, "_", " ")
	return as(strings.ToUpper(words[:1]) + words[1:] + " " + f.Fields[field][0]).Because(err)
}

// CreateSAMLLink binds a group to one that a SAML provider tells of (gaps §3.4). What is wrong with the link is told by a
// sentence.
func CreateSAMLLink(ctx context.Context, st *db.Store, c db.Container, l SAMLLink) (SAMLLink, error) {
	l.NamespaceID = *c.NamespaceID
	var wrong check.Problems
	if l.MemberRoleID != nil { // custom roles are made nowhere
		wrong.On("member_role", "does not exist")
	}
	err := wrong.Err()
	if err == nil {
		err = st.Tx(ctx, func(st *db.Store) error {
			l, err = SAMLLinks(st, c).Create(ctx, l)
			return err
		})
	}
	return l, asSentence(err, fault.Unprocessable)
}

// ReadSAMLLink finds the link to a group of that name. Where several providers tell of one, the name alone will not do.
func ReadSAMLLink(ctx context.Context, st *db.Store, c db.Container, name string, provider *string) (SAMLLink, error) {
	found, _, err := SAMLLinks(st, c).List(ctx, db.Page{Limit: 2}, SAMLLinkTo(name, provider))
	switch {
	case err != nil:
		return SAMLLink{}, err
	case len(found) == 0:
		return SAMLLink{}, fault.NotFound("Linked SAML group link not found").In(fault.Text)
	case len(found) > 1:
		return SAMLLink{}, fault.Unprocessable(
			"Multiple group links found with the same name. Please specify a provider parameter to disambiguate.")
	}
	return found[0], nil
}

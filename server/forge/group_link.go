package forge

import (
	"context"
	"maps"
	"slices"
	"strings"

	"hew/server/directory"
	"hew/server/fault"
	"hew/server/store"
)

// CreateLDAPLink binds a group to one of an LDAP server, or to whom a filter finds there (gaps §3.4). What is wrong with the
// link is a conflict, told by its first sentence.
func CreateLDAPLink(ctx context.Context, st *store.Store, d *Directory, c store.Container, l store.LDAPLink) (store.LDAPLink, error) {
	l.NamespaceID = *c.NamespaceID
	err := d.check(l)
	if err == nil {
		err = st.Tx(ctx, func(st *store.Store) error {
			l, err = st.LDAPLinks(c).Create(ctx, l)
			return err
		})
	}
	return l, asSentence(err, fault.Conflict)
}

// check says what is wrong with a link, if anything.
func (d *Directory) check(l store.LDAPLink) error {
	var wrong problems
	switch {
	case blankText(l.CN) && l.Filter == nil:
		wrong.on("cn", blank)
	case blankText(l.Filter) && l.CN == nil:
		wrong.on("filter", blank)
	case l.Filter != nil && directory.CheckFilter(*l.Filter) != nil:
		wrong.on("filter", "must be a valid filter")
	case !d.knows(l.Provider):
		wrong.on("provider", "is not included in the list")
	case l.MemberRoleID != nil: // custom roles are made nowhere
		wrong.on("member_role", "does not exist")
	}
	return wrong.err()
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
func CreateSAMLLink(ctx context.Context, st *store.Store, c store.Container, l store.SAMLLink) (store.SAMLLink, error) {
	l.NamespaceID = *c.NamespaceID
	var wrong problems
	if l.MemberRoleID != nil { // custom roles are made nowhere
		wrong.on("member_role", "does not exist")
	}
	err := wrong.err()
	if err == nil {
		err = st.Tx(ctx, func(st *store.Store) error {
			l, err = st.SAMLLinks(c).Create(ctx, l)
			return err
		})
	}
	return l, asSentence(err, fault.Unprocessable)
}

// SAMLLink finds the link to a group of that name. Where several providers tell of one, the name alone will not do.
func SAMLLink(ctx context.Context, st *store.Store, c store.Container, name string, provider *string) (store.SAMLLink, error) {
	found, _, err := st.SAMLLinks(c).List(ctx, store.Page{Limit: 2}, store.SAMLLinkTo(name, provider))
	switch {
	case err != nil:
		return store.SAMLLink{}, err
	case len(found) == 0:
		return store.SAMLLink{}, fault.NotFound("Linked SAML group link not found").In(fault.Text)
	case len(found) > 1:
		return store.SAMLLink{}, fault.Unprocessable(
			"Multiple group links found with the same name. Please specify a provider parameter to disambiguate.")
	}
	return found[0], nil
}

package group

import (
	"context"
	"time"

	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
)

// SAMLLink makes users whom a SAML provider reports in a group at sign-in members of a group (spec
// 2 §2.9, gaps §3.4).
type SAMLLink struct {
	ID           int64     `db:"id,auto" json:"-"`
	NamespaceID  int64     `db:"namespace_id" json:"-"`
	Name         string    `db:"name" json:"name"`
	AccessLevel  int       `db:"access_level" json:"access_level"`
	MemberRoleID *int64    `db:"member_role_id" json:"member_role_id"`
	Provider     *string   `db:"provider" json:"provider"` // nil: any
	CreatedAt    time.Time `db:"created_at,auto" json:"-"`
	UpdatedAt    time.Time `db:"updated_at,auto" json:"-"`
}

// SAMLLinks returns the SAML links of a group.
func SAMLLinks(s *db.Store, c db.Container) db.Held[SAMLLink] {
	return db.NewHeld[SAMLLink](s, c, "saml_group_links")
}

// samlLinkTo selects the links to groups of that name, of one provider or, if nil, of all.
func samlLinkTo(name string, provider *string) db.Condition {
	return func(w *db.Where) {
		w.And(`t.name = @name`, name)
		w.AndIf(provider != nil, `coalesce(t.provider, '') = @provider`, provider)
	}
}

// CreateSAMLLink creates a SAML link of a group. An invalid link is unprocessable.
func CreateSAMLLink(ctx context.Context, st *db.Store, c db.Container, l SAMLLink) (SAMLLink, error) {
	l.NamespaceID = *c.NamespaceID
	var wrong check.Problems
	if l.MemberRoleID != nil { // there are no custom roles
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

// FindSAMLLink returns the link to a group of that name. It fails if links of several providers
// match.
func FindSAMLLink(ctx context.Context, st *db.Store, c db.Container, name string, provider *string) (SAMLLink, error) {
	found, _, err := SAMLLinks(st, c).List(ctx, db.Page{Limit: 2}, samlLinkTo(name, provider))
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

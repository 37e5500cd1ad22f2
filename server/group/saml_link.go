package group

import (
	"time"

	"hew/server/db"
)

// SAMLLink binds a group to one that a SAML provider tells of when somebody signs in (spec 2 §2.9, gaps §3.4).
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

// SAMLLinks are those of a group.
func SAMLLinks(s *db.Store, c db.Container) db.Held[SAMLLink] {
	return db.HeldIn[SAMLLink](s, c, "saml_group_links")
}

// SAMLLinkTo are the links to groups of that name, of one provider or, if that is nil, of all.
func SAMLLinkTo(name string, provider *string) db.Which {
	return func(w *db.Where) {
		w.And(true, `t.name = @name`, name)
		w.And(provider != nil, `coalesce(t.provider, '') = @provider`, provider)
	}
}

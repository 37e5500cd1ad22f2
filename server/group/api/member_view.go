package api

import (
	"strings"
	"time"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/group"
	"hew/server/tree"
	"hew/server/view"
)

// memberView is a member in lists, with a part that only owners of the group see (spec 2 §2.8, gaps
// §5.1).
type memberView struct {
	view.BasicUser
	AccessLevel     int             `json:"access_level"`
	CreatedAt       time.Time       `json:"created_at"`
	CreatedBy       *view.BasicUser `json:"created_by"`
	ExpiresAt       *db.Date        `json:"expires_at"`
	MembershipState string          `json:"membership_state"`
	*ownersMember
}

// ownersMember is what owners of a group see. It has the address of enterprise users, who have an
// identity with the top-level group.
type ownersMember struct {
	Identity    *tree.Identity `json:"group_saml_identity"`
	Email       string         `json:"email,omitempty"`
	MemberRole  *struct{}      `json:"member_role"` // null: there are no custom roles
	IsUsingSeat *bool          `json:"is_using_seat,omitempty"`
	// of members from an LDAP server: synchronization leaves them alone
	Override *bool `json:"override,omitempty"`
}

// memberViewer returns a function that returns the view of a member for the caller of r.
func memberViewer(a *view.Site, r roster) func(group.Member) memberView {
	return func(m group.Member) memberView {
		v := memberView{
			BasicUser: a.BasicUser(m.Person()), CreatedBy: a.Author(m.CreatedBy),
			AccessLevel: m.AccessLevel, CreatedAt: m.CreatedAt, ExpiresAt: m.ExpiresAt,
			MembershipState: m.MembershipState,
		}
		if r.owner {
			v.ownersMember = forOwners(r, m)
		}
		return v
	}
}

func forOwners(r roster, m group.Member) *ownersMember {
	v, g := &ownersMember{}, r.Source.Root()
	for _, id := range m.Identities {
		if id.SAMLProviderID != nil && *id.SAMLProviderID == g {
			v.Identity, v.Email = &id, m.Email
		}
	}
	if m.LDAPProvider != nil {
		v.Override = &m.Override
	}
	if r.seats {
		using := !m.Bot && m.State == "active"
		v.IsUsingSeat = &using
	}
	return v
}

// membersAdded is the answer about several users, with an error for each who was not added.
type membersAdded struct {
	Status  string            `json:"status"` // success, error
	Message map[string]string `json:"message,omitempty"`
}

func addedView(added []group.AddedMember) membersAdded {
	v := membersAdded{Status: "success", Message: map[string]string{}}
	for _, a := range added {
		if f, ok := fault.From(a.Err); ok {
			v.Status, v.Message[a.Name] = "error", sentence(f)
		}
	}
	return v
}

// sentence returns a fault about a user as a sentence.
func sentence(f *fault.Error) string {
	for field, texts := range f.Fields {
		words := strings.ReplaceAll(field, "_", " ")
		return strings.ToUpper(words[:1]) + words[1:] + " " + strings.Join(texts, ", ")
	}
	if f.Code == fault.CodeNotFound {
		return f.What + " not found"
	}
	return f.What
}

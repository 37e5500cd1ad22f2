package api

import (
	"context"
	"time"

	"hew/server/store"
)

// memberView is a member as everybody sees him who sees the list, and what only owners of the group see (spec 2 §2.8,
// gaps §5.1); the latter is absent for others.
type memberView struct {
	basicUser
	AccessLevel     int         `json:"access_level"`
	CreatedAt       time.Time   `json:"created_at"`
	CreatedBy       *basicUser  `json:"created_by"`
	ExpiresAt       *store.Date `json:"expires_at"`
	MembershipState string      `json:"membership_state"`
	*ownersMember
	*signedOnMember
}

// ownersMember is for the owners of a group.
type ownersMember struct {
	MemberRole  *struct{} `json:"member_role"` // null: there are no custom roles
	IsUsingSeat *bool     `json:"is_using_seat,omitempty"`
}

// signedOnMember is for the owners of a group that signs its members in: their identity with it, and of those who have
// one, who are its enterprise users, the address.
type signedOnMember struct {
	Identity *store.Identity `json:"group_saml_identity"`
	Email    string          `json:"email,omitempty"`
}

// memberView makes the views of one answer.
func (a *API) memberView(ctx context.Context, r roster, seats bool) (func(store.Member) memberView, error) {
	if !r.owner {
		return a.plainMember, nil
	}
	sso, err := r.Store.SingleSignOn(ctx, r.source)
	return func(m store.Member) memberView {
		v := a.plainMember(m)
		v.ownersMember = &ownersMember{}
		if seats {
			using := !m.Bot && m.State == "active"
			v.IsUsingSeat = &using
		}
		if sso {
			v.signedOnMember = signedOn(m, r.source.Root())
		}
		return v
	}, err
}

// showMember is the view of one member, of whom err says whether he is there.
func (a *API) showMember(ctx context.Context, r roster, m store.Member, err error) (memberView, error) {
	if err != nil {
		return memberView{}, err
	}
	show, err := a.memberView(ctx, r, false)
	if err != nil {
		return memberView{}, err
	}
	return show(m), nil
}

func (a *API) plainMember(m store.Member) memberView {
	return memberView{
		basicUser: basicUser{
			ID: m.UserID, Username: m.Username, Name: m.Name, State: m.State, AvatarURL: m.Avatar, WebURL: a.web(m.Username),
		},
		AccessLevel: m.AccessLevel, CreatedAt: m.CreatedAt, ExpiresAt: m.ExpiresAt, MembershipState: m.MembershipState,
		CreatedBy: a.author(m.CreatedByID, m.CreatedByUsername, m.CreatedByName, m.CreatedByState, m.CreatedByAvatar),
	}
}

func signedOn(m store.Member, group int64) *signedOnMember {
	for _, id := range m.Identities {
		if id.SAMLProviderID != nil && *id.SAMLProviderID == group {
			return &signedOnMember{Identity: &id, Email: m.Email}
		}
	}
	return &signedOnMember{}
}

package api

import (
	"context"
	"fmt"

	"hew/server/db"
	"hew/server/group"
	"hew/server/part"
	"hew/server/people"
	"hew/server/policy"
	"hew/server/tree"
)

// specimen stores n members, invitations, access requests and access tokens of a group or project
// and shares it with the guests. It stores n subgroups and links to directories of a group besides.
func specimen(ctx context.Context, h *db.Store, at part.Place, n int) (part.Values, error) {
	if at.ID() == 0 {
		return nil, nil
	}
	s := specimenOf{h, at, part.Values{}}
	if _, err := group.InsertShare(ctx, h, group.NewShare(at.Source(), at.Guests, 30)); err != nil {
		return nil, err
	}
	for i := range n {
		if err := s.addPeople(ctx, fmt.Sprintf("%d-of-%s-%d", i, at.Kind(), at.ID())); err != nil {
			return nil, err
		}
	}
	if at.ProjectID != nil {
		return s.values, nil
	}
	deputy, err := s.addUser(ctx, fmt.Sprintf("deputy-of-group-%d", at.ID())) // the last owner could not be removed
	if err != nil {
		return nil, err
	}
	if err := s.addMember(ctx, at.Source(), deputy, 50); err != nil {
		return nil, err
	}
	for i := range n {
		if err := s.addGroups(ctx, fmt.Sprintf("%d-of-group-%d", i, at.ID())); err != nil {
			return nil, err
		}
		if err := s.addLinks(ctx, fmt.Sprint("dev-", i)); err != nil {
			return nil, err
		}
		if err := s.addPending(ctx, fmt.Sprintf("%d-of-group-%d", i, at.ID())); err != nil {
			return nil, err
		}
	}
	return s.values, nil
}

// specimenOf is a specimen that is being stored.
type specimenOf struct {
	*db.Store
	at     part.Place
	values part.Values
}

// addPeople adds a member, an invitation, a request for access and an access token, named after a
// suffix.
func (s specimenOf) addPeople(ctx context.Context, suffix string) error {
	u, err := s.addUser(ctx, "member-"+suffix)
	if err != nil {
		return err
	}
	if err := s.addMember(ctx, s.at.Source(), u, 30); err != nil {
		return err
	}
	s.values["email"] = "ivy-" + suffix + "@example.org"
	if err := group.InsertInvitation(ctx, s.Store,
		group.NewInvitation(s.at.Source(), s.values["email"], 30)); err != nil {
		return err
	}
	asks, err := s.addUser(ctx, "asks-"+suffix)
	if err != nil {
		return err
	}
	if _, err := group.InsertAccessRequest(ctx, s.Store, s.at.Source(), asks.ID); err != nil {
		return err
	}
	s.values[s.at.Kind()+"s/access_requests/user_id"] = fmt.Sprint(asks.ID)
	holder := group.Holder{Container: s.at.Container, By: policy.Who{ID: s.at.Owner.ID, Level: policy.Owner}}
	t, err := group.CreateAccessToken(ctx, s.Store, holder, s.at.Owner, people.Token{
		Name: "bot-" + suffix, Scopes: []string{"api"}, AccessLevel: new(30),
	})
	s.values["token_id"] = fmt.Sprint(t.ID)
	return err
}

// addPending adds a member of the group who awaits approval, named after a suffix.
func (s specimenOf) addPending(ctx context.Context, suffix string) error {
	u, err := s.addUser(ctx, "waits-"+suffix)
	if err != nil {
		return err
	}
	m, err := group.AddMember(ctx, s.Store, group.NewMember(s.at.Source(), u.ID, 30))
	if err != nil {
		return err
	}
	s.values["member_id"] = fmt.Sprint(m.ID)
	root := group.Roster{Source: s.at.Source(), By: policy.Who{ID: 1, Admin: true}, Need: adminGroupMember}
	return group.SetMembershipState(ctx, s.Store, root, u.ID, group.Awaiting)
}

// addGroups adds a subgroup with a member and an attribute, and a group that invites the one of the
// specimen and is invited by it and by the subgroup. The owner owns both directly.
func (s specimenOf) addGroups(ctx context.Context, suffix string) error {
	inner, err := s.addGroup(ctx, "inner-"+suffix, &s.at.Group.ID)
	if err != nil {
		return err
	}
	host, err := s.addGroup(ctx, "host-"+suffix, nil)
	if err != nil {
		return err
	}
	for _, share := range []group.Share{
		group.NewShare(tree.InGroup(host), s.at.Group, 30),
		group.NewShare(tree.InGroup(s.at.Group), host, 30),
		group.NewShare(tree.InGroup(inner), host, 30),
	} {
		if _, err := group.InsertShare(ctx, s.Store, share); err != nil {
			return err
		}
	}
	u, err := s.addUser(ctx, "inner-"+suffix+"-member")
	if err != nil {
		return err
	}
	if err := s.addMember(ctx, tree.InGroup(inner), u, 40); err != nil {
		return err
	}
	return people.ChangeCustomAttributes(ctx, s.Store, inner.Bearer(), func(attributes map[string]string) error {
		attributes["key"] = "value"
		return nil
	})
}

func (s specimenOf) addGroup(ctx context.Context, path string, parent *int64) (tree.Group, error) {
	g := tree.NewGroup(path, path, parent)
	g.Visibility = s.at.Group.Visibility
	return group.InsertGroup(ctx, s.Store, g, s.at.Owner.ID)
}

// addLinks adds a link to an LDAP group and one to a SAML group of that name.
func (s specimenOf) addLinks(ctx context.Context, name string) error {
	_, err := group.LDAPLinks(s.Store, s.at.Container).Create(ctx, group.LDAPLink{
		NamespaceID: s.at.Group.ID, CN: &name, Provider: "ldapmain", GroupAccess: 30,
	})
	if err != nil {
		return err
	}
	_, err = group.SAMLLinks(s.Store, s.at.Container).Create(ctx, group.SAMLLink{
		NamespaceID: s.at.Group.ID, Name: name, AccessLevel: 30,
	})
	s.values["cn"], s.values["provider"], s.values["saml_group_name"] = name, "ldapmain", name
	return err
}

func (s specimenOf) addUser(ctx context.Context, name string) (tree.User, error) {
	return tree.CreateUser(ctx, s.Store, tree.NewUser(name, name, name+"@example.com"))
}

func (s specimenOf) addMember(ctx context.Context, in tree.Source, u tree.User, level int) error {
	m := group.NewMember(in, u.ID, level)
	m.CreatedByID = &u.ID
	_, err := group.AddMember(ctx, s.Store, m)
	return err
}

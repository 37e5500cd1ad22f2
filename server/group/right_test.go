package group_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/fault"
	"hew/server/group"
	"hew/server/people"
	"hew/server/policy"
	"hew/server/tree"
)

// What a guard has read of a user may be old: roles, shares and tokens are given with the rights
// of now.
func TestRightsAreReadAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	root, mary, bob := w.User("root2"), w.User("mary"), w.User("bob")
	acme, guests := w.Group("acme", nil, root.ID), w.Group("guests", nil, root.ID)
	w.Member(group.NewMember(tree.InGroup(acme), mary.ID, 30))
	w.Member(group.NewMember(tree.InGroup(acme), bob.ID, 20))
	need := policy.Ability{Name: "any", Min: policy.Owner}
	owner := group.Role{Level: int(policy.Owner)}

	for _, was := range []policy.Who{{ID: mary.ID, Level: policy.Owner}, {ID: mary.ID, Admin: true}} {
		r := group.Roster{Source: tree.InGroup(acme), By: was, Need: need}
		_, added := group.AddMembers(ctx, w.Store, r, group.UserRefs{IDs: []int64{root.ID}}, owner)
		_, changed := group.ChangeMember(ctx, w.Store, r, bob.ID, func(to *group.Role) { to.Level = 50 })
		removed := group.RemoveMember(ctx, w.Store, r, group.Departure{UserID: bob.ID})
		_, invited := group.Invite(ctx, w.Store, r, group.Invitees{Emails: []string{"a@example.com"}}, owner)
		_, shared := group.CreateShare(ctx, w.Store, r, guests, owner)
		awaiting := group.SetMembershipState(ctx, w.Store, r, bob.ID, group.Awaiting)
		approved := group.ApproveAllMembers(ctx, w.Store, r)
		for _, err := range []error{added, changed, removed, invited, shared, awaiting, approved} {
			require.Equal(t, fault.CodeForbidden, fault.CodeOf(err), "%v", err)
		}
		_, err := group.CreateAccessToken(ctx, w.Store, group.Holder{Container: acme.Container(), By: was}, mary,
			people.Token{Name: "x", Scopes: []string{"api"}, AccessLevel: new(int(policy.Owner))})
		require.ErrorContains(t, err, "can't be greater")
	}
	require.NoError(t, w.Exec(ctx, `update users set state = 'blocked' where id = @id`, pgx.NamedArgs{"id": root.ID}))
	r := group.Roster{Source: tree.InGroup(acme), By: policy.Who{ID: root.ID, Level: policy.Owner}, Need: need}
	require.Error(t, group.RemoveMember(ctx, w.Store, r, group.Departure{UserID: bob.ID}))
}

package group

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"hew/schema/catalogue"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
)

// Invitees are the people to invite. Duplicates count once.
type Invitees struct {
	IDs    []int64
	Emails []string
}

// Invite adds the users with these ids or confirmed addresses as members, and stores invitations
// for the other addresses (gaps §5.3). It returns one result for each, and fails as a whole if too
// many are named or r.By may not grant the role. Invitations
// go out as mail, if there is a mail server.
func Invite(ctx context.Context, st *db.Store, r Roster, who Invitees, role Role) ([]AddedMember, error) {
	if len(who.IDs)+len(who.Emails) > maxNamed {
		return nil, tooManyNamed()
	}
	r, err := r.hold(ctx, st)
	if err != nil {
		return nil, err
	}
	if err := r.checkUnlocked(ctx, st); err != nil {
		return nil, err
	}
	wrong := r.check(role)
	if wrong != nil && fault.CodeOf(wrong) != fault.CodeInvalid {
		return nil, wrong
	}
	users, err := findConfirmedUsers(ctx, st, who.Emails)
	if err != nil {
		return nil, err
	}
	ids, strangers, named := slices.Clone(who.IDs), []string{}, map[int64]string{}
	for _, email := range who.Emails {
		if id, ok := users[email]; ok {
			ids, named[id] = append(ids, id), email
		} else if !slices.ContainsFunc(strangers, func(s string) bool { return strings.EqualFold(s, email) }) {
			strangers = append(strangers, email)
		}
	}
	found, err := findCandidates(ctx, st, r.Source, ids, nil)
	if err != nil {
		return nil, err
	}
	var done []AddedMember
	for _, c := range found {
		a := AddedMember{Name: cmp.Or(named[c.UserID], c.Username, c.Asked), Err: wrong}
		if wrong == nil {
			a.Member, a.Err = r.add(ctx, st, c, role)
		}
		if fault.CodeOf(a.Err) == fault.CodeConflict {
			a.Err = fault.Conflict("User already exists in source").Because(a.Err)
		}
		done = append(done, a)
	}
	var invited []string
	for _, email := range strangers {
		a := AddedMember{Name: email, Err: wrong}
		if wrong == nil {
			a.Err = r.invite(ctx, st, email, role)
		}
		if a.Err == nil {
			invited = append(invited, email)
		}
		done = append(done, a)
	}
	if err := mailInvitations(ctx, st, r, invited, role); err != nil {
		return nil, err
	}
	return emitAdded(ctx, st, done)
}

func (r Roster) invite(ctx context.Context, st *db.Store, email string, role Role) error {
	if !catalogue.IsEmail(email) || len(email) > 255 {
		return fault.Invalid("invite_email", "is invalid")
	}
	i := NewInvitation(r.Source, email, role.Level)
	i.ExpiresAt, i.CreatedByID = role.ExpiresAt, &r.By.ID
	return InsertInvitation(ctx, st, i)
}

// ChangeInvitation applies change to the role of an invitation and stores the outcome. It fails if
// r.By could not grant the old or the new role.
func ChangeInvitation(
	ctx context.Context, st *db.Store, r Roster, email string, change func(*Role),
) (i Invitation, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if r, err = r.hold(ctx, st); err != nil {
			return err
		}
		if i, err = r.holdInvitation(ctx, st, email); err != nil {
			return err
		}
		role := Role{Level: i.AccessLevel, ExpiresAt: i.ExpiresAt}
		change(&role)
		if err := r.check(role); err != nil {
			return err
		}
		i.AccessLevel, i.ExpiresAt = role.Level, role.ExpiresAt
		i, err = updateInvitation(ctx, st, i)
		return err
	})
	return i, err
}

// DeleteInvitation withdraws an invitation. It fails if r.By could not grant its role.
func DeleteInvitation(ctx context.Context, st *db.Store, r Roster, email string) error {
	return st.Tx(ctx, func(st *db.Store) error {
		r, err := r.hold(ctx, st)
		if err != nil {
			return err
		}
		i, err := r.holdInvitation(ctx, st, email)
		if err != nil {
			return err
		}
		return removeInvitation(ctx, st, i.ID)
	})
}

func (r Roster) holdInvitation(ctx context.Context, st *db.Store, email string) (Invitation, error) {
	i, err := HoldInvitation(ctx, st, r.Source, email)
	if err == nil && !policy.MayGrant(r.By, policy.Level(i.AccessLevel)) {
		err = fault.Forbidden("the invitation's access_level is above your own")
	}
	return i, err
}

// acceptInvitations turns the invitations to the confirmed address of a user, or of all users if
// nil, into memberships. Existing memberships stay as they are. Invitations to projects with a
// membership lock stay, and each sweep tries them again.
func acceptInvitations(ctx context.Context, st *db.Store, user *int64) error {
	taken, err := takeInvitations(ctx, st, user)
	if err != nil {
		return err
	}
	var added []Member
	for _, a := range taken {
		m, err := AddMember(ctx, st, a.member())
		switch {
		case err == nil:
			added = append(added, m)
		case fault.CodeOf(err) != fault.CodeConflict:
			return err
		}
	}
	return emitMembersChanged(ctx, st, MemberAdded, added...)
}

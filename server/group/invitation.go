package group

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
)

// Invited are the people that somebody invites; whoever is named twice is meant once.
type Invited struct {
	IDs    []int64
	Emails []string
}

// Invite makes members of the users that are named by id or by an e-mail address that they have confirmed, and invites
// whoever has one of the other addresses, or will have it (gaps §5.3). It tells of each what became of him, and fails as a
// whole if there are too many of them or the actor may not give that role.
//
// Nothing is sent: this server has no way to send mail. The invited get to know by other means.
func Invite(ctx context.Context, st *db.Store, r Roster, who Invited, role Role) ([]AddedMember, error) {
	if len(who.IDs)+len(who.Emails) > maxNamed {
		return nil, fault.BadRequest("Too many users specified (limit is 100)").In(fault.Text)
	}
	if err := r.open(ctx, st); err != nil {
		return nil, err
	}
	wrong := r.check(role)
	if wrong != nil && fault.CodeOf(wrong) != fault.CodeInvalid {
		return nil, wrong
	}
	users, err := ConfirmedEmails(ctx, st, who.Emails)
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
	found, err := Candidates(ctx, st, r.Source, ids, nil)
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
	for _, email := range strangers {
		a := AddedMember{Name: email, Err: wrong}
		if wrong == nil {
			a.Err = r.invite(ctx, st, email, role)
		}
		done = append(done, a)
	}
	return welcome(ctx, st, done)
}

func (r Roster) invite(ctx context.Context, st *db.Store, email string, role Role) error {
	if !check.EmailPattern.MatchString(email) || len(email) > 255 {
		return fault.Invalid("invite_email", "is invalid")
	}
	i := NewInvitation(r.Source, email, role.Level)
	i.ExpiresAt, i.CreatedByID = role.ExpiresAt, &r.By.ID
	return CreateInvitation(ctx, st, i)
}

// ChangeInvitation lets change edit the role that somebody is invited to, and stores the outcome. Nobody changes what he
// could not give.
func ChangeInvitation(
	ctx context.Context, st *db.Store, r Roster, email string, change func(*Role),
) (i Invitation, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if i, err = r.holdInvitation(ctx, st, email); err != nil {
			return err
		}
		role := Role{Level: i.AccessLevel, ExpiresAt: i.ExpiresAt}
		change(&role)
		if err := r.check(role); err != nil {
			return err
		}
		i.AccessLevel, i.ExpiresAt = role.Level, role.ExpiresAt
		i, err = UpdateInvitation(ctx, st, i)
		return err
	})
	return i, err
}

// DeleteInvitation withdraws an invitation.
func DeleteInvitation(ctx context.Context, st *db.Store, r Roster, email string) error {
	return st.Tx(ctx, func(st *db.Store) error {
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

// acceptInvitations makes a user a member of whatever his address is invited to, once he has confirmed it; with nil it does
// so for all who wait. Where somebody is a member already he stays what he is. What is invited to a project under
// membership_lock waits, and is looked at again by each sweep: the lock may be lifted, or the project moved.
func acceptInvitations(ctx context.Context, st *db.Store, user *int64) error {
	taken, err := TakeInvitations(ctx, st, user)
	if err != nil {
		return err
	}
	var added []Member
	for _, a := range taken {
		m, err := AddMember(ctx, st, a.Member())
		switch {
		case err == nil:
			added = append(added, m)
		case fault.CodeOf(err) != fault.CodeConflict:
			return err
		}
	}
	return TellMembers(ctx, st, memberAdded, added...)
}

package group

import (
	"cmp"
	"context"

	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/tree"
)

// Roster is a group or a project as far as its members go, and the one who acts on them. What he may do to whom depends on
// both their levels, which no guard knows: that, and only that, is asked here.
type Roster struct {
	Source  tree.Source
	By      policy.Who
	Admin   bool // he may add, change and remove members, and not only leave
	Minimal bool // the level with minimal access is known here: in groups at the top
}

// Role is what a member is, or is to become.
type Role struct {
	Level     int      // as in policy
	ExpiresAt *db.Date // the first day on which it no longer counts; nil: it stays
	CustomID  *int64   // the custom role that refines the level; nil: none
}

// Named are the users that somebody names; whoever is named twice is meant once.
type Named struct {
	IDs       []int64
	Usernames []string // in any case
}

// maxNamed is how many users one call may name: each is looked up, and added in the same transaction.
const maxNamed = 100

// AddedMember is what became of one user who was to be a member.
type AddedMember struct {
	Name   string // his username, or what he was named by if nobody has that
	Member Member // the zero value if there is an Err
	Err    error  // a fault: why he cannot be added
}

// AddMembers makes members of users, as many as can be, and tells of each what became of him; of nobody that he was not
// found (spec 2 §2.8, gaps §5.1). It fails as a whole if there are too many of them or nobody could get the role here.
//
// It takes no lock that those who add to the same group would wait for: the store refuses whoever is a member already.
func AddMembers(ctx context.Context, st *db.Store, r Roster, named Named, role Role) ([]AddedMember, error) {
	if len(named.IDs)+len(named.Usernames) > maxNamed {
		return nil, fault.BadRequest("Too many users specified (limit is 100)").In(fault.Text)
	}
	if err := r.check(role); err != nil {
		return nil, err
	}
	if err := r.open(ctx, st); err != nil {
		return nil, err
	}
	found, err := Candidates(ctx, st, r.Source, named.IDs, named.Usernames)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		found = []Candidate{{}}
	}
	added := make([]AddedMember, len(found))
	for i, c := range found {
		m, err := r.add(ctx, st, c, role)
		added[i] = AddedMember{Name: cmp.Or(c.Username, c.Asked), Member: m, Err: err}
	}
	return welcome(ctx, st, added)
}

// welcome tells of those who have become members, and hands on what became of all. It fails if that is no answer for one.
func welcome(ctx context.Context, st *db.Store, added []AddedMember) ([]AddedMember, error) {
	var news []Member
	for _, a := range added {
		if _, ok := fault.From(a.Err); a.Err != nil && !ok {
			return nil, a.Err
		}
		if a.Member.ID != 0 {
			news = append(news, a.Member)
		}
	}
	return added, TellMembers(ctx, st, memberAdded, news...)
}

func (r Roster) add(ctx context.Context, st *db.Store, c Candidate, role Role) (Member, error) {
	switch {
	case c.UserID == 0:
		return Member{}, fault.NotFound("User")
	case c.Member:
		return Member{}, fault.Conflict("Member already exists")
	case c.Bot:
		return Member{}, fault.Invalid("user", "project bots cannot be added to other groups / projects")
	}
	if err := fits(c, role.Level); err != nil {
		return Member{}, err
	}
	m := NewMember(r.Source, c.UserID, role.Level)
	m.ExpiresAt, m.CreatedByID = role.ExpiresAt, &r.By.ID
	return AddMember(ctx, st, m)
}

// ChangeMember lets change edit the role of a direct member, and stores the outcome (gaps §5.1). It fails if the actor may
// not change him or give that role, or if it would leave a group without an owner.
func ChangeMember(
	ctx context.Context, st *db.Store, r Roster, userID int64, change func(*Role),
) (m Member, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		was, err := FindMember(ctx, st, r.Source, userID)
		if err != nil {
			return err
		}
		if err := r.mayChange(was); err != nil {
			return err
		}
		if was.Synced() {
			return fault.Forbidden("the member is kept in step with an LDAP server: set him to be overridden first")
		}
		role := Role{Level: was.AccessLevel, ExpiresAt: was.ExpiresAt, CustomID: was.MemberRoleID}
		change(&role)
		if err := r.check(role); err != nil {
			return err
		}
		m = was
		m.AccessLevel, m.ExpiresAt, m.MemberRoleID = role.Level, role.ExpiresAt, role.CustomID
		if err := r.mayBecome(ctx, st, was, m); err != nil {
			return err
		}
		if m, err = UpdateMember(ctx, st, m, was.AccessLevel); err != nil {
			return err
		}
		return TellMembers(ctx, st, memberChanged, m)
	})
	return m, err
}

// OverrideMember keeps a member who comes from an LDAP server as he is, or lets that have its way again (gaps §5.1).
func OverrideMember(ctx context.Context, st *db.Store, r Roster, userID int64, override bool) (m Member, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		m, err = FindMember(ctx, st, r.Source, userID)
		switch {
		case err != nil:
			return err
		case m.LDAPProvider == nil:
			return fault.NoRecord()
		}
		if err := r.mayChange(m); err != nil {
			return err
		}
		m, err = UpdateOverride(ctx, st, m, override)
		return err
	})
	return m, err
}

// Departure is how a member goes.
type Departure struct {
	UserID int64
	Stays  bool               // in the groups and projects below, as far as he is a direct member there
	Unless func(Member) error // is asked once he may go, and fails if he stays all the same; nil: nobody is asked
}

// RemoveMember removes a direct member, who may be the actor himself (gaps §5.1). It fails if the actor may not remove him,
// or if that would leave a group without an owner.
func RemoveMember(ctx context.Context, st *db.Store, r Roster, d Departure) error {
	return st.Tx(ctx, func(st *db.Store) error {
		m, err := FindMember(ctx, st, r.Source, d.UserID)
		if err != nil {
			return err
		}
		if err := r.mayRemove(m); err != nil {
			return err
		}
		if d.Unless != nil {
			if err := d.Unless(m); err != nil {
				return err
			}
		}
		if err := r.keepOwner(ctx, st, m); err != nil {
			return err
		}
		if err := DeleteMember(ctx, st, m); err != nil {
			return err
		}
		left := []Member{m}
		if !d.Stays {
			below, err := RemoveMembersBelow(ctx, st, r.Source, m.UserID)
			if err != nil {
				return err
			}
			left = append(left, below...)
		}
		if err := event.Emit(ctx, st, AccessLost{r.Source, &m.UserID}); err != nil {
			return err
		}
		return TellMembers(ctx, st, memberRemoved, left...)
	})
}

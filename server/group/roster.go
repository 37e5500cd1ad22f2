package group

import (
	"cmp"
	"context"
	"fmt"

	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/tree"
)

// Roster is a group or project and the user who acts on its members. What the user may do to a
// member depends on both levels, which no guard knows.
type Roster struct {
	Source  tree.Source
	By      policy.Who
	Need    policy.Ability // lets By add, change and remove members; others may only leave
	Minimal bool           // minimal access can be granted: in top-level groups

	Requestable bool // users may ask for access
}

// Role is the role of a member.
type Role struct {
	Level     int      // as in policy
	ExpiresAt *db.Date // the first day on which it no longer counts; nil: never
	CustomID  *int64   // of a custom role; nil: none
}

// UserRefs are references to users. Duplicates count once.
type UserRefs struct {
	IDs       []int64
	Usernames []string // in any case
}

// maxNamed limits the users of one call, which looks up and adds each in one transaction.
const maxNamed = 100

func tooManyNamed() error {
	return fault.BadRequest(fmt.Sprintf("Too many users specified (limit is %d)", maxNamed)).In(fault.Text)
}

// AddedMember is the result for one user of a request to add several.
type AddedMember struct {
	Name   string // the username, or the reference if there is no such user
	Member Member // the zero value if there is an Err
	Err    error  // a fault; nil if the user was added or invited
}

// AddMembers adds the named users and returns one result for each, or one not-found result if
// nobody is named (spec 2 §2.8, gaps §5.1). It fails as a whole if too many are named or nobody can
// get the role.
func AddMembers(ctx context.Context, st *db.Store, r Roster, named UserRefs, role Role) ([]AddedMember, error) {
	if len(named.IDs)+len(named.Usernames) > maxNamed {
		return nil, tooManyNamed()
	}
	r, err := r.hold(ctx, st)
	if err != nil {
		return nil, err
	}
	if err := r.check(role); err != nil {
		return nil, err
	}
	if err := r.checkUnlocked(ctx, st); err != nil {
		return nil, err
	}
	found, err := findCandidates(ctx, st, r.Source, named.IDs, named.Usernames)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		found = []candidate{{}}
	}
	added := make([]AddedMember, len(found))
	for i, c := range found {
		m, err := r.add(ctx, st, c, role)
		added[i] = AddedMember{Name: cmp.Or(c.Username, c.Asked), Member: m, Err: err}
	}
	return emitAdded(ctx, st, added)
}

// emitAdded emits the additions among the results and returns all results. It fails if an error of
// one is not a fault.
func emitAdded(ctx context.Context, st *db.Store, added []AddedMember) ([]AddedMember, error) {
	var members []Member
	for _, a := range added {
		if _, ok := fault.From(a.Err); a.Err != nil && !ok {
			return nil, a.Err
		}
		if a.Member.ID != 0 {
			members = append(members, a.Member)
		}
	}
	return added, emitMembersChanged(ctx, st, MemberAdded, members...)
}

func (r Roster) add(ctx context.Context, st *db.Store, c candidate, role Role) (Member, error) {
	switch {
	case c.UserID == 0:
		return Member{}, fault.NotFound("User")
	case c.Member:
		return Member{}, fault.Conflict("Member already exists")
	case c.Bot:
		return Member{}, fault.Invalid("user", "project bots cannot be added to other groups / projects")
	}
	if err := checkInherited(c, role.Level); err != nil {
		return Member{}, err
	}
	m := NewMember(r.Source, c.UserID, role.Level)
	m.ExpiresAt, m.CreatedByID = role.ExpiresAt, &r.By.ID
	return AddMember(ctx, st, m)
}

// ChangeMember applies change to the role of a direct member and stores the outcome (gaps §5.1). It
// fails if r.By may not change the member or grant the role, or if the group would have no owner.
func ChangeMember(
	ctx context.Context, st *db.Store, r Roster, userID int64, change func(*Role),
) (m Member, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		r, err := r.hold(ctx, st)
		if err != nil {
			return err
		}
		was, err := FindMember(ctx, st, r.Source, userID)
		if err != nil {
			return err
		}
		if err := r.checkMayChange(was); err != nil {
			return err
		}
		if was.Synced() {
			return fault.Forbidden("the member is synchronized with an LDAP server: override the membership first")
		}
		role := Role{Level: was.AccessLevel, ExpiresAt: was.ExpiresAt, CustomID: was.MemberRoleID}
		change(&role)
		if err := r.check(role); err != nil {
			return err
		}
		m = was
		m.AccessLevel, m.ExpiresAt, m.MemberRoleID = role.Level, role.ExpiresAt, role.CustomID
		if err := r.checkNewRole(ctx, st, was, m); err != nil {
			return err
		}
		if m, err = updateMember(ctx, st, m, was.AccessLevel); err != nil {
			return err
		}
		return emitMembersChanged(ctx, st, memberChanged, m)
	})
	return m, err
}

// Override says whether synchronization with an LDAP server leaves a member alone.
type Override bool

// The overrides.
const (
	Overridden    Override = true
	NotOverridden Override = false
)

// OverrideMember stores whether synchronization leaves a member from an LDAP server alone (gaps
// §5.1).
func OverrideMember(ctx context.Context, st *db.Store, r Roster, userID int64, to Override) (m Member, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if r, err = r.hold(ctx, st); err != nil {
			return err
		}
		m, err = FindMember(ctx, st, r.Source, userID)
		switch {
		case err != nil:
			return err
		case m.LDAPProvider == nil:
			return fault.NoRecord()
		}
		if err := r.checkMayChange(m); err != nil {
			return err
		}
		m, err = updateOverride(ctx, st, m, to)
		return err
	})
	return m, err
}

// Departure is how to remove a member.
type Departure struct {
	UserID    int64
	KeepBelow bool               // keep direct memberships of groups and projects below
	Check     func(Member) error // called once the removal is allowed; an error prevents it; may be nil
}

// RemoveMember removes a direct member, who may be r.By (gaps §5.1). It fails if r.By may not
// remove the member, or if the group would have no owner.
func RemoveMember(ctx context.Context, st *db.Store, r Roster, d Departure) error {
	return st.Tx(ctx, func(st *db.Store) (err error) {
		if d.UserID != r.By.ID { // who leaves needs no rights
			if r, err = r.hold(ctx, st); err != nil {
				return err
			}
		}
		m, err := FindMember(ctx, st, r.Source, d.UserID)
		if err != nil {
			return err
		}
		if err := r.checkMayRemove(m); err != nil {
			return err
		}
		if d.Check != nil {
			if err := d.Check(m); err != nil {
				return err
			}
		}
		if err := r.checkOwnerRemains(ctx, st, m); err != nil {
			return err
		}
		if err := deleteMember(ctx, st, m); err != nil {
			return err
		}
		left := []Member{m}
		if !d.KeepBelow {
			below, err := removeMembersBelow(ctx, st, r.Source, m.UserID)
			if err != nil {
				return err
			}
			left = append(left, below...)
		}
		if err := event.Emit(ctx, st, AccessLost{Source: r.Source, User: &m.UserID}); err != nil {
			return err
		}
		return emitMembersChanged(ctx, st, MemberRemoved, left...)
	})
}

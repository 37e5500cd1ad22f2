package api

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"hew/server/fault"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/store"
)

// roster is a group or a project as far as its members go: the scope of the routes for them.
type roster struct {
	Anyone
	source  store.Source
	who     policy.Who
	admin   bool // the caller may add, change and remove members
	owner   bool // the caller owns the group, or the one that the project is in
	minimal bool // the role with minimal access is known here
	seats   bool // the answer is to say who uses a seat of the licence
}

// rosters is a guard of groups or projects that opens their rosters.
func rosters[S interface{ roster() roster }](g rest.Guard[S]) rest.Guard[roster] {
	return rest.Guard[roster]{Need: g.Need, Open: func(ctx context.Context, r *http.Request) (roster, error) {
		s, err := g.Open(ctx, r)
		if err != nil {
			return roster{}, err
		}
		return s.roster(), nil
	}}
}

func (g InGroup) roster() roster {
	admin := g.Can(policy.AdminGroupMember)
	return roster{
		Anyone: g.Anyone, source: store.InGroup(g.Group.Group), who: g.Who(),
		admin: admin, owner: admin, minimal: g.Group.ParentID == nil,
	}
}

func (p InProject) roster() roster {
	around := who(p.Caller, p.Project.GroupLevel, false)
	return roster{
		Anyone: p.Anyone, source: store.InProject(p.Project.Project), who: p.Who(),
		admin: p.Can(policy.AdminProjectMember), owner: policy.Can(around, policy.AdminGroupMember, policy.On{}),
	}
}

// roles are the levels that a member may have, in words.
var roles = map[policy.Level]string{
	policy.Minimal: "Minimal Access", policy.Guest: "Guest", 15: "Planner", policy.Reporter: "Reporter",
	policy.Developer: "Developer", policy.Maintainer: "Maintainer", policy.Owner: "Owner",
}

// check says what keeps everybody from becoming that here, if anything.
func (in memberRole) check(r roster) error {
	level, day := policy.Level(in.Level), in.expires()
	switch {
	case roles[level] == "", level == policy.Minimal && !r.minimal:
		return fault.Invalid("access_level", "is not included in the list")
	case !policy.MayGrant(r.who, level):
		return fault.Forbidden("access_level is above your own")
	case in.MemberRole != nil: // custom roles are made nowhere
		return fault.Invalid("member_role", "does not exist")
	case day != nil && day.Before(store.Today().Time):
		return fault.Invalid("expires_at", "cannot be a date in the past")
	}
	return nil
}

// open fails if a group keeps the projects in it from having members of their own.
func (r roster) open(ctx context.Context) error {
	locked, err := r.Store.MembershipLocked(ctx, r.source)
	if err == nil && locked {
		err = fault.NotAllowed("405 Method Not Allowed - a group around the project has membership_lock on")
	}
	return err
}

// fits says what keeps a user from a level: nobody is less in a part than in the whole.
func fits(c store.Candidate, level int) error {
	if level >= c.Inherited {
		return nil
	}
	return fault.Invalid("access_level", fmt.Sprintf("should be greater than or equal to %s inherited membership from group %s",
		roles[policy.Level(c.Inherited)], c.From))
}

// add makes a user a member.
func (r roster) add(ctx context.Context, c store.Candidate, in memberRole) (store.Member, error) {
	switch {
	case c.UserID == 0:
		return store.Member{}, fault.NotFound("User")
	case c.Member:
		return store.Member{}, fault.Conflict("Member already exists")
	}
	if err := fits(c, in.Level); err != nil {
		return store.Member{}, err
	}
	by := r.Caller.ID()
	m := r.source.NewMember(c.UserID, in.Level)
	m.ExpiresAt, m.CreatedByID = in.expires(), &by
	return r.Store.AddMember(ctx, m)
}

// added is the answer about several users at once: who could not be added, and why.
type added struct {
	Status  string            `json:"status"` // success, error
	Message map[string]string `json:"message,omitempty"`
}

// addAll makes users members, as many as can be.
func (r roster) addAll(ctx context.Context, named []store.Candidate, in memberRole) (added, error) {
	result := added{Status: "success", Message: map[string]string{}}
	for _, c := range named {
		_, err := r.add(ctx, c, in)
		if err == nil {
			continue
		}
		f, ok := fault.From(err)
		if !ok {
			return added{}, err
		}
		name := c.Username
		if name == "" {
			name = c.Asked
		}
		result.Status, result.Message[name] = "error", sentence(f)
	}
	return result, nil
}

// sentence is a fault about a user in words that stand alone.
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

// mayChange says why the caller may not give a member another role, if he may not.
func (r roster) mayChange(m store.Member) error {
	switch {
	case r.source.IsHolder(m.UserID):
		return fault.Forbidden("a personal project stays with its owner")
	case !r.admin:
		return fault.Forbidden("")
	case !policy.MayGrant(r.who, policy.Level(m.AccessLevel)):
		return fault.Forbidden("the member's access_level is above your own")
	}
	return nil
}

// mayRemove says why the caller may not remove a member, if he may not. Everybody may leave.
func (r roster) mayRemove(m store.Member) error {
	if m.UserID == r.Caller.ID() && !r.source.IsHolder(m.UserID) {
		return nil
	}
	return r.mayChange(m)
}

// replace stores what a member becomes.
func (r roster) replace(ctx context.Context, was, m store.Member) (store.Member, error) {
	named, err := r.Store.Candidates(ctx, r.source, []int64{m.UserID}, nil)
	if err != nil {
		return m, err
	}
	for _, c := range named {
		if err := fits(c, m.AccessLevel); err != nil {
			return m, err
		}
	}
	if !m.Owns() {
		if err := r.keepOwner(ctx, was); err != nil {
			return m, err
		}
	}
	return r.Store.UpdateMember(ctx, m, was.AccessLevel)
}

// keepOwner refuses to let the last owner of a group go: nobody could manage it any more. One whose membership ends some day
// counts as one who stays, as on the public service.
func (r roster) keepOwner(ctx context.Context, m store.Member) error {
	last, err := r.Store.LastOwner(ctx, r.source, m)
	if err == nil && last {
		err = fault.Forbidden("this is the last owner of the group: give it another one first")
	}
	return err
}

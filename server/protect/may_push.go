package protect

import (
	"context"
	"slices"
	"strings"

	"hew/server/db"
	"hew/server/policy"
)

// RefChange is a requested change of one branch or tag.
type RefChange struct {
	Kind RefKind
	Name string // without refs/heads/ or refs/tags/
	Do   RefVerb
	Web  bool // it comes from the API and not from a git client, which may do less
}

// RefVerb says what happens to a ref.
type RefVerb string

// The verbs. ForcePush leaves out commits that the branch had; MergeRef lands a merge request.
const (
	CreateRef RefVerb = "create"
	PushRef   RefVerb = "push"
	ForcePush RefVerb = "force push"
	MergeRef  RefVerb = "merge"
	DeleteRef RefVerb = "delete"
)

// Pusher is who changes refs: a user with a level in the project, or a deploy key.
type Pusher struct {
	policy.Who
	DeployKeyID int64 // 0: the user
}

// isDeveloper reports whether the pusher is a user who may push to branches that are not protected.
func (p Pusher) isDeveloper() bool {
	return p.DeployKeyID == 0 && (p.Admin || p.Level >= policy.Developer)
}

// Protection decides who may change the branches and tags of a project. It is read once a push.
type Protection struct {
	refs   []ProtectedRef
	by     Pusher
	groups []int64 // those named by levels that the pusher is a member of

	guest  bool            // the pusher is a user without the role to push, who may push to shared alone
	shared map[string]bool // see collaborations
}

// ReadProtection reads what a project and the groups above it protect.
func ReadProtection(ctx context.Context, st *db.Store, project int64, by Pusher) (*Protection, error) {
	p, err := readProtection(ctx, st, project, by)
	if err == nil && by.ID != 0 && by.DeployKeyID == 0 && !by.isDeveloper() {
		p.guest = true
		p.shared, err = collaborations(ctx, st, project, by)
	}
	return p, err
}

// readProtection is ReadProtection without the branches that merge requests open to the pusher.
func readProtection(ctx context.Context, st *db.Store, project int64, by Pusher) (*Protection, error) {
	refs, err := AllProtectedRefs(ctx, st, db.Container{ProjectID: &project}, "")
	if err != nil {
		return nil, err
	}
	p := &Protection{refs: refs, by: by}
	var groups []int64
	for _, r := range p.refs {
		for _, l := range r.Levels {
			groups = db.AppendNotNull(groups, l.GroupID)
		}
	}
	p.groups, err = groupsOf(ctx, st, by.ID, groups)
	return p, err
}

// Matches reports whether the pattern of a protected ref, in which * stands for any text, matches a
// name. Names are compared by case.
func Matches(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == name
	}
	last := len(parts) - 1
	rest, ok := strings.CutPrefix(name, parts[0])
	if !ok {
		return false
	}
	for _, part := range parts[1:last] {
		i := strings.Index(rest, part)
		if i < 0 {
			return false
		}
		rest = rest[i+len(part):]
	}
	return strings.HasSuffix(rest, parts[last])
}

// matching returns the protected refs that match a name.
func (p *Protection) matching(kind RefKind, name string) (refs []ProtectedRef) {
	for _, r := range p.refs {
		if r.Kind == kind && Matches(r.Name, name) {
			refs = append(refs, r)
		}
	}
	return refs
}

// Protects reports whether a branch or tag is protected.
func (p *Protection) Protects(kind RefKind, name string) bool { return len(p.matching(kind, name)) > 0 }

// May reports whether the pusher may act on a branch or tag that is protected: where several
// patterns match, the most generous one counts.
func (p *Protection) May(act RefAct, kind RefKind, name string) bool {
	return slices.ContainsFunc(p.matching(kind, name), func(r ProtectedRef) bool {
		return slices.ContainsFunc(r.LevelsOf(act), p.includes)
	})
}

// MayPush reports whether the pusher may push commits to a branch: if it is protected, those whom
// its push access levels include may, else developers, deploy keys, and those to whom the author of
// a merge request has opened its source branch (more §6.2). Rules for commits are others.
func (p *Protection) MayPush(branch string) bool {
	if p.Protects(Branch, branch) {
		return !p.guest && p.May(Push, Branch, branch)
	}
	return p.by.DeployKeyID != 0 || p.by.isDeveloper() || p.shared[branch]
}

// Collaborates reports whether the pusher may push to some branch only because of its merge
// request.
func (p *Protection) Collaborates() bool { return len(p.shared) > 0 }

// MayRole reports whether the role may act on a protected branch or tag, or on any that is not
// protected.
func (p *Protection) MayRole(act RefAct, kind RefKind, name string, role policy.Level) bool {
	refs := p.matching(kind, name)
	return len(refs) == 0 || slices.ContainsFunc(refs, func(r ProtectedRef) bool {
		return slices.ContainsFunc(r.LevelsOf(act), func(l RefLevel) bool {
			return l.AccessLevel != nil && *l.AccessLevel > 0 && int(role) >= *l.AccessLevel
		})
	})
}

// NeedsCodeOwners reports whether the pusher may change no files of a branch that have code owners,
// who approve changes in merge requests. Those whom a level names, and not only their role, need
// none.
func (p *Protection) NeedsCodeOwners(name string) bool {
	return slices.ContainsFunc(p.matching(Branch, name), func(r ProtectedRef) bool {
		return r.CodeOwnerApprovalRequired && !slices.ContainsFunc(r.LevelsOf(Push), func(l RefLevel) bool {
			return l.AccessLevel == nil && p.includes(l)
		})
	})
}

// includes reports whether a level is one of the pusher.
func (p *Protection) includes(l RefLevel) bool {
	switch {
	case p.by.DeployKeyID != 0:
		return l.DeployKeyID != nil && *l.DeployKeyID == p.by.DeployKeyID
	case l.UserID != nil:
		return *l.UserID == p.by.ID
	case l.GroupID != nil:
		return slices.Contains(p.groups, *l.GroupID)
	case l.AccessLevel != nil && *l.AccessLevel > 0:
		return int(p.by.Level) >= *l.AccessLevel || p.by.Admin
	}
	return false
}

// Refuse returns why the pusher may not make a change, in the words of the public service, and ""
// if they may.
func (p *Protection) Refuse(c RefChange) string {
	refs := p.matching(c.Kind, c.Name)
	pushes := c.Kind == Branch && (c.Do == PushRef || c.Do == ForcePush)
	switch {
	case p.guest && c.Do != MergeRef && !(pushes && p.MayPush(c.Name)):
		return "You are not allowed to push code to this project."
	case c.Kind == Tag:
		return p.refuseTag(c, len(refs) > 0)
	case c.Do == MergeRef && !p.MayMerge(c.Name):
		return "You are not allowed to merge into this branch."
	case c.Do == MergeRef, len(refs) == 0:
		return ""
	case c.Do == DeleteRef && !p.maintains():
		return "You are not allowed to delete protected branches from this project. " +
			"Only a project maintainer or owner can delete a protected branch."
	case c.Do == DeleteRef && !c.Web:
		return "You can only delete protected branches using the web interface."
	case c.Do == DeleteRef:
		return ""
	case c.Do == ForcePush && !slices.ContainsFunc(refs, func(r ProtectedRef) bool { return r.AllowForcePush }):
		return "You are not allowed to force push code to a protected branch on this project."
	case p.May(Push, Branch, c.Name):
		return ""
	case c.Do == CreateRef:
		return "You are not allowed to create protected branches on this project."
	}
	return "You are not allowed to push code to protected branches on this project."
}

// MayMerge reports whether the pusher may merge a request into a branch: if it is protected, those
// whom its merge access levels include may, else developers. Code owners are asked by approval
// rules, not here.
func (p *Protection) MayMerge(branch string) bool {
	if p.Protects(Branch, branch) {
		return p.May(Merge, Branch, branch)
	}
	return p.by.isDeveloper()
}

func (p *Protection) refuseTag(c RefChange, protected bool) string {
	switch {
	case protected && c.Do == DeleteRef && !p.maintains():
		return "You are not allowed to delete protected tags from this project. " +
			"Only a project maintainer or owner can delete a protected tag."
	case protected && c.Do == DeleteRef && !c.Web:
		return "You can only delete protected tags using the web interface."
	case protected && c.Do == DeleteRef, !protected && (c.Do == CreateRef || c.Do == DeleteRef):
		return ""
	case protected && c.Do != CreateRef:
		return "Protected tags cannot be updated."
	case protected && !p.May(Create, Tag, c.Name):
		return "You are not allowed to create this tag as it is protected."
	case c.Do != CreateRef && !p.maintains():
		return "You are not allowed to change existing tags on this project."
	}
	return ""
}

func (p *Protection) maintains() bool {
	return p.by.DeployKeyID == 0 && (p.by.Admin || p.by.Level >= policy.Maintainer)
}

package protect

import (
	"context"

	"hew/server/db"
	"hew/server/policy"
	"hew/server/setting"
	"hew/server/tree"
)

// DefaultProtection is how the first branch of a project gets protected: as its group says, or else
// the instance (gaps §3.1, default_branch_protection_defaults).
type DefaultProtection struct{ setting.BranchProtection }

// ReadDefaultProtection returns the default protection of branches in a project.
func ReadDefaultProtection(ctx context.Context, st *db.Store, p tree.Project) (DefaultProtection, error) {
	if p.NamespaceKind == "group" {
		g, err := tree.FindGroup(ctx, st, p.NamespaceID)
		return DefaultProtection{g.Settings.DefaultBranchProtectionDefaults}, err
	}
	settings, err := setting.Read(ctx, st)
	return DefaultProtection{settings.BranchProtectionDefaults}, err
}

// none reports whether the first branch stays unprotected.
func (d DefaultProtection) none() bool {
	level, ok := setting.ProtectionLevel(d.BranchProtection)
	return ok && level == 0
}

// MayBegin reports whether somebody may push the first branch: maintainers may, and developers if
// they could push afterwards, or this once.
func (d DefaultProtection) MayBegin(by Pusher) bool {
	if d.none() || by.Admin || by.DeployKeyID == 0 && by.Level >= policy.Maintainer {
		return true
	}
	if by.Level < policy.Developer {
		return false
	}
	for _, l := range d.AllowedToPush {
		if l.AccessLevel > 0 && int(by.Level) >= l.AccessLevel {
			return true
		}
	}
	return d.DeveloperCanInitialPush
}

// Apply protects a branch, unless it is protected already.
func (d DefaultProtection) Apply(ctx context.Context, st *db.Store, p tree.Project, branch string) error {
	protection, err := ReadProtection(ctx, st, p.ID, Pusher{})
	if err != nil || d.none() || protection.Protects(Branch, branch) {
		return err
	}
	edit := RefEdit{
		Fill: func(r *ProtectedRef) {
			r.AllowForcePush, r.CodeOwnerApprovalRequired = d.AllowForcePush, d.CodeOwnerApprovalRequired
		},
		Grants: map[RefAct][]RefGrant{},
	}
	for act, levels := range map[RefAct][]setting.AccessLevel{Push: d.AllowedToPush, Merge: d.AllowedToMerge} {
		for _, l := range levels {
			edit.Grants[act] = append(edit.Grants[act], RefGrant{RefLevel: RefLevel{AccessLevel: &l.AccessLevel}})
		}
	}
	_, err = CreateProtectedRef(ctx, st, RefKey{In: p.Container(), Kind: Branch, Name: branch}, edit)
	return err
}

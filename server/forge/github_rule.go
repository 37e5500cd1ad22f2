package forge

import (
	"context"
	"fmt"
	"math"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/forge/github"
	"hew/server/policy"
	"hew/server/project"
	"hew/server/protect"
	"hew/server/transfer/archive"
	"hew/server/transfer/load"
	"hew/server/tree"
)

// defaultBranchRules is the stage that stores what the protection of the default branch says of the
// whole project here: that threads are resolved before a merge, and that commits are signed.
var defaultBranchRules = stage{name: "default_branch_rules", do: func(ctx context.Context, r *run) (step, error) {
	p, err := tree.FindProject(ctx, r.st, r.ProjectID)
	if err != nil || p.Head == "" {
		return step{}, err
	}
	list, err := r.partsNamed(ctx, kindProtection, p.Head)
	if err != nil || len(list) == 0 {
		return step{}, err
	}
	rules := decode[github.Protection](list[0])
	if rules.Conversation {
		if _, err := project.ChangeProject(ctx, r.st, p.ID, func(p *tree.Project) error {
			p.Settings.OnlyMergeIfDiscussionsResolved = true
			return nil
		}); err != nil {
			return step{}, fmt.Errorf("change the rules of merges: %w", err)
		}
	}
	if rules.RequiredSignatures {
		if err := r.rejectUnsigned(ctx, p); err != nil {
			return step{}, fmt.Errorf("change the push rule: %w", err)
		}
	}
	return step{}, nil
}}

// rejectUnsigned adds to the push rule of the project, which may come from its group, that commits
// are signed.
func (r *run) rejectUnsigned(ctx context.Context, p tree.Project) error {
	set := func(rule *protect.PushRule) error {
		rule.RejectUnsignedCommits = true
		return nil
	}
	return r.st.Tx(ctx, func(st *db.Store) error {
		if err := r.keep(ctx, st); err != nil {
			return err
		}
		_, err := protect.ChangePushRule(ctx, st, p.Container(), set)
		if fault.CodeOf(err) == fault.CodeNotFound {
			_, err = protect.CreatePushRule(ctx, st, p.Container(), set)
		}
		return err
	})
}

// protectedBranches makes documents of protected branches. Where a branch is protected already, as
// the default one is, the stricter side wins (transfer.md §3.1).
func protectedBranches(ctx context.Context, r *run, from int) ([]load.Document, error) {
	list, err := r.nextPlaced(ctx, kindProtection, from, storeBatch)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	names := make([]string, len(list))
	for i, d := range list {
		names[i] = d.Key
	}
	refs, err := protect.AllProtectedRefs(ctx, r.st, r.p.Container(), protect.Branch, func(w *db.Where) {
		w.And(`t.project_id is not null and t.name = any(@names)`, names)
	})
	if err != nil {
		return nil, err
	}
	documents := make([]load.Document, len(list))
	for i, d := range list {
		doc := r.gitHub().ProtectedBranch(d.Key, decode[github.Protection](d))
		for _, ref := range refs {
			if ref.Name == d.Key {
				doc = stricter(doc, ref)
			}
		}
		documents[i] = load.Document{Line: from + i, Value: &doc}
	}
	return documents, nil
}

// stricter returns the protection that allows only what a document and a ref allow.
func stricter(doc archive.ProtectedBranch, ref protect.ProtectedRef) archive.ProtectedBranch {
	doc.AllowForcePush = doc.AllowForcePush && ref.AllowForcePush
	doc.CodeOwnerApprovalRequired = doc.CodeOwnerApprovalRequired || ref.CodeOwnerApprovalRequired
	doc.PushAccessLevels = stricterLevels(doc.PushAccessLevels, ref.LevelsOf(protect.Push))
	doc.MergeAccessLevels = stricterLevels(doc.MergeAccessLevels, ref.LevelsOf(protect.Merge))
	doc.UnprotectAccessLevels = stricterLevels(doc.UnprotectAccessLevels, ref.LevelsOf(protect.Unprotect))
	return doc
}

// stricterLevels returns those of a ref who may act, each as the one role of the host limits them.
func stricterLevels(host []archive.AccessLevel, ours []protect.RefLevel) []archive.AccessLevel {
	if len(ours) == 0 || len(host) == 1 && *host[0].AccessLevel == int(policy.NoAccess) {
		return host
	}
	list := []archive.AccessLevel{}
	for _, l := range ours {
		level := archive.AccessLevel{AccessLevel: l.AccessLevel, UserID: l.UserID, GroupID: l.GroupID}
		if l.AccessLevel != nil && len(host) == 1 && narrowness(*host[0].AccessLevel) > narrowness(*l.AccessLevel) {
			level.AccessLevel = host[0].AccessLevel
		}
		list = append(list, level)
	}
	return list
}

// narrowness orders levels by how few may act: nobody is the narrowest.
func narrowness(level int) int {
	if level == int(policy.NoAccess) {
		return math.MaxInt
	}
	return level
}

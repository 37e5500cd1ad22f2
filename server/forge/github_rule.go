package forge

import (
	"context"
	"fmt"

	"hew/server/forge/github"
	"hew/server/project"
	"hew/server/transfer/archive"
	"hew/server/transfer/load"
	"hew/server/tree"
)

// defaultBranchRules is the stage that stores what the protection of the default branch says of the
// whole project here: that threads are resolved before a merge, and that commits are signed.
var defaultBranchRules = stage{name: "default_branch_rules", do: func(ctx context.Context, r *run) (step, error) {
	l, err := r.loader(ctx)
	if err != nil {
		return step{}, err
	}
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
	if rules.RequiredSignatures && l.Done("push_rule") == 0 {
		rule := &archive.PushRule{RejectUnsignedCommits: new(true)}
		return step{}, l.Store(ctx, "push_rule", []load.Document{{Value: rule}})
	}
	return step{}, nil
}}

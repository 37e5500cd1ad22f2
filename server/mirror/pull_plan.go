package mirror

import (
	"context"
	"fmt"
	"slices"

	"hew/server/code"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/git/pkt"
	"hew/server/git/remote"
	"hew/server/tree"
)

// pullPlan is what a pull asks for.
type pullPlan struct {
	commands []pkt.Command
	haves    []object.ID
}

// maxHaves is how many of our commits are named to the other side.
const maxHaves = 1000

func (p pullPlan) wants() (ids []object.ID) {
	seen := map[object.ID]bool{}
	for _, c := range p.commands {
		if !seen[c.New] {
			seen[c.New] = true
			ids = append(ids, c.New)
		}
	}
	return ids
}

// planPull compares the refs of a project with those that it follows. Refs that only the project
// has stay, and so does a branch that is ahead.
func planPull(
	ctx context.Context, st *db.Store, g *code.Git, p tree.Project, theirs []pkt.Ref,
) (plan pullPlan, err error) {
	refs, err := g.Refs(ctx, st, code.Heads, code.Tags)
	if err != nil {
		return plan, err
	}
	history, err := g.History(ctx)
	if err != nil {
		return plan, err
	}
	only := p.Settings.OnlyMirrorProtectedBranches
	admits, err := branchFilter(ctx, st, p.ID, only != nil && *only, p.Settings.MirrorBranchRegex)
	if err != nil {
		return plan, err
	}
	here := map[string]code.Ref{}
	for _, ref := range refs {
		here[ref.Name] = ref
		if len(plan.haves) < maxHaves && !slices.Contains(plan.haves, ref.Commit()) {
			plan.haves = append(plan.haves, ref.Commit())
		}
	}
	r := rules{Branch: admits, Known: history.Has, Reach: history.IsAncestor}
	for _, ref := range theirs {
		ours := here[ref.Name]
		if ref.ID.IsZero() || ours.ID == ref.ID || !r.admits(ref.Name) ||
			!ours.ID.IsZero() && r.follows(ref.ID, ours.ID) {
			continue
		}
		plan.commands = append(plan.commands, pkt.Command{Old: ours.ID, New: ref.ID, Ref: ref.Name})
	}
	return plan, nil
}

// carryOut pulls, and returns what became of each command.
func (p pullPlan) carryOut(
	ctx context.Context, st *db.Store, of tree.Project, by code.Author, from *remote.Repository,
) ([]string, error) {
	pack, err := from.Fetch(ctx, p.wants(), p.haves)
	if err != nil {
		return nil, err
	}
	defer pack.Close()
	overwrite := of.Settings.MirrorOverwritesDiverged
	return code.Pull(ctx, st, code.Pulled{
		Project: of, By: by, Commands: p.commands, Overwrite: overwrite != nil && *overwrite,
	}, pack)
}

// moved returns where the refs are now that were moved.
func (p pullPlan) moved(results []string) (ids []object.ID) {
	for i, result := range results {
		if result == "" {
			ids = append(ids, p.commands[i].New)
		}
	}
	return ids
}

// outcome returns what was not moved and should have been, as an error. Refs may diverge, but for
// the default branch.
func (p pullPlan) outcome(results []string, head string) error {
	var stayed []string
	for i, result := range results {
		ref := p.commands[i].Ref
		switch {
		case result == code.Diverged && ref == code.Heads+head:
			return remote.Error(fmt.Sprintf("The default branch (%s) has diverged from its upstream counterpart "+
				"and could not be updated automatically.", head))
		case result != "" && result != code.Diverged:
			stayed = append(stayed, ref+": "+result)
		}
	}
	if len(stayed) > 0 {
		return remote.Error("Some refs could not be updated:" + listed(stayed))
	}
	return nil
}

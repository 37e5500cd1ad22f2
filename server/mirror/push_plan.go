package mirror

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"hew/server/code"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/git/pkt"
	"hew/server/git/remote"
	"hew/server/protect"
)

const (
	batchSize = 10  // refs of one push (transfer §5)
	maxNamed  = 100 // refs that an error names
)

// pushPlan is what a push does to the other repository.
type pushPlan struct {
	commands []pkt.Command // the default branch first
	diverged []string      // refs that are left alone, because the other side has commits that we lack
	haves    []object.ID   // objects that both sides have
}

// rules says which refs are pushed, and what to do about those that differ.
type rules struct {
	Head   string                    // our default branch; "" if we have none
	Keep   bool                      // leave refs alone that have diverged, and those that we lack
	Branch func(name string) bool    // whether a branch is mirrored
	Known  func(object.ID) bool      // whether we have a commit
	Peel   func(object.ID) object.ID // the commit of a tag that we have or had, and any other id as it is
	Reach  func(from, to object.ID) bool
}

// planPush compares the refs of a project with those of its mirror.
func planPush(
	ctx context.Context, st *db.Store, g *code.Git, m PushMirror, to *remote.Repository,
) (pushPlan, error) {
	refs, err := g.Refs(ctx, st, code.Heads, code.Tags)
	if err != nil {
		return pushPlan{}, err
	}
	history, err := g.History(ctx)
	if err != nil {
		return pushPlan{}, err
	}
	r := rules{Keep: m.KeepDivergentRefs, Known: history.Has, Reach: history.IsAncestor}
	r.Peel = func(id object.ID) object.ID {
		if commit, err := g.Peel(ctx, id); err == nil {
			return commit
		}
		return id
	}
	if r.Branch, err = branchFilter(ctx, st, m.ProjectID, m.OnlyProtectedBranches, m.MirrorBranchRegex); err != nil {
		return pushPlan{}, err
	}
	if slices.ContainsFunc(refs, func(ref code.Ref) bool { return ref.Name == code.Heads+g.Head }) {
		r.Head = g.Head
	}
	plan := r.plan(refs, to.Refs)
	if !to.CanDelete() {
		plan.commands = slices.DeleteFunc(plan.commands, pkt.Command.IsDelete)
	}
	return plan, nil
}

// branchFilter returns which branches a mirror has: all, the protected ones, or those with a name
// that matches an expression.
func branchFilter(
	ctx context.Context, st *db.Store, project int64, protected bool, regex *string,
) (func(string) bool, error) {
	switch {
	case protected:
		protection, err := protect.ReadProtection(ctx, st, project, protect.Pusher{})
		if err != nil {
			return nil, err
		}
		return func(name string) bool { return protection.Protects(protect.Branch, name) }, nil
	case regex != nil && *regex != "":
		compiled, err := regexp.Compile(*regex)
		if err != nil {
			return nil, permanent("mirror_branch_regex is not valid")
		}
		return compiled.MatchString, nil
	}
	return func(string) bool { return true }, nil
}

func (r rules) admits(name string) bool {
	branch, ok := strings.CutPrefix(name, code.Heads)
	return !ok || r.Branch(branch)
}

// plan compares our refs with theirs.
func (r rules) plan(ours []code.Ref, theirs []pkt.Ref) (p pushPlan) {
	there := map[string]object.ID{}
	for _, ref := range theirs {
		there[ref.Name] = ref.ID
		if r.Known(ref.ID) {
			p.haves = append(p.haves, ref.ID)
		}
	}
	here := map[string]bool{}
	var head object.ID
	for _, ref := range ours {
		here[ref.Name] = true
		if ref.Name == code.Heads+r.Head {
			head = ref.ID
		}
	}
	for _, ref := range ours {
		was, exists := there[ref.Name]
		switch {
		case was == ref.ID || !r.admits(ref.Name):
		case exists && r.Keep && !r.follows(r.commit(ref.Name, was), ref.Commit()):
			p.diverged = append(p.diverged, ref.Name)
		default:
			p.commands = append(p.commands, pkt.Command{Old: was, New: ref.ID, Ref: ref.Name})
		}
	}
	slices.SortStableFunc(p.commands, func(a, b pkt.Command) int {
		return rank(a.Ref == code.Heads+r.Head) - rank(b.Ref == code.Heads+r.Head)
	})
	if r.Keep || head.IsZero() {
		return p
	}
	for _, ref := range theirs {
		if !here[ref.Name] && r.admits(ref.Name) && r.follows(r.commit(ref.Name, ref.ID), head) {
			p.commands = append(p.commands, pkt.Command{Old: ref.ID, Ref: ref.Name})
		}
	}
	return p
}

// commit returns the commit of a ref of the other side, if we know it.
func (r rules) commit(name string, id object.ID) object.ID {
	if strings.HasPrefix(name, code.Tags) {
		return r.Peel(id)
	}
	return id
}

func rank(first bool) int {
	if first {
		return 0
	}
	return 1
}

// follows reports whether a commit comes after one that we have.
func (r rules) follows(was, now object.ID) bool {
	return r.Known(was) && (was == now || r.Reach(was, now))
}

// carryOut pushes, and returns what the other side did not take.
func (p pushPlan) carryOut(ctx context.Context, g *code.Git, to *remote.Repository) error {
	var refused []string
	haves := p.haves
	for batch := range slices.Chunk(p.commands, batchSize) {
		var wants []object.ID
		for _, c := range batch {
			if !c.IsDelete() {
				wants = append(wants, c.New)
			}
		}
		results, err := to.Push(ctx, batch, func(ctx context.Context, w io.Writer) error {
			return g.WritePack(ctx, wants, haves, to.TakesThin(), w)
		})
		if err != nil {
			return err
		}
		taken := map[string]bool{}
		for _, r := range results {
			if taken[r.Ref] = r.Reason == ""; r.Reason != "" {
				refused = append(refused, r.Ref+": "+r.Reason)
			}
		}
		for _, c := range batch {
			if taken[c.Ref] && !c.IsDelete() {
				haves = append(haves, c.New)
			}
		}
	}
	var texts []string
	if len(refused) > 0 {
		texts = append(texts, "Some refs were refused by the remote:"+listed(refused))
	}
	if len(p.diverged) > 0 {
		texts = append(texts, "Some refs have diverged and have not been updated on the remote:"+listed(p.diverged))
	}
	text := strings.Join(texts, "\n\n")
	switch {
	case len(refused) > 0: // the next push may be taken
		return remote.Error(text)
	case text != "":
		return permanent(text)
	}
	return nil
}

// listed returns lines for a text.
func listed(lines []string) string {
	text := "\n\n" + strings.Join(lines[:min(len(lines), maxNamed)], "\n")
	if more := len(lines) - maxNamed; more > 0 {
		text += fmt.Sprintf("\nand %d more", more)
	}
	return text
}

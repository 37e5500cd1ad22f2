package code

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"hew/schema/catalogue"
	"hew/server/git/object"
	"hew/server/protect"
	"hew/server/tree"
)

// rules decide whether a change is allowed. They are the same for every way in, except that some
// hold for git clients alone. The texts are those of the public service.
type rules struct {
	g          *Git
	change     change
	protection *protect.Protection
	commits    *commitRules
	fresh      map[object.ID]int // where new commits are in change.Commits
}

// readRules reads what the updates of a change have to keep to.
func (g *Git) readRules(ctx context.Context, c change) (*rules, error) {
	// wikis and snippets have neither protected branches nor push rules
	protection, commits := &protect.Protection{}, &commitRules{g: g, by: c.By}
	if g.Kind == Source {
		var err error
		if protection, err = g.readProtection(ctx, c.Project, c.By.Pusher); err != nil {
			return nil, err
		}
		if !c.Followed {
			commits, err = g.readCommitRules(ctx, c)
		}
		if err != nil {
			return nil, err
		}
	}
	r := newRules(g, c)
	r.protection, r.commits = protection, commits
	return r, nil
}

// newRules returns rules that know the new commits of a change, and nothing of what is protected.
func newRules(g *Git, c change) *rules {
	r := &rules{g: g, change: c, fresh: map[object.ID]int{}}
	for i, f := range c.Commits {
		r.fresh[f.ID] = i
	}
	return r
}

// readProtection reads what a project protects from a pusher, once a transaction.
func (g *Git) readProtection(ctx context.Context, p tree.Project, by protect.Pusher) (*protect.Protection, error) {
	if g.protection != nil && g.protectedFrom == by {
		return g.protection, nil
	}
	protection, err := protect.ReadProtection(ctx, g.st, p.ID, by)
	if err == nil {
		g.protection, g.protectedFrom = protection, by
	}
	return protection, err
}

// changeOf returns what an update did.
func (r *rules) changeOf(u Update) Change {
	kind, name := kindOf(u.Ref)
	return Change{
		Ref: u.Ref, Before: u.Old, After: u.New, Target: u.commit,
		Protected: r.protection.Protects(kind, name),
	}
}

// newIn returns the commits that the repository does not have and others reach, parents first. It
// looks at no others: a mirror brings many commits and refs.
func (r *rules) newIn(targets ...object.ID) (list []object.ID) {
	var numbers []int
	reached := map[int]bool{}
	reach := func(id object.ID) {
		if i, ok := r.fresh[id]; ok && !reached[i] {
			reached[i] = true
			numbers = append(numbers, i)
		}
	}
	for _, id := range targets {
		reach(id)
	}
	for at := 0; at < len(numbers); at++ {
		for _, p := range r.change.Commits[numbers[at]].Parents {
			reach(p)
		}
	}
	slices.Sort(numbers)
	for _, i := range numbers {
		list = append(list, r.change.Commits[i].ID)
	}
	return list
}

// check returns Refused if an update is not allowed.
func (r *rules) check(ctx context.Context, u Update) error {
	kind, name := kindOf(u.Ref)
	if kind == "" {
		return Refused{Text: "You can only push to branches and tags: '" + u.Ref + "' is neither."}
	}
	if !catalogue.IsBranchName(name) {
		return Refused{Text: "'" + u.Ref + "' is not a valid name."}
	}
	do := u.verb()
	if do == protect.PushRef && kind == protect.Branch {
		forced, err := r.isForced(ctx, u)
		if err != nil {
			return err
		}
		if forced {
			do = protect.ForcePush
		}
	}
	switch {
	case r.change.Merge:
		do = protect.MergeRef
	case r.change.Followed && do == protect.ForcePush: // mirrors overwrite
		do = protect.PushRef
	}
	text := r.refuseName(kind, name, do)
	if text == "" {
		text = r.protection.Refuse(protect.RefChange{Kind: kind, Name: name, Do: do, Web: r.change.By.Web})
		if text != "" {
			return Refused{Text: text, Protected: true}
		}
	}
	if text == "" && kind == protect.Branch && do != protect.DeleteRef {
		h, err := r.g.History(ctx)
		if err != nil {
			return err
		}
		if _, isNew := r.fresh[u.New]; !isNew && !h.Has(u.New) {
			text = "Branch '" + name + "' cannot point to " + u.New.String() + ": it is not a commit."
		}
	}
	if text != "" {
		return Refused{Text: text}
	}
	if kind == protect.Branch && (do == protect.PushRef || do == protect.ForcePush) && !r.change.Followed {
		return r.checkOwners(ctx, name, u)
	}
	return nil
}

// isForced reports whether an update of a branch leaves out commits that the branch had.
func (r *rules) isForced(ctx context.Context, u Update) (bool, error) {
	h, err := r.g.History(ctx)
	if err != nil || u.New == u.Old {
		return false, err
	}
	if _, ok := r.fresh[u.New]; !ok {
		return !h.IsAncestor(u.Old, u.New), nil
	}
	for _, id := range r.newIn(u.commit) {
		for _, p := range r.change.Commits[r.fresh[id]].Parents {
			if _, ok := r.fresh[p]; !ok && h.IsAncestor(u.Old, p) {
				return false, nil
			}
		}
	}
	return true, nil
}

// refuseName returns why a branch or tag cannot have its name, or be deleted.
func (r *rules) refuseName(kind protect.RefKind, name string, do protect.RefVerb) string {
	rule := r.commits.rule
	isHead := name == r.g.Head
	switch {
	case kind == protect.Branch && do == protect.DeleteRef && isHead:
		return "The default branch of a project cannot be deleted."
	case kind == protect.Branch && do == protect.CreateRef && isHex(name):
		return "You cannot create a branch with a 40-character hexadecimal branch name."
	case kind == protect.Tag && do == protect.DeleteRef && rule.DenyDeleteTag && !r.change.By.Web:
		return "You cannot delete a tag"
	case kind == protect.Tag && do == protect.CreateRef && isHead:
		return "You cannot use default branch name to create a tag"
	case kind == protect.Tag && do != protect.DeleteRef && strings.HasPrefix(name, "refs/tags/"):
		return "You cannot create a tag with a prohibited pattern."
	case kind == protect.Tag && do != protect.DeleteRef && len(name) >= 40 && isHex(name[:40]):
		return "You cannot create a tag with a SHA-1 or SHA-256 tag name."
	case kind == protect.Branch && do != protect.DeleteRef && !isHead && !r.commits.branch.allows(name):
		return fmt.Sprintf("Branch name does not follow the pattern '%s'", rule.BranchNameRegex)
	}
	return ""
}

func isHex(text string) bool {
	_, err := object.ParseID(text)
	return err == nil
}

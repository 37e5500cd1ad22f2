package code

import (
	"context"
	"errors"
	"io"
	"slices"

	"hew/server/db"
	"hew/server/git/object"
	"hew/server/git/pkt"
	"hew/server/protect"
	"hew/server/setting"
	"hew/server/tree"
)

// Diverged is the reason for a ref that was not moved because the project has commits, or a tag,
// that the other repository lacks.
const Diverged = "diverged"

// Pulled is what refs of a project become because of a repository elsewhere that it follows.
type Pulled struct {
	Project   tree.Project
	By        Author        // who follows it
	Commands  []pkt.Command // from where the refs of the project are to where the others are
	Overwrite bool          // move refs that have diverged, too
}

// Pull moves refs of a project to where those of a repository elsewhere are, in one push. The pack
// has the objects that the project lacks. It is a push but for this: there are no rules that
// commits of another host have to keep to, and who may push to a branch may overwrite it. The store
// must be bound to the pool. It returns what became of each command: "" or why its ref was not
// moved. [ImportText] explains errors.
func Pull(ctx context.Context, st *db.Store, p Pulled, pack io.Reader) ([]string, error) {
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return nil, err
	}
	var results []string
	r := &reception{
		st: st, at: SourceOf(p.Project), by: p.By, push: pkt.Push{Commands: p.Commands},
		answer: &answer{out: io.Discard}, pack: newSizedPack(pack, settings),
		apply: func(ctx context.Context, g *Git, c change) ([]string, error) {
			results, err = p.apply(ctx, g, c)
			return results, err
		},
	}
	if _, err := r.run(ctx); !errors.Is(err, errNothingMoves) {
		return results, err
	}
	return results, nil
}

// errNothingMoves ends a pull that moves no ref, so that its objects are not stored.
var errNothingMoves = errors.New("no ref moves")

// apply makes the change without the refs that stay and those that the rules refuse.
func (p Pulled) apply(ctx context.Context, g *Git, c change) ([]string, error) {
	c.Followed = true
	whole, err := g.readRules(ctx, c)
	if err != nil {
		return nil, err
	}
	results := make([]string, len(c.Updates))
	moving := change{Project: c.Project, By: c.By, Followed: true}
	var at []int // of moving.Updates in results
	var targets []object.ID
	for i, u := range c.Updates {
		if results[i], err = p.reason(ctx, whole, u); err != nil {
			return nil, err
		}
		if results[i] == "" {
			moving.Updates, at, targets = append(moving.Updates, u), append(at, i), append(targets, u.commit)
		}
	}
	if len(at) == 0 {
		return results, errNothingMoves
	}
	reached := map[object.ID]bool{}
	for _, id := range whole.newIn(targets...) {
		reached[id] = true
	}
	moving.Commits = slices.DeleteFunc(slices.Clone(c.Commits),
		func(f freshCommit) bool { return !reached[f.ID] })
	moved, err := g.push(ctx, moving)
	for i, result := range moved {
		results[at[i]] = result
	}
	return results, err
}

// reason returns why a ref is left where it is; "" if it moves.
func (p Pulled) reason(ctx context.Context, r *rules, u Update) (string, error) {
	stays, err := p.stays(ctx, r, u)
	if err != nil || stays {
		return Diverged, err
	}
	var refused Refused
	if err = r.check(ctx, u); errors.As(err, &refused) {
		return refused.Text, nil
	}
	return "", err
}

// stays reports whether a ref is left where it is.
func (p Pulled) stays(ctx context.Context, r *rules, u Update) (bool, error) {
	if p.Overwrite || u.Old.IsZero() {
		return false, nil
	}
	if kind, _ := kindOf(u.Ref); kind != protect.Branch {
		return true, nil
	}
	return r.isForced(ctx, u)
}

package code

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/event"
	"hew/server/git/object"
	"hew/server/protect"
	"hew/server/tree"
)

// Update is a change of one ref that somebody asks for.
type Update struct {
	Ref      string    // the full name
	Old, New object.ID // zero: the ref does not exist before, or after

	commit object.ID // New, or the commit that the tag New points to in the end
}

// Verb returns what happens to the ref, as rules know it. Force is not told apart.
func (u Update) verb() protect.RefVerb {
	switch {
	case u.New.IsZero():
		return protect.DeleteRef
	case u.Old.IsZero():
		return protect.CreateRef
	}
	return protect.PushRef
}

// Author is who changes a repository, and by which way.
type Author struct {
	protect.Pusher
	User    tree.User // the zero value for deploy keys and deploy tokens
	Web     bool      // by the API and not by a git client
	Options []string  // push options
}

// change is a set of updates with the commits that they bring. All of it is refused or, but for
// refs that moved meanwhile, none.
type change struct {
	Project tree.Project
	By      Author
	Updates []Update
	Commits []freshCommit // that the repository does not have, parents first
	Atomic  bool          // one ref that moved is a refusal of all
}

// Pushed is emitted after refs of a project changed, in the transaction that changes them.
type Pushed struct {
	Git     *Git // the repository, as the transaction sees it
	Project tree.Project
	By      Author
	Changes []Change
}

// Change is one of the changes of a push.
type Change struct {
	Ref           string      // the full name
	Before, After object.ID   // zero: it did not exist, it was deleted
	Target        object.ID   // After, or the commit of an annotated tag
	Commits       []object.ID // new to the repository, parents first
	Protected     bool
}

// Refused is the error of a change that breaks a rule.
type Refused struct {
	Text      string // for whoever asked for it
	Protected bool   // others may make the change: the ref is protected
}

// Error implements error.
func (r Refused) Error() string { return r.Text }

// refMoved says that a ref was changed by somebody else meanwhile.
const refMoved = "fetch first"

// push makes a change in the transaction that g was opened with. It returns what became of each
// update: "" or why its ref was not moved. The error is Refused if a rule forbids any of it.
func (g *Git) push(ctx context.Context, c change) ([]string, error) {
	rules, err := g.readRules(ctx, c)
	if err != nil {
		return nil, err
	}
	for _, u := range c.Updates {
		if err := rules.check(ctx, u); err != nil {
			return nil, err
		}
	}
	for commits, err := range g.readNew(ctx, c.Commits) {
		if err == nil {
			err = rules.commits.check(ctx, commits)
		}
		if err == nil {
			err = g.index(ctx, commits)
		}
		if err != nil {
			return nil, err
		}
	}
	results, err := g.swapAll(ctx, c)
	if err != nil {
		return nil, err
	}
	pushed := Pushed{Git: g, Project: c.Project, By: c.By}
	for i, u := range c.Updates {
		if results[i] == "" {
			pushed.Changes = append(pushed.Changes, rules.changeOf(u))
		}
	}
	if len(pushed.Changes) == 0 {
		return results, nil
	}
	if err := tree.NoteActivity(ctx, g.st, c.Project.ID); err != nil {
		return nil, err
	}
	return results, event.Emit(ctx, g.st, pushed)
}

// swapAll moves the refs in the order of their names, so that two pushes never wait for each other.
func (g *Git) swapAll(ctx context.Context, c change) (results []string, err error) {
	results = make([]string, len(c.Updates))
	order := make([]int, len(c.Updates))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(c.Updates[a].Ref, c.Updates[b].Ref) })
	for _, i := range order {
		if results[i], err = g.swap(ctx, c.Updates[i]); err != nil {
			return nil, err
		}
		if c.Atomic && results[i] != "" {
			return nil, notAtomic{c.Updates[i].Ref, results[i]}
		}
	}
	return results, nil
}

// notAtomic is the error of an atomic push one ref of which could not be moved.
type notAtomic struct{ ref, reason string }

// Error implements error.
func (n notAtomic) Error() string { return n.ref + ": " + n.reason }

// swap moves a ref, unless it is not where the update says. It returns a refusal.
func (g *Git) swap(ctx context.Context, u Update) (string, error) {
	args := pgx.NamedArgs{"repository": g.ID, "name": u.Ref, "old": u.Old, "new": u.New, "peeled": nil}
	if u.commit != u.New {
		args["peeled"] = u.commit
	}
	var sql string
	switch {
	case u.New.IsZero():
		sql = `delete from refs where repository_id = @repository and name = @name and oid = @old`
	case u.Old.IsZero():
		clash, err := g.clash(ctx, u.Ref)
		if err != nil || clash != "" {
			return clash, err
		}
		sql = `insert into refs (repository_id, name, oid, peeled) values (@repository, @name, @new, @peeled)
			on conflict do nothing`
	default:
		sql = `update refs set oid = @new, peeled = @peeled, updated_at = now()
			where repository_id = @repository and name = @name and oid = @old`
	}
	n, err := g.st.Affected(ctx, sql, args)
	if err == nil && n == 0 {
		return refMoved, nil
	}
	return "", err
}

// clash returns a refusal if a new ref would be a directory of another one, or be in one: git keeps
// refs as files.
func (g *Git) clash(ctx context.Context, name string) (string, error) {
	if err := g.st.Exclusively(ctx, fmt.Sprint("names of refs of repository ", g.ID)); err != nil {
		return "", err
	}
	var above []string
	for i := range name {
		if name[i] == '/' {
			above = append(above, name[:i])
		}
	}
	other, err := db.Values[string](ctx, g.st, `
		select t.name from refs t
		where t.repository_id = @repository and (t.name = any(@above) or t.name > @below and t.name < @end) limit 1`,
		pgx.NamedArgs{"repository": g.ID, "above": above, "below": name + "/", "end": prefixEnd(name + "/")})
	if err != nil || len(other) == 0 {
		return "", err
	}
	return "'" + other[0] + "' exists; cannot create '" + name + "'", nil
}

// kindOf returns whether a ref is a branch or a tag, and its short name. Others have no kind.
func kindOf(ref string) (protect.RefKind, string) {
	if name, ok := strings.CutPrefix(ref, Heads); ok {
		return protect.Branch, name
	}
	if name, ok := strings.CutPrefix(ref, Tags); ok {
		return protect.Tag, name
	}
	return "", ref
}

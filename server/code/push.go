package code

import (
	"context"
	"strings"

	"hew/server/event"
	"hew/server/git/object"
	"hew/server/protect"
	"hew/server/tree"
)

// Update is a requested change of one ref.
type Update struct {
	Ref      string    // the full name
	Old, New object.ID // zero: the ref does not exist before, or after

	commit object.ID // New, or the commit that the tag New points to in the end
}

// verb returns what happens to the ref, as rules know it. Force is not told apart.
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
	Job     bool      // with the token of a job
}

// change is a set of updates with the commits that they bring. All of it is refused or, but for
// refs that moved meanwhile, none.
type change struct {
	Project tree.Project // the zero value for the wiki of a group and for a snippet
	By      Author
	Updates []Update
	Commits []freshCommit // that the repository does not have, parents first
	Atomic  bool          // one ref that moved is a refusal of all
	Merge   bool          // a merge request lands: who may merge decides, not who may push
	Again   bool          // the commits have authors who wrote them before, and not By

	Followed bool // the commits come from a repository that the project mirrors
}

// Pushed is emitted after refs of the code of a project changed, in the transaction that changes
// them.
type Pushed struct {
	Git     *Git // the repository, as the transaction sees it
	Project tree.Project
	By      Author
	Changes []Change

	rules *rules
}

// SnippetPushed is emitted after refs of the files of a snippet changed, in the transaction that
// changes them. A listener that returns Refused refuses the push.
type SnippetPushed struct {
	Git     *Git // the repository, as the transaction sees it; its SnippetID is set
	Changes []Change
}

// NewCommits returns the commits of a change that are new to the repository, parents first.
func (p Pushed) NewCommits(c Change) []object.ID { return p.rules.newIn(c.Target) }

// Change is one of the changes of a push.
type Change struct {
	Ref           string    // the full name
	Before, After object.ID // zero: it did not exist, it was deleted
	Target        object.ID // After, or the commit of an annotated tag
	Protected     bool
}

// Refused is the error of a change that breaks a rule.
type Refused struct {
	Text      string // for the user
	Protected bool   // others may make the change: the ref is protected
}

// Error implements error.
func (r Refused) Error() string { return r.Text }

// Unwrap returns the fault of the API.
func (r Refused) Unwrap() error {
	if r.Protected {
		return forbid(r.Text)
	}
	return refuse(r.Text)
}

// refMoved says that a ref was changed by somebody else meanwhile.
const refMoved = "fetch first"

// push makes a change in the transaction that g was opened with. It returns what became of each
// update: "" or why its ref was not moved. The error is Refused if a rule forbids any of it.
func (g *Git) push(ctx context.Context, c change) ([]string, error) {
	first, err := g.firstPush(ctx, c)
	if err != nil {
		return nil, err
	}
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
	if len(c.Commits) > 0 {
		if err := g.checkSize(ctx); err != nil {
			return nil, err
		}
	}
	results, err := g.swapAll(ctx, c)
	if err != nil {
		return nil, err
	}
	pushed := Pushed{Git: g, Project: c.Project, By: c.By, rules: rules}
	for i, u := range c.Updates {
		if results[i] == "" {
			pushed.Changes = append(pushed.Changes, rules.changeOf(u))
		}
	}
	if len(pushed.Changes) == 0 {
		return results, nil
	}
	if first != nil {
		if err := first.finish(ctx, &pushed.Project, c.By.Pusher, pushed.Changes); err != nil {
			return nil, err
		}
	}
	if g.ProjectID != nil {
		if err := tree.NoteActivity(ctx, g.st, *g.ProjectID); err != nil {
			return nil, err
		}
	}
	switch g.Kind { // Pushed is about code
	case Wiki:
		return results, nil
	case Snippet:
		return results, event.Emit(ctx, g.st, SnippetPushed{Git: g, Changes: pushed.Changes})
	}
	return results, event.Emit(ctx, g.st, pushed)
}

// notAtomic is the error of an atomic push if one of its refs could not be moved.
type notAtomic struct{ ref, reason string }

// Error implements error.
func (n notAtomic) Error() string { return n.ref + ": " + n.reason }

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

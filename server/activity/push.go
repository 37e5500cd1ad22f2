package activity

import (
	"context"
	"strings"

	"hew/server/code"
	"hew/server/db"
	"hew/server/git/object"
	"hew/server/setting"
)

// maxTitle is the length of a commit's title in an event, in characters.
const maxTitle = 70

// onPush writes an event for each branch and tag that a user pushed, or one for each kind of change
// if they are more than the instance shows one by one.
func onPush(ctx context.Context, st *db.Store, e code.Pushed) error {
	if e.By.User.ID == 0 {
		return nil // a deploy key or token
	}
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return err
	}
	var changes []code.Change
	for _, c := range e.Changes {
		if refType(c.Ref) != "" {
			changes = append(changes, c)
		}
	}
	pushes := bulkOf(changes)
	if len(changes) <= settings.PushEventsLimit {
		if pushes, err = singlesOf(ctx, e, changes); err != nil {
			return err
		}
	}
	for _, p := range pushes {
		row := Event{Container: e.Project.Container(), AuthorID: e.By.User.ID, Action: Pushing, Push: &p}
		if err := add(ctx, st, row); err != nil {
			return err
		}
	}
	return nil
}

// refType returns whether a ref is a branch or a tag; others have no type.
func refType(ref string) string {
	switch {
	case strings.HasPrefix(ref, code.Heads):
		return "branch"
	case strings.HasPrefix(ref, code.Tags):
		return "tag"
	}
	return ""
}

// verbOf returns what became of a ref.
func verbOf(c code.Change) string {
	switch {
	case c.Before.IsZero():
		return "created"
	case c.After.IsZero():
		return "removed"
	}
	return "pushed"
}

// bulkOf returns a push for all changes of the same kind.
func bulkOf(changes []code.Change) (pushes []Push) {
	at := map[[2]string]int{}
	for _, c := range changes {
		kind := [2]string{verbOf(c), refType(c.Ref)}
		if _, ok := at[kind]; !ok {
			at[kind] = len(pushes)
			pushes = append(pushes, Push{Action: kind[0], RefType: kind[1], RefCount: new(0)})
		}
		*pushes[at[kind]].RefCount++
	}
	return pushes
}

// singlesOf returns a push for each change.
func singlesOf(ctx context.Context, e code.Pushed, changes []code.Change) (pushes []Push, err error) {
	for _, c := range changes {
		short := strings.TrimPrefix(strings.TrimPrefix(c.Ref, code.Heads), code.Tags)
		p := Push{Action: verbOf(c), RefType: refType(c.Ref), Ref: &short}
		if !c.Before.IsZero() {
			p.CommitFrom = new(c.Before.String())
		}
		if !c.After.IsZero() {
			p.CommitTo, p.CommitCount = new(c.Target.String()), len(e.NewCommits(c))
			commits, err := e.Git.Commits(ctx, []object.ID{c.Target})
			if err != nil {
				return nil, err
			}
			for _, commit := range commits { // none if a tag is of something else
				title := []rune(commit.Title())
				p.CommitTitle = new(string(title[:min(len(title), maxTitle)]))
			}
		}
		pushes = append(pushes, p)
	}
	return pushes, nil
}

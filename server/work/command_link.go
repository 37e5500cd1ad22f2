package work

import (
	"context"
	"fmt"

	"hew/server/db"
	"hew/server/note"
)

// linked are the things that commands link.
type linked interface {
	Commanded
	Linkable
}

// linkCommand returns a command that links the issue or epic with those that it names. Words say
// what they become to it.
func linkCommand[T linked](kind, words string) Doer[T] {
	return func(ctx context.Context, st *db.Store, r *CommandRun[T], t *T, argument string) (string, error) {
		list, err := r.on.Find(ctx, st, argument)
		var names []string
		for _, other := range list {
			archived, err := isArchived(ctx, st, other)
			if err != nil {
				return "", err
			}
			if archived || other.Target().ID == (*t).Target().ID {
				continue
			}
			names = append(names, other.ReferenceFrom(r.on.At.Path))
			r.Afterwards(func(ctx context.Context, st *db.Store, t T) error {
				_, err := link(ctx, st, r.Actor.User, t, other, kind)
				return err
			})
		}
		if err != nil || len(names) == 0 {
			return "", err
		}
		return fmt.Sprintf("Added %s as a linked item %s this %s.", enumerate(names), words, partsOf(t).Word), nil
	}
}

// runUnlink removes the links with the issues or epics that a command names.
func runUnlink[T linked](
	ctx context.Context, st *db.Store, r *CommandRun[T], t *T, argument string,
) (string, error) {
	id := (*t).Target().ID
	if id == 0 {
		return "", nil
	}
	list, err := r.on.Find(ctx, st, argument)
	if err != nil {
		return "", err
	}
	links, err := LinksOf(ctx, st, (*t).Target())
	if err != nil {
		return "", err
	}
	byOther := map[int64]Link{}
	for _, l := range links {
		byOther[l.Other(id)] = l
	}
	var names []string
	for _, other := range list {
		l, linked := byOther[other.Target().ID]
		if !linked {
			continue
		}
		names = append(names, other.ReferenceFrom(r.on.At.Path))
		r.Afterwards(func(ctx context.Context, st *db.Store, t T) error {
			return Unlink(ctx, st, r.Actor.User, l, t, other)
		})
	}
	if len(names) == 0 {
		return "", nil
	}
	return "Removed link with " + enumerate(names) + ".", nil
}

// markDuplicate closes the issue as a duplicate of another one, and links them.
func markDuplicate(ctx context.Context, st *db.Store, r *issueRun, i *Issue, argument string) (string, error) {
	list, err := r.on.Find(ctx, st, argument)
	if err != nil || len(list) != 1 || list[0].ID == i.ID {
		return "", err
	}
	other := list[0]
	i.State, i.DuplicateOfID = Closed, &other.ID
	r.Changes("canonical_issue_id", other.ID)
	r.Afterwards(func(ctx context.Context, st *db.Store, i Issue) error {
		_, err := LinkIssues(ctx, st, r.Actor.User, i, other, RelatesTo)
		return err // it may be linked already
	})
	r.Afterwards(func(ctx context.Context, st *db.Store, i Issue) error {
		err := note.AddSystemAbout(ctx, st, i.Target(), other.Target(), r.Actor.User.ID,
			"marked this issue as a duplicate of "+other.ReferenceFrom(i.Path))
		if err != nil {
			return err
		}
		return note.AddSystemAbout(ctx, st, other.Target(), i.Target(), r.Actor.User.ID,
			"marked "+i.ReferenceFrom(other.Path)+" as a duplicate of this issue")
	})
	url := fmt.Sprintf("%s/%s/-/issues/%d", r.Actor.Base, other.Path, other.IID)
	return "Closed this issue. Marked as related to, and a duplicate of, " + url + ".", nil
}

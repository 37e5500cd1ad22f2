package work

import (
	"context"
	"fmt"

	"hew/server/db"
	"hew/server/note"
	"hew/server/tree"
)

// noteEpic keeps what a user changed of an epic: labels and the state as resource events, the
// rest as system notes. Before is zero for a new epic.
func noteEpic(ctx context.Context, st *db.Store, before, e Epic, by tree.User) error {
	log := EventLog{On: e.Target(), By: by.ID}
	log.Labels(before.LabelIDs, e.LabelIDs)
	if before.ID != 0 {
		log.State(before.State, e.State)
	}
	if err := log.Store(ctx, st); err != nil {
		return err
	}
	var texts []string
	if before.ID != 0 {
		texts = ChangeNotes("epic", before.noted(), e.noted())
		if before.Color != e.Color {
			texts = append(texts, fmt.Sprintf("set color to `%s`", e.Color))
		}
		texts = append(texts, dateNote("start date", before.StartDate, e.StartDate)...)
		texts = append(texts, dateNote("due date", before.DueDate, e.DueDate)...)
	}
	if err := note.AddSystem(ctx, st, e.Target(), by.ID, texts...); err != nil {
		return err
	}
	return noteParent(ctx, st, before, e, by)
}

// noteParent notes down on an epic, and on its parents, that it has another parent.
func noteParent(ctx context.Context, st *db.Store, before, e Epic, by tree.User) error {
	was, now := db.OrZero(before.ParentID), db.OrZero(e.ParentID)
	if was == now {
		return nil
	}
	epics, err := EpicsByID(ctx, st, []int64{was, now})
	if err != nil {
		return err
	}
	for _, side := range []struct {
		id           int64
		here, parent string
	}{
		{was, "removed parent epic %s", "removed child epic %s"},
		{now, "added %s as parent epic", "added %s as child epic"},
	} {
		p, ok := epics[side.id]
		if !ok {
			continue
		}
		here := fmt.Sprintf(side.here, p.ReferenceFrom(e.Path))
		if err := note.AddSystemAbout(ctx, st, e.Target(), p.Target(), by.ID, here); err != nil {
			return err
		}
		there := fmt.Sprintf(side.parent, e.ReferenceFrom(p.Path))
		if err := note.AddSystemAbout(ctx, st, p.Target(), e.Target(), by.ID, there); err != nil {
			return err
		}
	}
	return nil
}

// Noted is what issues, epics and merge requests have that notes tell changes of.
type Noted struct {
	Title, Description   string
	Confidential, Locked bool
}

func (e Epic) noted() Noted {
	return Noted{e.Title, db.OrZero(e.Description), e.Confidential, db.OrZero(e.DiscussionLocked)}
}

func (i Issue) noted() Noted {
	return Noted{i.Title, db.OrZero(i.Description), i.Confidential, db.OrZero(i.DiscussionLocked)}
}

// ChangeNotes returns the texts about what changed of an issue or epic, which word says.
func ChangeNotes(word string, before, now Noted) (texts []string) {
	say := func(changed bool, text string) {
		if changed {
			texts = append(texts, text)
		}
	}
	if before.Title != now.Title {
		texts = append(texts, "changed title from "+titleChange(before.Title, now.Title))
	}
	say(before.Description != now.Description, "changed the description")
	say(!before.Confidential && now.Confidential, "made the "+word+" confidential")
	say(before.Confidential && !now.Confidential, "made the "+word+" visible to everyone")
	say(!before.Locked && now.Locked, "locked the discussion in this "+word)
	say(before.Locked && !now.Locked, "unlocked the discussion in this "+word)
	return texts
}

// dateNote returns the text about a changed date.
func dateNote(what string, before, now *db.Date) []string {
	switch {
	case sameDay(before, now):
		return nil
	case now == nil:
		return []string{"removed " + what + " " + longDate(before)}
	}
	return []string{"changed " + what + " to " + longDate(now)}
}

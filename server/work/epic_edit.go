package work

import (
	"context"
	"strings"
	"time"

	"hew/schema/catalogue"
	"hew/server/check"
	"hew/server/db"
	"hew/server/event"
	"hew/server/note"
	"hew/server/tree"
)

// EpicChanged is emitted after an epic was created or changed, in the transaction that does it.
type EpicChanged struct {
	Group        tree.Group
	Before, Epic Epic // Before is zero for a new epic
	Action       Action
	By           tree.User
}

// EpicDeleted is emitted before an epic is deleted.
type EpicDeleted struct {
	Group tree.Group
	Epic  Epic
	By    tree.User
}

// newEpicColor is the color of epics that are made without one.
const newEpicColor = "#1068bf"

// CreateEpic stores the epic that fill sets up in a group. Fill sets the ids of labels and of the
// parent too.
func CreateEpic(ctx context.Context, st *db.Store, g tree.Group, by tree.User, fill db.Edit[Epic]) (e Epic, err error) {
	e = Epic{
		NamespaceID: g.ID, AuthorID: &by.ID, State: Opened, Color: newEpicColor,
		CreatedAt: time.Now().Truncate(time.Millisecond),
	}
	err = st.Tx(ctx, func(st *db.Store) error {
		if err := lockEpicTree(ctx, st, g.ID); err != nil {
			return err
		}
		if err := fill(st, &e); err != nil {
			return err
		}
		if err := normalizeEpic(ctx, st, Epic{}, &e); err != nil {
			return err
		}
		if e.IID, err = st.NextIID(ctx, g.Container(), "epic"); err != nil {
			return err
		}
		if e.ID, err = st.Insert(ctx, "epics", e); err != nil {
			return err
		}
		if e, err = storeEpicParts(ctx, st, Epic{}, e); err != nil {
			return err
		}
		if err := noteEpic(ctx, st, Epic{}, e, by); err != nil {
			return err
		}
		return event.Emit(ctx, st, EpicChanged{Group: g, Epic: e, Action: Opening, By: by})
	})
	return e, err
}

// ChangeEpic edits an epic of a group and returns it. The edit sets the ids of labels and of the
// parent too. What it changed is noted down on the epic.
func ChangeEpic(
	ctx context.Context, st *db.Store, g tree.Group, by tree.User, which db.Condition, edit db.Edit[Epic],
) (e Epic, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if err := lockEpicTree(ctx, st, g.ID); err != nil {
			return err
		}
		var before Epic
		e, err = Epics(st, g.ID).Change(ctx, which, func(st *db.Store, e *Epic) error {
			before = *e
			before.LabelIDs = append([]int64(nil), e.LabelIDs...)
			if err := edit(st, e); err != nil {
				return err
			}
			if err := normalizeEpic(ctx, st, before, e); err != nil {
				return err
			}
			stampState(before.State, e.State, &e.ClosedAt, &e.ClosedByID, by)
			edited := e.Title != before.Title || db.OrZero(e.Description) != db.OrZero(before.Description)
			stampText(edited, &e.LastEditedAt, &e.LastEditedByID, by)
			_, err := storeEpicParts(ctx, st, before, *e)
			return err
		})
		if err != nil {
			return err
		}
		if err := noteEpic(ctx, st, before, e, by); err != nil {
			return err
		}
		return event.Emit(ctx, st, EpicChanged{
			Group: g, Before: before, Epic: e, Action: actionOf(before.State, e.State), By: by,
		})
	})
	return e, err
}

// DeleteEpic deletes an epic of a group with its notes. Its issues and children stay. It calls
// unless with the time of the last change, and deletes nothing if that returns an error.
func DeleteEpic(
	ctx context.Context, st *db.Store, g tree.Group, by tree.User, e Epic,
	unless func(ctx context.Context, changed time.Time) error,
) error {
	return st.Tx(ctx, func(st *db.Store) error {
		err := lockWithIssues(ctx, st, `epic_id = @of`, e.ID, func(st *db.Store) error {
			return lockEpicTree(ctx, st, g.ID)
		})
		if err != nil {
			return err
		}
		if err := event.Emit(ctx, st, EpicDeleted{Group: g, Epic: e, By: by}); err != nil {
			return err
		}
		return Epics(st, g.ID).Delete(ctx, db.ByID(e.ID), unless)
	})
}

// normalizeEpic checks the fields of an epic and sets what follows from them.
func normalizeEpic(ctx context.Context, st *db.Store, before Epic, e *Epic) error {
	e.Title = strings.TrimSpace(e.Title)
	var wrong check.Problems
	if e.Title == "" {
		wrong.On("title", check.Blank)
	}
	wrong.Fits("title", e.Title, 255)
	wrong.Fits("description", db.OrZero(e.Description), maxDescription)
	if kept, ok := catalogue.Colour(strings.TrimSpace(e.Color)); ok {
		e.Color = kept
	} else {
		wrong.On("color", "must be a valid color code")
	}
	if e.StartDateIsFixed && e.DueDateIsFixed && e.StartDateFixed != nil && e.DueDateFixed != nil &&
		e.DueDateFixed.Before(e.StartDateFixed.Time) {
		wrong.On("due_date", "must be greater than start date")
	}
	if err := wrong.Err(); err != nil {
		return err
	}
	if err := checkEpicContents(ctx, st, before, *e); err != nil {
		return err
	}
	return setParent(ctx, st, before, e)
}

// storeEpicParts writes the labels of an epic where they differ, and who is mentioned in it, and
// returns the epic as it is then.
func storeEpicParts(ctx context.Context, st *db.Store, before, e Epic) (Epic, error) {
	labelled := IDSet{"epic_labels", "epic_id", "label_id"}
	err := labelled.Change(ctx, st, e.ID, Without(e.LabelIDs, before.LabelIDs), Without(before.LabelIDs, e.LabelIDs))
	if err != nil {
		return e, err
	}
	if db.OrZero(e.Description) != db.OrZero(before.Description) {
		if err := note.StoreMentions(ctx, st, e.Target(), 0, db.OrZero(e.Description)); err != nil {
			return e, err
		}
	}
	return Epics(st, e.NamespaceID).One(ctx, db.ByID(e.ID))
}

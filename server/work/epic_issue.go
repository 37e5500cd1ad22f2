package work

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/note"
	"hew/server/tree"
)

// epicPositions is the order of the issues of an epic.
func epicPositions(epic int64) positions {
	return positions{table: "issues", column: "epic_position", scope: "epic_id", of: epic}
}

// placeInEpic puts an issue that comes to an epic ahead of the issues there. It returns an error
// if the epic is confidential and the issue is not. The epic stays as it is until the end of the
// transaction.
func placeInEpic(ctx context.Context, st *db.Store, before Issue, i *Issue) error {
	if i.EpicID == nil {
		i.EpicIssueID, i.EpicPosition = nil, nil
		return nil
	}
	arrives := db.OrZero(before.EpicID) != *i.EpicID
	if !arrives && before.Confidential == i.Confidential {
		return nil
	}
	if err := lockPlacesOf(ctx, st, *i); err != nil {
		return err
	}
	// as strongly as the triggers that set their dates, which follow
	list, err := db.Many[struct {
		ID           int64 `db:"id"`
		Confidential bool  `db:"confidential"`
	}](ctx, st, `select id, confidential from epics where id = any(@epics) order by id for no key update`,
		pgx.NamedArgs{"epics": []int64{db.OrZero(before.EpicID), *i.EpicID}})
	confidential := false
	for _, e := range list {
		confidential = confidential || e.ID == *i.EpicID && e.Confidential
	}
	switch {
	case err != nil:
		return err
	case confidential && !i.Confidential && arrives:
		return fault.BadRequest("This issue cannot be assigned to a confidential epic because it is public.").
			In(fault.Text)
	case confidential && !i.Confidential:
		return fault.BadRequest("This issue cannot be made public because it belongs to a confidential epic.").
			In(fault.Text)
	case !arrives:
		return nil
	}
	if i.EpicIssueID == nil || before.EpicID == nil {
		id, err := db.Value[int64](ctx, st, `select nextval('epic_issue_ids')`, nil)
		if err != nil {
			return err
		}
		i.EpicIssueID = &id
	}
	order := epicPositions(*i.EpicID)
	if err := order.lock(ctx, st); err != nil {
		return err
	}
	first, err := order.first(ctx, st)
	i.EpicPosition = &first
	return err
}

// lockPlacesOf locks the milestone of an issue and the epics of the root group of its epic.
func lockPlacesOf(ctx context.Context, st *db.Store, i Issue) error {
	if i.MilestoneID != nil {
		err := st.Exec(ctx, `select from milestones where id = @id for share`, pgx.NamedArgs{"id": i.MilestoneID})
		if err != nil {
			return err
		}
	}
	group, err := db.Value[int64](ctx, st,
		`select coalesce((select namespace_id from epics where id = @id), 0)`, pgx.NamedArgs{"id": i.EpicID})
	if err != nil || group == 0 { // the epic is gone
		return err
	}
	return lockEpicTree(ctx, st, group)
}

// AddToEpic makes an issue of a project one of an epic and returns it. The epic has to be of a
// group above the project.
func AddToEpic(
	ctx context.Context, st *db.Store, p tree.Project, by tree.User, e Epic, issueID int64,
) (Issue, error) {
	return ChangeIssue(ctx, st, p, by, db.ByID(issueID), func(st *db.Store, i *Issue) error {
		if db.OrZero(i.EpicID) == e.ID {
			return fault.Conflict("Issue(s) already assigned")
		}
		err := ViewerOf(by).SetEpic(ctx, st, p, i, e.ID, 0)
		if fault.CodeOf(err) == fault.CodeNotFound {
			return NoMatchingIssue()
		}
		return err
	})
}

// RemoveFromEpic takes an issue of a project away from an epic and returns it as it was there.
func RemoveFromEpic(
	ctx context.Context, st *db.Store, p tree.Project, by tree.User, e Epic, issueID int64,
) (was Issue, err error) {
	_, err = ChangeIssue(ctx, st, p, by, db.ByID(issueID), func(_ *db.Store, i *Issue) error {
		if db.OrZero(i.EpicID) != e.ID {
			return fault.NotFound("")
		}
		was = i.clone()
		i.EpicID = nil
		return nil
	})
	return was, err
}

// ReorderInEpic puts an issue of an epic between two others, which are given by the ids of their
// pairs with the epic: behind after, ahead of before; 0 for an end that was not given.
func ReorderInEpic(ctx context.Context, st *db.Store, e Epic, i Issue, after, before int64) error {
	list, err := db.Many[struct {
		ID     int64 `db:"id"`
		PairID int64 `db:"epic_issue_id"`
	}](ctx, st, `
		select id, epic_issue_id from issues where epic_id = @epic and epic_issue_id = any(@pairs)`,
		pgx.NamedArgs{"epic": e.ID, "pairs": []int64{after, before}})
	if err != nil {
		return err
	}
	byPair := map[int64]int64{}
	for _, other := range list {
		byPair[other.PairID] = other.ID
	}
	if after != 0 && byPair[after] == 0 || before != 0 && byPair[before] == 0 {
		return fault.NotFound("")
	}
	return epicPositions(e.ID).put(ctx, st, i.ID, byPair[after], byPair[before])
}

// noteEpicOf notes down on an issue, and on the epics, that the epic of the issue is another one.
func noteEpicOf(ctx context.Context, st *db.Store, before, i Issue, by tree.User) error {
	was, now := db.OrZero(before.EpicID), db.OrZero(i.EpicID)
	if was == now {
		return nil
	}
	epics, err := EpicsByID(ctx, st, []int64{was, now})
	if err != nil {
		return err
	}
	old, left := epics[was]
	current, joined := epics[now]
	text, about := "", current
	switch {
	case left && joined:
		text = "changed epic to " + current.ReferenceFrom(i.Path)
	case joined:
		text = "added to epic " + current.ReferenceFrom(i.Path)
	case left:
		text, about = "removed from epic "+old.ReferenceFrom(i.Path), old
	default:
		return nil
	}
	if err := note.AddSystemAbout(ctx, st, i.Target(), about.Target(), by.ID, text); err != nil {
		return err
	}
	if left {
		text := "removed issue " + i.ReferenceFrom(old.Path)
		err := note.AddSystemAbout(ctx, st, old.Target(), i.Target(), by.ID, text)
		if err != nil {
			return err
		}
	}
	if !joined {
		return nil
	}
	text = "added issue " + i.ReferenceFrom(current.Path)
	return note.AddSystemAbout(ctx, st, current.Target(), i.Target(), by.ID, text)
}

package work

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/check"
	"hew/server/db"
	"hew/server/event"
	"hew/server/markdown"
	"hew/server/note"
	"hew/server/tree"
)

// IssueChanged is emitted after an issue was created or changed, in the transaction that does it.
type IssueChanged struct {
	Project       tree.Project
	Before, Issue Issue // Before is zero for a new issue
	Action        Action
	By            tree.User
}

// IssueDeleted is emitted before an issue is deleted.
type IssueDeleted struct {
	Project tree.Project
	Issue   Issue
	By      tree.User
}

// CreateIssue stores the issue that fill sets up in a project. Fill sets the ids of assignees and
// labels; those who cannot read the issue are not assigned. An issue without a number gets the
// next one.
func CreateIssue(
	ctx context.Context, st *db.Store, p tree.Project, by tree.User, fill db.Edit[Issue],
) (i Issue, err error) {
	i = Issue{
		ProjectID: p.ID, AuthorID: &by.ID, State: Opened, Type: "issue", Severity: "unknown",
		CreatedAt: time.Now().Truncate(time.Millisecond),
	}
	err = st.Tx(ctx, func(st *db.Store) error {
		if err := fill(st, &i); err != nil {
			return err
		}
		if err := normalizeIssue(ctx, st, Issue{}, &i); err != nil {
			return err
		}
		if err := numberIssue(ctx, st, &i); err != nil {
			return err
		}
		if i.ID, err = st.Insert(ctx, "issues", i); err != nil {
			return err
		}
		if i, err = storeIssueParts(ctx, st, Issue{}, i); err != nil {
			return err
		}
		if err := noteIssue(ctx, st, Issue{}, i, by); err != nil {
			return err
		}
		return event.Emit(ctx, st, IssueChanged{Project: p, Issue: i, Action: Opening, By: by})
	})
	return i, err
}

// numberIssue gives a new issue its number and its place in lists that are ordered by hand: the
// last one. Issues of a project that are created at the same time wait for each other.
func numberIssue(ctx context.Context, st *db.Store, i *Issue) (err error) {
	c := i.Target().Container
	if i.IID == 0 {
		i.IID, err = st.NextIID(ctx, c, "issue")
	} else {
		err = st.ReserveIID(ctx, c, "issue", i.IID)
	}
	if err == nil {
		err = issuePositions(i.ProjectID).lock(ctx, st)
	}
	if err != nil {
		return err
	}
	last, err := issuePositions(i.ProjectID).last(ctx, st)
	i.RelativePosition = &last
	return err
}

// ChangeIssue edits an issue of a project and returns it. The edit sets the ids of assignees and
// labels too. What it changed is noted down on the issue.
func ChangeIssue(
	ctx context.Context, st *db.Store, p tree.Project, by tree.User, which db.Condition, edit db.Edit[Issue],
) (i Issue, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		var before Issue
		i, err = Issues(st, p.ID).Change(ctx, which, func(st *db.Store, i *Issue) error {
			before = i.clone()
			if err := edit(st, i); err != nil {
				return err
			}
			if err := normalizeIssue(ctx, st, before, i); err != nil {
				return err
			}
			i.stampChange(before, by)
			_, err := storeIssueParts(ctx, st, before, *i)
			return err
		})
		if err != nil {
			return err
		}
		if err := noteIssue(ctx, st, before, i, by); err != nil {
			return err
		}
		return event.Emit(ctx, st, IssueChanged{
			Project: p, Before: before, Issue: i, Action: actionOf(before.State, i.State), By: by,
		})
	})
	return i, err
}

// StampUpdated sets when an issue or epic was last changed, in place of now.
func StampUpdated(ctx context.Context, st *db.Store, on note.Target, at time.Time) error {
	table := map[note.Kind]string{note.Issue: "issues", note.Epic: "epics"}[on.Kind]
	return st.Exec(ctx, `update `+table+` set updated_at = @at where id = @id`, pgx.NamedArgs{"at": at, "id": on.ID})
}

// clone returns a copy that shares nothing with the issue.
func (i Issue) clone() Issue {
	i.AssigneeIDs = append([]int64(nil), i.AssigneeIDs...)
	i.LabelIDs = append([]int64(nil), i.LabelIDs...)
	return i
}

// stampChange sets what follows from a change of the state or the text.
func (i *Issue) stampChange(before Issue, by tree.User) {
	stampState(before.State, i.State, &i.ClosedAt, &i.ClosedByID, by)
	edited := i.Title != before.Title || db.OrZero(i.Description) != db.OrZero(before.Description)
	stampText(edited, &i.LastEditedAt, &i.LastEditedByID, by)
}

// normalizeIssue checks the fields of an issue and sets what follows from them.
func normalizeIssue(ctx context.Context, st *db.Store, before Issue, i *Issue) error {
	var wrong check.Problems
	i.TaskCount, i.TasksDone = CheckTexts(&i.Title, db.OrZero(i.Description), &wrong)
	if i.Weight != nil && *i.Weight < 0 {
		wrong.On("weight", "must be greater than or equal to 0")
	}
	if err := wrong.Err(); err != nil {
		return err
	}
	if err := CheckMilestoneOf(ctx, st, i.Target().Container, &i.MilestoneID); err != nil {
		return err
	}
	return placeInEpic(ctx, st, before, i)
}

// maxDescription is how long a description may be, in characters.
const maxDescription = 1048576

// CheckTexts trims the title of an issue or merge request, adds what is wrong with it and with the
// description, and returns how many tasks the description has and how many are done.
func CheckTexts(title *string, description string, wrong *check.Problems) (tasks, done int) {
	*title = strings.TrimSpace(*title)
	if *title == "" {
		wrong.On("title", check.Blank)
	}
	wrong.Fits("title", *title, 255)
	wrong.Fits("description", description, maxDescription)
	for _, t := range markdown.Tasks(description) {
		tasks++
		if t.Done {
			done++
		}
	}
	return tasks, done
}

// CheckMilestoneOf drops the id of a milestone that does not apply to a group or project.
func CheckMilestoneOf(ctx context.Context, st *db.Store, c db.Container, id **int64) error {
	if *id == nil {
		return nil
	}
	list, err := MilestonesNamed(ctx, st, c, nil, []int64{**id})
	if len(list) == 0 {
		*id = nil
	}
	return err
}

// storeIssueParts writes the assignees and labels of an issue where they differ, and who is
// mentioned in it, and returns the issue as it is then.
func storeIssueParts(ctx context.Context, st *db.Store, before, i Issue) (Issue, error) {
	added := Without(i.AssigneeIDs, before.AssigneeIDs)
	readers, err := IssueReaders(ctx, st, i, added, false)
	if err != nil {
		return i, err
	}
	assigned := IDSet{"issue_assignees", "issue_id", "user_id"}
	if err := assigned.Change(ctx, st, i.ID, readers, Without(before.AssigneeIDs, i.AssigneeIDs)); err != nil {
		return i, err
	}
	labelled := IDSet{"issue_labels", "issue_id", "label_id"}
	err = labelled.Change(ctx, st, i.ID, Without(i.LabelIDs, before.LabelIDs), Without(before.LabelIDs, i.LabelIDs))
	if err != nil {
		return i, err
	}
	if db.OrZero(i.Description) != db.OrZero(before.Description) {
		if err := note.StoreMentions(ctx, st, i.Target(), 0, db.OrZero(i.Description)); err != nil {
			return i, err
		}
	}
	return Issues(st, i.ProjectID).One(ctx, db.ByID(i.ID))
}

// IDSet is a table of the ids that belong to a row of another one.
type IDSet struct{ Table, Of, Column string }

// Change adds and removes ids. Adding one that is there already does nothing.
func (s IDSet) Change(ctx context.Context, st *db.Store, of int64, add, remove []int64) error {
	args := pgx.NamedArgs{"of": of, "add": add, "remove": remove}
	if len(remove) > 0 {
		err := st.Exec(ctx, `delete from `+s.Table+` where `+s.Of+` = @of and `+s.Column+` = any(@remove)`, args)
		if err != nil {
			return err
		}
	}
	if len(add) == 0 {
		return nil
	}
	return st.Exec(ctx, `insert into `+s.Table+` (`+s.Of+`, `+s.Column+`) select @of, unnest(@add::bigint[])
		on conflict do nothing`, args)
}

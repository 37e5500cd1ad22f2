package work

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/tree"
)

// MoveIssue moves an issue of a project to another project and returns the new issue. It keeps
// its author and time, its notes, reactions, links and time tracking, and what exists there too:
// labels and the milestone by name, and assignees who can read it. The old one is closed and
// refers to it. A user who may not do that in both projects gets a fault.
func MoveIssue(ctx context.Context, st *db.Store, from, to tree.Project, by tree.User, i Issue) (Issue, error) {
	if from.ID == to.ID {
		return Issue{}, fault.BadRequest("Cannot move issue to project it originates from!").In(fault.Text)
	}
	return transfer{from: from, to: to, by: by, moves: true}.run(ctx, st, i)
}

// CloneIssue makes a copy of an issue in a project, with the notes if the caller asks for them,
// and returns it. What depends on the project is kept as MoveIssue does.
func CloneIssue(
	ctx context.Context, st *db.Store, from, to tree.Project, by tree.User, i Issue, withNotes bool,
) (Issue, error) {
	return transfer{from: from, to: to, by: by, notes: withNotes}.run(ctx, st, i)
}

// transfer is how an issue gets into a project.
type transfer struct {
	from, to tree.Project
	by       tree.User
	moves    bool
	notes    bool // of a clone
	texts    *textCopy
}

// verb returns what happens to the issue: "move", with past "moved".
func (t transfer) verb() (verb, past string) {
	if t.moves {
		return "move", "moved"
	}
	return "clone", "cloned"
}

func (t transfer) run(ctx context.Context, st *db.Store, i Issue) (made Issue, err error) {
	verb, past := t.verb()
	t.texts = newTextCopy(t.from, t.to.Container(), t.to.FullPath, t.by)
	err = st.Tx(ctx, func(st *db.Store) error {
		// as the issue is now, so that it is moved once
		if i, err = t.lock(ctx, st, i.ID); err != nil {
			return err
		}
		for _, p := range []tree.Project{t.from, t.to} {
			may, err := mayEditIssues(ctx, st, p, t.by)
			if err != nil {
				return err
			}
			if !may || t.moves && i.MovedToID != nil {
				return fault.BadRequest("Cannot " + verb + " issue due to insufficient permissions!").In(fault.Text)
			}
		}
		made, err = CreateIssue(ctx, st, t.to, t.by, func(st *db.Store, n *Issue) error { return t.fill(ctx, st, i, n) })
		if err != nil {
			return err
		}
		if err := t.copyParts(ctx, st, i, made); err != nil {
			return err
		}
		if t.moves {
			_, err = ChangeIssue(ctx, st, t.from, t.by, db.ByID(i.ID), func(_ *db.Store, i *Issue) error {
				i.State, i.MovedToID = Closed, &made.ID
				if made.EpicID != nil {
					i.EpicID = nil
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		if err := noteOnBoth(ctx, st, t.by, i, made, past+" to ", past+" from "); err != nil {
			return err
		}
		made, err = Issues(st, t.to.ID).One(ctx, db.ByID(made.ID))
		return err
	})
	return made, err
}

// lock locks the issue and returns it.
func (t transfer) lock(ctx context.Context, st *db.Store, id int64) (Issue, error) {
	err := st.Exec(ctx, `select from issues where id = @id for no key update`, pgx.NamedArgs{"id": id})
	if err == nil {
		err = st.Locked(ctx)
	}
	if err != nil {
		return Issue{}, err
	}
	return Issues(st, t.from.ID).One(ctx, db.ByID(id))
}

// mayEditIssues reports whether a user may make and edit issues of a project.
func mayEditIssues(ctx context.Context, st *db.Store, p tree.Project, by tree.User) (bool, error) {
	found, err := tree.ProjectFor(ctx, st, fmt.Sprint(p.ID), by.ID)
	open := !found.Archived && !found.Pending && policy.Access(found.Settings.IssuesAccess) != policy.Disabled
	return open && (by.Admin || policy.Level(found.Level) >= policy.Planner), err
}

// fill sets the fields of the new issue.
func (t transfer) fill(ctx context.Context, st *db.Store, i Issue, n *Issue) (err error) {
	if n.Description, err = t.texts.description(ctx, st, i); err != nil {
		return err
	}
	n.Title, n.Type, n.Severity = i.Title, i.Type, i.Severity
	n.Confidential, n.DiscussionLocked = i.Confidential, i.DiscussionLocked
	n.Weight, n.HealthStatus, n.DueDate, n.TimeEstimate = i.Weight, i.HealthStatus, i.DueDate, i.TimeEstimate
	n.AssigneeIDs = i.AssigneeIDs
	at := t.to.Container()
	if n.LabelIDs, err = sameLabels(ctx, st, at, i.LabelIDs); err != nil {
		return err
	}
	if n.MilestoneID, err = sameMilestone(ctx, st, at, i.MilestoneID); err != nil {
		return err
	}
	if !t.moves {
		return nil
	}
	n.AuthorID, n.CreatedAt, n.TimeSpent = i.AuthorID, i.CreatedAt, i.TimeSpent
	n.State, n.ClosedAt, n.ClosedByID = i.State, i.ClosedAt, i.ClosedByID
	n.LastEditedAt, n.LastEditedByID = i.LastEditedAt, i.LastEditedByID
	// an epic or an iteration stays if it is of a group above
	kept, err := db.One[struct {
		EpicID      *int64 `db:"epic_id"`
		IterationID *int64 `db:"iteration_id"`
	}](ctx, st, "", `
		select (select e.id from epics e where e.id = @epic and e.namespace_id = any(n.traversal_ids)) as epic_id,
		       (select i.id from iterations i where i.id = @iteration and i.namespace_id = any(n.traversal_ids))
		           as iteration_id
		from namespaces n where n.id = @namespace`,
		pgx.NamedArgs{"epic": i.EpicID, "iteration": i.IterationID, "namespace": t.to.NamespaceID})
	n.EpicID, n.IterationID = kept.EpicID, kept.IterationID
	return err
}

// sameLabels returns the labels of a group or project, or above it, with the names of labels.
func sameLabels(ctx context.Context, st *db.Store, at db.Container, ids []int64) (same []int64, err error) {
	labels, err := LabelsByID(ctx, st, ids)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, l := range labels {
		names = append(names, l.Name)
	}
	byName, err := labelsNamed(ctx, st, at, names)
	for _, id := range byName {
		same = append(same, id)
	}
	return same, err
}

// sameMilestone returns the milestone of a project, or above it, with the title of a milestone;
// nil if there is none.
func sameMilestone(ctx context.Context, st *db.Store, at db.Container, id *int64) (*int64, error) {
	if id == nil {
		return nil, nil
	}
	byID, err := MilestonesByID(ctx, st, []int64{*id})
	if err != nil {
		return nil, err
	}
	list, err := MilestonesNamed(ctx, st, at, []string{byID[*id].Title}, nil)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0].ID, nil
}

// copyParts gives the new issue what belongs to the old one.
func (t transfer) copyParts(ctx context.Context, st *db.Store, i, made Issue) error {
	if t.moves || t.notes {
		if err := t.texts.notes(ctx, st, i, made.Target()); err != nil {
			return err
		}
	}
	if !t.moves {
		return nil
	}
	args := pgx.NamedArgs{"from": i.ID, "to": made.ID, "above": t.to.NamespaceIDs}
	for _, sql := range []string{
		`update issue_links set source_id = @to where source_id = @from`,
		`update issue_links set target_id = @to where target_id = @from`,
		`insert into subscriptions (issue_id, user_id, subscribed)
			select @to, user_id, subscribed from subscriptions where issue_id = @from on conflict do nothing`,
		`insert into timelogs (issue_id, user_id, seconds, summary, spent_at, created_at)
			select @to, user_id, seconds, summary, spent_at, created_at from timelogs where issue_id = @from order by id`,
		`delete from resource_events where issue_id = @to`, // what the copy seems to have got by the user
		`insert into resource_events
			(issue_id, user_id, field, action, label_id, milestone_id, iteration_id, weight, commit_oid, created_at)
			select @to, e.user_id, e.field, e.action, l.id, m.id, i.id, e.weight, null, e.created_at
			from resource_events e left join labels l on l.id = e.label_id and l.namespace_id = any(@above)
			    left join milestones m on m.id = e.milestone_id and m.namespace_id = any(@above)
			    left join iterations i on i.id = e.iteration_id and i.namespace_id = any(@above)
			where e.issue_id = @from order by e.id`, // of what only the old project has, the name stays there
	} {
		if err := st.Exec(ctx, sql, args); err != nil {
			return err
		}
	}
	return nil
}

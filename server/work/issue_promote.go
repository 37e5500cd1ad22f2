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

// PromoteIssue makes an issue of a project an epic of the project's group and returns the epic.
// It has the text, the labels of the group, the notes, the reactions and the followers of the
// issue, which is closed. The user has to be one who may make epics in the group.
func PromoteIssue(ctx context.Context, st *db.Store, p tree.Project, by tree.User, i Issue) (e Epic, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if i, err = (transfer{from: p}).lock(ctx, st, i.ID); err != nil {
			return err
		}
		g, err := mayPromote(ctx, st, p, by, i)
		if err != nil {
			return err
		}
		texts := newTextCopy(p, g.Container(), g.FullPath, by)
		e, err = CreateEpic(ctx, st, g, by, func(st *db.Store, e *Epic) (err error) {
			e.Title, e.Confidential = i.Title, i.Confidential
			if e.Description, err = texts.description(ctx, st, i); err != nil {
				return err
			}
			e.LabelIDs, err = sameLabels(ctx, st, g.Container(), i.LabelIDs)
			return err
		})
		if err != nil {
			return err
		}
		if err := texts.notes(ctx, st, i, e.Target()); err != nil {
			return err
		}
		if err := followAsBefore(ctx, st, i, e); err != nil {
			return err
		}
		_, err = ChangeIssue(ctx, st, p, by, db.ByID(i.ID), func(_ *db.Store, i *Issue) error {
			i.State, i.PromotedToID = Closed, &e.ID
			return nil
		})
		if err != nil {
			return err
		}
		return noteOnBoth(ctx, st, by, i, e, "promoted to epic ", "promoted from issue ")
	})
	return e, err
}

// mayPromote returns the group of the project of an issue, or why the issue is not promoted to
// it.
func mayPromote(ctx context.Context, st *db.Store, p tree.Project, by tree.User, i Issue) (tree.Group, error) {
	switch {
	case p.NamespaceKind != "group":
		return tree.Group{}, fault.BadRequest("Cannot promote issue because it does not belong to a group.").
			In(fault.Text)
	case i.PromotedToID != nil:
		return tree.Group{}, fault.BadRequest("Issue already promoted to epic.").In(fault.Text)
	case i.Type != "issue":
		return tree.Group{}, fault.BadRequest("Promotion is not supported.").In(fault.Text)
	}
	g, err := tree.GroupFor(ctx, st, fmt.Sprint(p.NamespaceID), by.ID)
	if err != nil {
		return g.Group, err
	}
	may, err := mayEditIssues(ctx, st, p, by)
	if err == nil && (!may || g.Pending || !by.Admin && policy.Level(g.Level) < policy.Planner) {
		err = fault.BadRequest("Cannot promote issue due to insufficient permissions.").In(fault.Text)
	}
	return g.Group, err
}

// followAsBefore has those who hear of an issue hear of the epic that it becomes.
func followAsBefore(ctx context.Context, st *db.Store, i Issue, e Epic) error {
	users, err := Subscribers(ctx, st, i.Target())
	if err != nil {
		return err
	}
	if users, err = EpicReaders(ctx, st, e, users, false); err != nil {
		return err
	}
	return st.Exec(ctx, `
		insert into subscriptions (epic_id, user_id, subscribed) select @epic, unnest(@users::bigint[]), true
		on conflict do nothing`, pgx.NamedArgs{"epic": e.ID, "users": users})
}

package group

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"hew/server/check"
	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/policy"
	"hew/server/tree"
)

// TransferGroup moves a group below another one, or to the top level (nil). If nobody owns the
// group in its new place the user who moved it becomes an owner.
func TransferGroup(ctx context.Context, st *db.Store, id int64, to *int64, by tree.User) (g tree.Group, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		was, err := tree.HoldTree(ctx, st, id)
		if err != nil {
			return err
		}
		parent, err := findParent(ctx, st, to)
		if err != nil {
			return err
		}
		if text := unmovable(was, parent); text != "" {
			return untransferred(text)
		}
		g = was
		g.ParentID = to
		if g, err = MoveGroup(ctx, st, g); err != nil {
			return whyUntransferred(err)
		}
		if err := event.Emit(ctx, st, Moved{was, g}); err != nil {
			return err
		}
		if err := event.Emit(ctx, st, AccessLost{Source: tree.InGroup(g)}); err != nil {
			return err
		}
		added, err := ensureOwner(ctx, st, g, by.ID)
		if err != nil || !added {
			return err
		}
		return emitMembersChanged(ctx, st, MemberAdded, MemberOf(g, by, int(policy.Owner)))
	})
	return g, err
}

// MoveGroup moves a group to the ParentID, Path and Name of the row, with all that is below it and
// with redirects from the old paths. It returns the stored row.
func MoveGroup(ctx context.Context, s *db.Store, g tree.Group) (tree.Group, error) {
	err := s.Tx(ctx, func(s *db.Store) error {
		was, err := tree.HoldTree(ctx, s, g.ID)
		if err != nil {
			return err
		}
		parent, err := tree.Parent(ctx, s, g.ParentID)
		if err != nil {
			return err
		}
		if parent != nil && slices.Contains(parent.TraversalIDs, g.ID) {
			return fault.Invalid("parent_id", "cannot be the group itself or one of its subgroups")
		}
		height, err := tree.Height(ctx, s, was)
		if err != nil {
			return err
		}
		if err := tree.TooDeep(parent, height); err != nil {
			return err
		}
		if err := tree.Relocate(ctx, s, was, parent, g.Path, g.Name); err != nil {
			return err
		}
		g, err = tree.FindGroup(ctx, s, g.ID)
		return err
	})
	return g, err
}

// ensureOwner makes a user an owner of a group that has none, direct or inherited, and reports
// whether it did.
func ensureOwner(ctx context.Context, s *db.Store, g tree.Group, userID int64) (made bool, err error) {
	n, err := CountOwners(ctx, s, g)
	if err != nil || n > 0 {
		return false, err
	}
	return true, s.Exec(ctx, `
		insert into members (user_id, namespace_id, access_level, created_by_id) values (@user, @group, @owner, @user)
		on conflict (namespace_id, user_id) do update
		set access_level = @owner, expires_at = null, membership_state = 'active'`,
		pgx.NamedArgs{"user": userID, "group": g.ID, "owner": db.Owner})
}

// unmovable returns why a group cannot move below parent (nil: to the top level), or "".
func unmovable(g tree.Group, parent *tree.Group) string {
	switch {
	case parent == nil && g.ParentID == nil:
		return "Group is already a root group."
	case parent == nil:
	case g.ParentID != nil && *g.ParentID == parent.ID:
		return "Group is already associated to the parent group."
	case slices.Contains(parent.TraversalIDs, g.ID):
		return "Cannot transfer group to one of its subgroup."
	case g.Visibility > parent.Visibility:
		return "Visibility level " + g.Visibility.String() +
			" is not allowed since the parent group has a " + parent.Visibility.String() + " visibility."
	}
	if wrong := check.Path(g.Path, reservedIn(parent)); wrong != nil {
		return "Path " + wrong[0] + "."
	}
	return ""
}

func untransferred(text string) *fault.Error {
	return fault.BadRequest("Transfer failed: " + text).In(fault.Text)
}

// whyUntransferred turns a fault about fields into the sentence of a failed transfer.
func whyUntransferred(err error) error {
	f, ok := fault.From(err)
	if !ok || f.Fields == nil {
		return err
	}
	if f.Fields["path"] != nil {
		return untransferred("The parent group already has a subgroup or a project with the same path.").Because(err)
	}
	var texts []string
	for _, field := range slices.Sorted(maps.Keys(f.Fields)) {
		texts = append(texts, strings.ToUpper(field[:1])+field[1:]+" "+strings.Join(f.Fields[field], ", "))
	}
	return untransferred(strings.Join(texts, ". ") + ".").Because(err)
}

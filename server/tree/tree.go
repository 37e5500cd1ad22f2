package tree

import (
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
)

// The tree of namespaces changes in two ways. Something is added, and its parent must not move
// before the commit. Or something moves with everything below it, including what is being added at
// the moment. Therefore the tree has one lock: additions share it, moves hold it alone. It is taken
// before any row is locked, otherwise two transactions could wait for each other.
const treeLock = 0x74726565

const (
	settle    = `select pg_advisory_xact_lock_shared(@lock)` // keeps the tree from moving until the commit
	rearrange = `select pg_advisory_xact_lock(@lock)`        // keeps everybody else from changing it
)

// lockTree takes the lock of the tree.
func lockTree(ctx context.Context, s *db.Store, how string) error {
	return s.Exec(ctx, how, pgx.NamedArgs{"lock": treeLock})
}

// under takes the lock of the tree and then reads the row with that id, in one round trip. These
// are two statements, so that the second sees what was committed while the first waited.
func under[T any](ctx context.Context, s *db.Store, how, what, sql string, id int64) (row T, err error) {
	batch := &pgx.Batch{}
	batch.Queue(how, pgx.NamedArgs{"lock": treeLock})
	batch.Queue(sql, pgx.NamedArgs{"id": id}).Query(func(rows pgx.Rows) (err error) {
		row, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[T])
		return err
	})
	err = s.SendBatch(ctx, sql, batch)
	if errors.Is(err, pgx.ErrNoRows) {
		return row, fault.NotFound(what)
	}
	if err == nil {
		err = s.Locked(ctx)
	}
	return row, err
}

// maxDepth is the number of levels that groups can be nested.
const maxDepth = 20

// Place returns the namespace to add something to. Until the commit it can neither move nor change
// its visibility.
func Place(ctx context.Context, s *db.Store, id int64) (Group, error) {
	return under[Group](ctx, s, settle, "Namespace", `select n.* from namespaces n where n.id = @id`, id)
}

// Parent is Place for what may also be at the top level: it returns nil for the id nil.
func Parent(ctx context.Context, s *db.Store, id *int64) (*Group, error) {
	if id == nil {
		return nil, lockTree(ctx, s, settle)
	}
	g, err := Place(ctx, s, *id)
	return &g, err
}

const holdGroup = `select n.* from namespaces n where n.id = @id and n.kind = 'group' for no key update`

// HoldGroup returns the group with that id and locks it until the commit.
func HoldGroup(ctx context.Context, s *db.Store, id int64) (Group, error) {
	return under[Group](ctx, s, settle, "Group", holdGroup, id)
}

// HoldTree is HoldGroup for a change that affects everything below: a move, or another visibility.
// Until the commit nothing can be added there. In a transaction it must come before HoldGroup.
func HoldTree(ctx context.Context, s *db.Store, id int64) (Group, error) {
	return under[Group](ctx, s, rearrange, "Group", holdGroup, id)
}

// Child returns a group directly below this one, with the paths and ancestors that follow.
func (g Group) Child(id int64, path, name string) Group {
	return Group{
		FullPath: g.FullPath + "/" + path, FullName: g.FullName + " / " + name,
		TraversalIDs: append(slices.Clone(g.TraversalIDs), id),
	}
}

// Contents are the highest visibilities of subgroups and projects directly in a group. Nothing is
// more visible than what contains it, so they hold for everything below.
type Contents struct {
	Groups   *db.Visibility `db:"groups"` // the highest; nil: there are none
	Projects *db.Visibility `db:"projects"`
}

// FindContents returns the highest visibilities in a group.
func FindContents(ctx context.Context, s *db.Store, id int64) (Contents, error) {
	return db.One[Contents](ctx, s, "Group", `
		select (select max(visibility) from namespaces where parent_id = @id)   as groups,
		       (select max(visibility) from projects   where namespace_id = @id) as projects`, pgx.NamedArgs{"id": id})
}

// Height returns the number of levels from this group down, itself included.
func Height(ctx context.Context, s *db.Store, g Group) (int, error) {
	return db.Value[int](ctx, s, `
		select max(cardinality(traversal_ids)) - @above::int from namespaces where traversal_ids @> array[@id::bigint]`,
		pgx.NamedArgs{"id": g.ID, "above": len(g.TraversalIDs) - 1})
}

// TooDeep returns a fault if a tree of that height does not fit below the parent.
func TooDeep(parent *Group, height int) error {
	if parent != nil && len(parent.TraversalIDs)+height > maxDepth {
		return fault.Invalid("parent_id", "has too deep level of nesting")
	}
	return nil
}

// RemoveGroup deletes a group and everything below it permanently.
func RemoveGroup(ctx context.Context, s *db.Store, id int64) error {
	return s.Tx(ctx, func(s *db.Store) error {
		if err := lockTree(ctx, s, settle); err != nil {
			return err
		}
		n, err := s.Affected(ctx, `delete from namespaces where id = @id and kind = 'group'`, pgx.NamedArgs{"id": id})
		if err == nil && n == 0 {
			return fault.NotFound("Group")
		}
		return err
	})
}

// Deletion is when a group or project was marked for deletion, and by whom. It is deleted some days
// later.
type Deletion struct {
	MarkedForDeletionOn *db.Date `db:"marked_for_deletion_on"` // nil: it stays
	DeletingUserID      *int64   `db:"deleting_user_id"`       // who marked it
}

// DueGroups returns the ids of groups that were marked for deletion on or before that day, without
// those below another one of them.
func DueGroups(ctx context.Context, s *db.Store, day db.Date) ([]int64, error) {
	return db.Value[[]int64](ctx, s, `
		select coalesce(array_agg(n.id), '{}') from namespaces n
		where n.marked_for_deletion_on <= @day and not exists (
		    select from namespaces a
		    where a.id = any(n.traversal_ids) and a.id <> n.id and a.marked_for_deletion_on <= @day)`,
		pgx.NamedArgs{"day": day})
}

// DueProjects returns the ids of projects that were marked for deletion on or before that day,
// without those in a group that is due.
func DueProjects(ctx context.Context, s *db.Store, day db.Date) ([]int64, error) {
	return db.Value[[]int64](ctx, s, `
		select coalesce(array_agg(p.id), '{}') from projects p join namespaces n on n.id = p.namespace_id
		where p.marked_for_deletion_on <= @day and not exists (
		    select from namespaces a where a.id = any(n.traversal_ids) and a.marked_for_deletion_on <= @day)`,
		pgx.NamedArgs{"day": day})
}

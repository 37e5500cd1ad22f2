package tree

import (
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/fault"
)

// The tree of namespaces changes in two ways. Something is added, and its place has to stay where
// it is until that is committed; or something moves, and takes along all that is below it, also
// what is being added right now. So there is one lock: those who add share it, those who move have
// it alone. It is taken before any row is locked, or two of them would wait for each other.
const treeLock = 0x74726565

const (
	settle    = `select pg_advisory_xact_lock_shared(@lock)` // keeps the tree from moving until the commit
	rearrange = `select pg_advisory_xact_lock(@lock)`        // keeps everybody else from changing it
)

// lockTree takes the lock of the tree.
func lockTree(ctx context.Context, s *db.Store, how string) error {
	return s.Exec(ctx, how, pgx.NamedArgs{"lock": treeLock})
}

// under takes the lock of the tree and then reads the row with that id, in one round trip. They are
// two statements all the same: what the second one sees is what there is when the first one is
// through.
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

// maxDepth is how many groups may stand on top of each other.
const maxDepth = 20

// Place reads a namespace that something is about to be put into, and keeps it where it is, and as
// visible as it is, until the commit.
func Place(ctx context.Context, s *db.Store, id int64) (Group, error) {
	return under[Group](ctx, s, settle, "Namespace", `select n.* from namespaces n where n.id = @id`, id)
}

// Parent is Place for what may stand at the top: the id nil is no namespace.
func Parent(ctx context.Context, s *db.Store, id *int64) (*Group, error) {
	if id == nil {
		return nil, lockTree(ctx, s, settle)
	}
	g, err := Place(ctx, s, *id)
	return &g, err
}

const holdGroup = `select n.* from namespaces n where n.id = @id and n.kind = 'group' for no key update`

// HoldGroup reads a group that is about to be changed, and lets nobody else change it before the
// commit.
func HoldGroup(ctx context.Context, s *db.Store, id int64) (Group, error) {
	return under[Group](ctx, s, settle, "Group", holdGroup, id)
}

// HoldTree is HoldGroup for a change that all below depends on: of place, or of visibility. Nothing
// can be put there before the commit. Of the two it has to be the first in a transaction.
func HoldTree(ctx context.Context, s *db.Store, id int64) (Group, error) {
	return under[Group](ctx, s, rearrange, "Group", holdGroup, id)
}

// Child is where something directly below the group is found.
func (g Group) Child(id int64, path, name string) Group {
	return Group{
		FullPath: g.FullPath + "/" + path, FullName: g.FullName + " / " + name,
		TraversalIDs: append(slices.Clone(g.TraversalIDs), id),
	}
}

// Contents is how visible the things directly in a group are. As nothing is more visible than what
// it is in, that holds for everything below them too.
type Contents struct {
	Groups   *db.Visibility `db:"groups"` // the highest; nil: there are none
	Projects *db.Visibility `db:"projects"`
}

// FindContents looks into a group.
func FindContents(ctx context.Context, s *db.Store, id int64) (Contents, error) {
	return db.One[Contents](ctx, s, "Group", `
		select (select max(visibility) from namespaces where parent_id = @id)   as groups,
		       (select max(visibility) from projects   where namespace_id = @id) as projects`, pgx.NamedArgs{"id": id})
}

// Height is how many groups stand on top of each other from this one down, itself included.
func Height(ctx context.Context, s *db.Store, g Group) (int, error) {
	return db.Value[int](ctx, s, `
		select max(cardinality(traversal_ids)) - @above::int from namespaces where traversal_ids @> array[@id::bigint]`,
		pgx.NamedArgs{"id": g.ID, "above": len(g.TraversalIDs) - 1})
}

// TooDeep refuses a parent under which a tree of that height would go deeper than groups may.
func TooDeep(parent *Group, height int) error {
	if parent != nil && len(parent.TraversalIDs)+height > maxDepth {
		return fault.Invalid("parent_id", "has too deep level of nesting")
	}
	return nil
}

// RemoveGroup removes a group with all that is below it, for good.
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

// Deletion is what a group or project knows of its end. It is removed some days after it was
// marked.
type Deletion struct {
	MarkedForDeletionOn *db.Date `db:"marked_for_deletion_on"` // nil: it stays
	DeletingUserID      *int64   `db:"deleting_user_id"`       // who marked it
}

// DueGroups lists the groups that were marked for deletion on or before that day: none below one
// that is listed itself, as it goes with it.
func DueGroups(ctx context.Context, s *db.Store, day db.Date) ([]int64, error) {
	return db.Value[[]int64](ctx, s, `
		select coalesce(array_agg(n.id), '{}') from namespaces n
		where n.marked_for_deletion_on <= @day and not exists (
		    select from namespaces a
		    where a.id = any(n.traversal_ids) and a.id <> n.id and a.marked_for_deletion_on <= @day)`,
		pgx.NamedArgs{"day": day})
}

// DueProjects lists the projects that were marked for deletion on or before that day: none in a
// group that is due.
func DueProjects(ctx context.Context, s *db.Store, day db.Date) ([]int64, error) {
	return db.Value[[]int64](ctx, s, `
		select coalesce(array_agg(p.id), '{}') from projects p join namespaces n on n.id = p.namespace_id
		where p.marked_for_deletion_on <= @day and not exists (
		    select from namespaces a where a.id = any(n.traversal_ids) and a.marked_for_deletion_on <= @day)`,
		pgx.NamedArgs{"day": day})
}

package group

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// Related is what a group is shown together with.
type Related struct {
	Shares   []Share        // with groups that are invited into it
	Projects []tree.Project // directly in it, by id, at most 100
	Shared   []tree.Project // that it is invited into, likewise
}

// FindRelated reads what a group is shown with in at most one round trip. It has the projects that
// are at least as visible as open or have the viewer as a member, and none if open is nil.
func FindRelated(
	ctx context.Context, s *db.Store, g tree.FoundGroup, v tree.Viewer, open *db.Visibility,
) (c Related, err error) {
	batch := &pgx.Batch{}
	if g.Host {
		queue(batch, groupShares, pgx.NamedArgs{"group": g.ID, "viewer": v.UserID, "all": v.All}, &c.Shares)
	}
	projects := func(level db.Visibility, in string, list *[]tree.Project) {
		w := db.NewWhere(pgx.NamedArgs{"user": v.UserID, "group": g.ID})
		w.AndIf(level > db.Private, `p.visibility >= @open or `+tree.Holds(db.Guest), level)
		w.And(in)
		queue(batch, tree.SelectProjects+w.String()+` order by p.id limit 100`, w.Args, list)
	}
	if open != nil && g.Filled {
		level := *open
		if g.Level >= db.Guest {
			level = db.Private // a member of them all, which needs no query to say so
		}
		projects(level, `p.namespace_id = @group`, &c.Projects)
	}
	if open != nil && g.Guest {
		projects(*open, `p.id = any(array(select s.project_id from shares s where s.group_id = @group
			and `+tree.LastingShare+`))`, &c.Shared)
	}
	if batch.Len() == 0 {
		return c, nil
	}
	return c, s.SendBatch(ctx, "select from shares", batch)
}

// queue adds a query to a batch; its rows go to the list.
func queue[T any](batch *pgx.Batch, sql string, args pgx.NamedArgs, list *[]T) {
	batch.Queue(sql, args).Query(func(rows pgx.Rows) (err error) {
		*list, err = pgx.CollectRows(rows, pgx.RowToStructByName[T])
		return err
	})
}

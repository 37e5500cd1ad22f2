package store

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Company is what a group is shown with.
type Company struct {
	Shares   []Share   // with whom it is shared
	Projects []Project // directly in it, by id, at most 100
	Shared   []Project // that it is invited into, likewise
}

// Company reads what a group is shown with in one round trip, or none. Of the projects the viewer sees those that are at
// least as visible as open, and those that he is a member of; without an open there are none.
func (s *Store) Company(ctx context.Context, g FoundGroup, v Viewer, open *Visibility) (c Company, err error) {
	batch := &pgx.Batch{}
	if g.Host {
		queue(batch, groupShares, pgx.NamedArgs{"group": g.ID, "viewer": v.UserID, "all": v.All}, &c.Shares)
	}
	projects := func(level Visibility, in string, list *[]Project) {
		w := among(pgx.NamedArgs{"user": v.UserID, "group": g.ID})
		w.and(level > Private, `p.visibility >= @open or `+holds(guest), level)
		w.and(true, in)
		queue(batch, selectProjects+w.String()+` order by p.id limit 100`, w.args, list)
	}
	if open != nil && g.Filled {
		level := *open
		if g.Level >= guest {
			level = Private // a member of them all, which needs no query to say so
		}
		projects(level, `p.namespace_id = @group`, &c.Projects)
	}
	if open != nil && g.Guest {
		projects(*open, `p.id = any(array(select s.project_id from shares s where s.group_id = @group and `+lastingShare+`))`, &c.Shared)
	}
	if batch.Len() == 0 {
		return c, nil
	}
	return c, failed("select from shares", s.db.SendBatch(ctx, batch).Close())
}

// queue adds a query to a batch; its rows go to the list.
func queue[T any](batch *pgx.Batch, sql string, args pgx.NamedArgs, list *[]T) {
	batch.Queue(sql, args).Query(func(rows pgx.Rows) (err error) {
		*list, err = pgx.CollectRows(rows, pgx.RowToStructByName[T])
		return err
	})
}

package todo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// sweepInterval is how often to-dos are compared with what their users see; and how long a user who
// does not see a target has to have lost it until the to-do is deleted (more §1).
const sweepInterval = time.Hour

// SweepJob deletes the to-dos of all users who can no longer read their targets. Access ends in so
// many ways, some without an act, that looking at all is surer than listening to each.
type SweepJob struct{}

// Kind names the job in the queue.
func (SweepJob) Kind() string { return "sweep_todos" }

// sweepUsers is how many users are read at once.
const sweepUsers = 100

// sweep goes on after a user whose to-dos it cannot sweep. Those after it would keep theirs for as
// long as that lasts.
func sweep(ctx context.Context, st *db.Store, _ SweepJob) error {
	last, failed := int64(0), []error(nil)
	for {
		users, err := db.Many[tree.User](ctx, st, tree.SelectUsers+`
			where u.id > @last and exists (select from todos d where d.user_id = u.id) order by u.id limit @most`,
			pgx.NamedArgs{"last": last, "most": sweepUsers})
		if err != nil || len(users) == 0 {
			return errors.Join(append(failed, err)...)
		}
		for _, u := range users {
			if err := sweepUser(ctx, st, u); err != nil {
				failed = append(failed, fmt.Errorf("sweep the to-dos of user %d: %w", u.ID, err))
			}
			last = u.ID
		}
	}
}

// sweepUser notes which targets a user sees no longer, or sees again, and deletes the to-dos of
// those that were lost for long enough.
func sweepUser(ctx context.Context, st *db.Store, u tree.User) error {
	v := viewerOf(u)
	args := v.Args()
	args["interval"] = sweepInterval
	seen := `with seen as (
		select d.id, d.lost_at, (` + visibleTo(v) + `) is true as visible` + tables + ` where d.user_id = @user)`
	err := st.Exec(ctx, seen+`
		delete from todos d using seen s where s.id = d.id and not s.visible and s.lost_at < now() - @interval::interval`,
		args)
	if err != nil {
		return err
	}
	return st.Exec(ctx, seen+`
		update todos d set lost_at = case when not s.visible then now() end from seen s
		where s.id = d.id and s.visible = (s.lost_at is not null)`, args)
}

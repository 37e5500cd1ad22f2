package todo_test

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/group"
	"hew/server/todo"
)

// A user whose to-dos cannot be swept does not keep those of others from it.
func TestSweepGoesOn(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	in := group.Member{ProjectID: &d.project.ID, AccessLevel: 30}
	first, second := d.member("first", in), d.member("second", in)
	i := d.issue(d.root, "cc @first @second")
	lost := func(user int64) int {
		n, err := db.Value[int](t.Context(), d.World.Store,
			`select count(*) from todos where user_id = @user and issue_id = @issue and lost_at is not null`,
			pgx.NamedArgs{"user": user, "issue": i.ID})
		require.NoError(t, err)
		return n
	}
	d.exec(`update projects set visibility = 0`)
	d.exec(`delete from members where access_level = 30`)
	d.exec(`create function refuse() returns trigger language plpgsql as $$ begin raise 'not now'; end $$`)
	d.exec(fmt.Sprintf(`create trigger refuse before update on todos for each row when (old.user_id = %d)
		execute function refuse()`, first.ID))
	defer d.exec(`drop function refuse cascade`) // other tests get the database
	require.ErrorContains(t, todo.Sweep(t.Context(), d.World.Store), "not now")
	require.Equal(t, []int{0, 1}, []int{lost(first.ID), lost(second.ID)})
}

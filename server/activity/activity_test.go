package activity_test

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/activity"
	"hew/server/db"
	"hew/server/event"
	"hew/server/note"
	"hew/server/servertest"
	"hew/server/tree"
	"hew/server/work"
)

// shown is an event as a list shows it.
type shown struct {
	Action string `json:"action_name"`
	Title  string `json:"target_title"`
	Note   *struct{ Body string }
	Push   *activity.Push `json:"push_data"`
}

func list(t *testing.T, s *servertest.Server, token, path string) (events []shown) {
	t.Helper()
	r := s.Do(t, token, "GET", path, nil)
	require.Equal(t, 200, r.Status)
	r.Into(t, &events)
	return events
}

func exec(t *testing.T, s *servertest.Server, sql string, args pgx.NamedArgs) {
	t.Helper()
	require.NoError(t, s.Store.Exec(t.Context(), sql, args))
}

// newSite makes a public project of root in which guest, planner and developer have their roles.
func newSite(t *testing.T, s *servertest.Server) (p tree.Project, users map[string]servertest.Persona) {
	var made struct{ ID int64 }
	s.Do(t, s.RootToken, "POST", "/projects", map[string]any{"name": "Site", "visibility": "public"}).Into(t, &made)
	users = map[string]servertest.Persona{"stranger": s.User(t, "stranger")}
	for name, level := range map[string]int{"guest": 10, "planner": 15, "developer": 30} {
		users[name] = s.User(t, name)
		r := s.Do(t, s.RootToken, "POST", fmt.Sprintf("/projects/%d/members", made.ID),
			map[string]any{"user_id": users[name].ID, "access_level": level})
		require.Equal(t, 201, r.Status)
	}
	p, err := tree.FindProject(t.Context(), s.Store, made.ID)
	require.NoError(t, err)
	return p, users
}

// Notes are shown to those who can read them: internal ones, and those on confidential issues, to
// planners; a confidential issue to its author, too.
func TestNotesAreForReaders(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	p, users := newSite(t, s)
	guest, err := tree.FindUser(t.Context(), s.Store, users["guest"].ID)
	require.NoError(t, err)
	for _, confidential := range []bool{false, true} {
		i, err := work.CreateIssue(t.Context(), s.Store, p, guest, func(_ *db.Store, i *work.Issue) error {
			i.Title, i.Confidential = fmt.Sprint("confidential: ", confidential), confidential
			return nil
		})
		require.NoError(t, err)
		for _, internal := range []bool{false, true} {
			n := note.Note{
				Container: p.Container(), TargetIDs: i.Target().IDs(), DiscussionID: "d", AuthorID: &guest.ID,
				Body: fmt.Sprint(confidential, internal), Internal: internal, CreatedAt: i.CreatedAt,
				UpdatedAt: i.CreatedAt,
			}
			n.ID, err = s.Store.Insert(t.Context(), "notes", n)
			require.NoError(t, err)
			require.NoError(t, event.Emit(t.Context(), s.Store, note.Created{Target: i.Target(), Note: n, By: guest}))
		}
	}
	for who, want := range map[string][]string{
		"stranger":  {"false false"},
		"guest":     {"false false", "true false"},
		"planner":   {"false false", "false true", "true false", "true true"},
		"developer": {"false false", "false true", "true false", "true true"},
	} {
		for _, path := range []string{fmt.Sprintf("/projects/%d/events", p.ID), "/users/guest/events"} {
			got := []string{}
			for _, e := range list(t, s, users[who].Token, path+"?target_type=note&sort=asc") {
				require.Equal(t, "commented on", e.Action)
				got = append(got, e.Note.Body)
			}
			require.Equal(t, want, got, "%s %s", who, path)
		}
	}
}

// A push is shown with its commit, and its author was active today.
func TestPushIsShown(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	p, users := newSite(t, s)
	commits := fmt.Sprintf("/projects/%d/repository/commits", p.ID)
	r := s.Do(t, users["developer"].Token, "POST", commits, map[string]any{
		"branch": "main", "commit_message": "Add a file",
		"actions": []any{map[string]any{"action": "create", "file_path": "a", "content": "a\n"}},
	})
	if r.Status == 403 { // the first branch is protected
		r = s.Do(t, s.RootToken, "POST", commits, map[string]any{
			"branch": "main", "commit_message": "Add a file",
			"actions": []any{map[string]any{"action": "create", "file_path": "a", "content": "a\n"}},
		})
	}
	require.Equal(t, 201, r.Status, string(r.Body))
	events := list(t, s, s.RootToken, fmt.Sprintf("/projects/%d/events?action=pushed", p.ID))
	require.Len(t, events, 1)
	require.Equal(t, "pushed new", events[0].Action)
	require.Equal(t, 1, events[0].Push.CommitCount)
	require.Equal(t, "Add a file", *events[0].Push.CommitTitle)
	active, err := db.Value[bool](t.Context(), s.Store,
		`select last_activity_on = current_date from users where id = 1`, nil)
	require.NoError(t, err)
	require.True(t, active)
}

// Events are kept for three years; a membership that expired is recorded once.
func TestSweep(t *testing.T) {
	t.Parallel()
	s := servertest.Fresh(t)
	p, users := newSite(t, s)
	events := fmt.Sprintf("/projects/%d/events", p.ID)
	require.Len(t, list(t, s, s.RootToken, events+"?action=joined"), 3)
	exec(t, s, `update user_events set created_at = now() - interval '3 years 1 day' where author_id = @id`,
		pgx.NamedArgs{"id": users["guest"].ID})
	exec(t, s, `update user_events set created_at = now() - interval '3 years' + interval '1 day' where author_id = @id`,
		pgx.NamedArgs{"id": users["planner"].ID})
	exec(t, s, `update members set expires_at = current_date where user_id = @id`,
		pgx.NamedArgs{"id": users["developer"].ID})
	for range 2 {
		require.NoError(t, activity.Sweep(t.Context(), s.Store))
		require.Len(t, list(t, s, s.RootToken, events+"?action=joined"), 2)
		expired := list(t, s, s.RootToken, events+"?action=expired")
		require.Len(t, expired, 1)
		require.Equal(t, "removed due to membership expiration from", expired[0].Action)
	}
}

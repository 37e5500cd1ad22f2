package todo_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/event"
	"hew/server/group"
	"hew/server/note"
	"hew/server/policy"
	"hew/server/servertest"
	"hew/server/todo"
	"hew/server/tree"
	"hew/server/work"
)

// random is a world of users, groups, projects, issues and notes, and a naive oracle of who reads
// what.
type random struct {
	*testing.T
	*servertest.Server
	r        *rand.Rand
	users    []servertest.Persona
	external []bool
	groups   []tree.Group     // each below the one before
	levels   []map[int64]int  // of users, by group
	projects []*randomProject // in the groups
	made     map[int64]map[string]subject
}

type randomProject struct {
	tree.Project
	group      int
	levels     map[int64]int
	visibility db.Visibility
	access     policy.Access
}

// subject is what a to-do is about.
type subject struct {
	project  *randomProject
	issue    *work.Issue
	internal bool
}

func newRandom(t *testing.T, seed uint64) *random {
	s := servertest.Fresh(t)
	w := &random{T: t, Server: s, r: rand.New(rand.NewPCG(seed, 1)), made: map[int64]map[string]subject{}}
	world := s.World(t)
	for n := range 6 {
		w.users = append(w.users, s.User(t, fmt.Sprintf("user%d", n)))
		w.external = append(w.external, n == 5)
		w.made[w.users[n].ID] = map[string]subject{}
	}
	w.exec(`update users set external = true where id = @id`, pgx.NamedArgs{"id": w.users[5].ID})
	var parent *tree.Group
	for n := range 2 {
		g := world.Group(fmt.Sprintf("group%d", n), parent, 0)
		w.groups, w.levels = append(w.groups, g), append(w.levels, w.members(group.Member{NamespaceID: &g.ID}))
		parent = &g
	}
	for n := range 6 {
		g := w.r.IntN(2)
		p := world.Project(fmt.Sprintf("project%d", n), w.groups[g].ID, 0)
		project := &randomProject{Project: p, group: g, levels: w.members(group.Member{ProjectID: &p.ID})}
		w.projects = append(w.projects, project)
		w.open(project)
	}
	return w
}

func (w *random) exec(sql string, args pgx.NamedArgs) {
	w.Helper()
	require.NoError(w, w.Store.Exec(w.Context(), sql, args))
}

// members makes some users members, and returns their levels.
func (w *random) members(m group.Member) map[int64]int {
	levels := map[int64]int{}
	for _, u := range w.users {
		if w.r.IntN(4) == 0 {
			m.UserID, m.AccessLevel = u.ID, []int{5, 10, 15, 20}[w.r.IntN(4)]
			w.World(w).Member(m)
			levels[u.ID] = m.AccessLevel
		}
	}
	return levels
}

// open chooses the visibility of a project and who has access to its issues.
func (w *random) open(p *randomProject) {
	p.visibility = []db.Visibility{db.Private, db.Internal, db.Public}[w.r.IntN(3)]
	p.access = []policy.Access{policy.Enabled, policy.Enabled, policy.MembersOnly, policy.Disabled}[w.r.IntN(4)]
	w.exec(`update projects set visibility = @visibility,
		settings = settings || jsonb_build_object('issues_access_level', @access::text) where id = @id`,
		pgx.NamedArgs{"id": p.ID, "visibility": p.visibility, "access": string(p.access)})
}

// reads is the oracle.
func (w *random) reads(user int, s subject) bool {
	id, level := w.users[user].ID, s.project.levels[w.users[user].ID]
	for n := range s.project.group + 1 {
		if l := w.levels[n][id]; l >= 10 { // minimal access holds for the group alone
			level = max(level, l)
		}
	}
	member := level >= 10
	stranger := s.project.visibility == db.Public || s.project.visibility == db.Internal && !w.external[user]
	if s.project.access == policy.Disabled || !member && (!stranger || s.project.access == policy.MembersOnly) {
		return false
	}
	involved := s.issue.IsAuthor(id) || slices.Contains(s.issue.AssigneeIDs, id)
	return level >= 15 || !s.internal && (!s.issue.Confidential || involved)
}

// tell notes down who has to have a to-do by now.
func (w *random) tell(what string, s subject) {
	for n, u := range w.users {
		if w.reads(n, s) {
			w.made[u.ID][what] = s
		}
	}
}

// issue makes an issue that mentions everybody, and notes on it.
func (w *random) issue() *work.Issue {
	p, author := w.projects[w.r.IntN(len(w.projects))], w.users[w.r.IntN(6)]
	by, err := tree.FindUser(w.Context(), w.Store, author.ID)
	require.NoError(w, err)
	text := "@user0 @USER1 @user2 @user3 @user4 @user5 @nobody"
	i, err := work.CreateIssue(w.Context(), w.Store, p.Project, by, func(_ *db.Store, i *work.Issue) error {
		i.Title, i.Description, i.Confidential = "Issue", &text, w.r.IntN(2) == 0
		i.AssigneeIDs = []int64{w.users[w.r.IntN(6)].ID}
		return nil
	})
	require.NoError(w, err)
	page := fmt.Sprintf("/%s/-/issues/%d", p.FullPath, i.IID)
	w.tell("directly_addressed "+page, subject{p, &i, false})
	for _, id := range i.AssigneeIDs {
		w.made[id]["assigned "+page] = subject{p, &i, false}
	}
	for range w.r.IntN(3) {
		n := note.Note{
			Container: p.Container(), TargetIDs: i.Target().IDs(), Body: "See:\n- " + text, Internal: w.r.IntN(2) == 0,
			DiscussionID: "1", CreatedAt: i.CreatedAt, UpdatedAt: i.CreatedAt,
		}
		n.ID, err = w.Store.Insert(w.Context(), "notes", n)
		require.NoError(w, err)
		root := tree.User{ID: 1}
		require.NoError(w, event.Emit(w.Context(), w.Store, note.Created{Target: i.Target(), Note: n, By: root}))
		w.tell(fmt.Sprintf("mentioned %s#note_%d", page, n.ID), subject{p, &i, n.Internal})
	}
	return &i
}

// check compares what everybody's list shows with the oracle.
func (w *random) check() {
	w.Helper()
	for n, u := range w.users {
		want := []string{}
		for what, s := range w.made[u.ID] {
			if w.reads(n, s) {
				want = append(want, what)
			}
		}
		var list []struct {
			Action string `json:"action_name"`
			URL    string `json:"target_url"`
		}
		r := w.Do(w, u.Token, "GET", "/todos?per_page=100", nil)
		require.Equal(w, 200, r.Status)
		r.Into(w, &list)
		got := []string{}
		for _, t := range list {
			_, page, _ := strings.Cut(t.URL, "://")
			_, page, _ = strings.Cut(page, "/")
			got = append(got, t.Action+" /"+page)
		}
		require.ElementsMatch(w, want, got, "user%d", n)
		var counts struct{ Todos int }
		w.Do(w, u.Token, "GET", "/user_counts", nil).Into(w, &counts)
		require.Equal(w, len(want), counts.Todos)
	}
}

// What users see of their to-dos is what they read now of what they could read when it was made.
func TestVisibility(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			w := newRandom(t, seed)
			var issues []*work.Issue
			for range 12 {
				issues = append(issues, w.issue())
			}
			w.check()
			for range 3 {
				w.open(w.projects[w.r.IntN(len(w.projects))])
				p := w.projects[w.r.IntN(len(w.projects))]
				w.exec(`delete from members where project_id = @id`, pgx.NamedArgs{"id": p.ID})
				p.levels = nil
				i := issues[w.r.IntN(len(issues))]
				i.Confidential = !i.Confidential
				w.exec(`update issues set confidential = @c where id = @id`,
					pgx.NamedArgs{"id": i.ID, "c": i.Confidential})
				require.NoError(t, todo.Sweep(t.Context(), w.Store))
				w.check() // what was lost just now is kept
			}
			w.exec(`update todos set lost_at = lost_at - interval '2 hours'`, nil)
			require.NoError(t, todo.Sweep(t.Context(), w.Store))
			w.check()
			left, err := db.Value[int](t.Context(), w.Store, `select count(*) from todos`, nil)
			require.NoError(t, err)
			seen := 0
			for n, u := range w.users {
				for _, s := range w.made[u.ID] {
					if w.reads(n, s) {
						seen++
					}
				}
			}
			require.Equal(t, seen, left, "what nobody sees is deleted")
		})
	}
}

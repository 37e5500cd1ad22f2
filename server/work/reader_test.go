package work_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/group"
	"hew/server/policy"
	"hew/server/servertest"
	"hew/server/tree"
	"hew/server/work"
)

// estate is a random world of people, groups, projects and issues, with all that a naive reader of
// the rules has to know.
type estate struct {
	servertest.World
	*rand.Rand
	users    []tree.User
	groups   []tree.Group
	projects []tree.Project
	access   map[int64]string         // of the issues, by project
	level    map[int64]map[string]int // of a user, by "group 7" or "project 7"
	above    map[int64][]db.Container // of a project: itself and its groups
	issues   []work.Issue
}

func newEstate(t *testing.T, seed uint64) *estate {
	e := &estate{
		World: servertest.NewWorld(t), Rand: rand.New(rand.NewPCG(seed, 1)), access: map[int64]string{},
		level: map[int64]map[string]int{}, above: map[int64][]db.Container{},
	}
	for n := range 7 {
		u := e.User(fmt.Sprintf("user%d", n))
		u.Admin, u.External = n == 0, n == 1
		u, err := tree.UpdateUser(t.Context(), e.Store, u)
		require.NoError(t, err)
		e.users, e.level[u.ID] = append(e.users, u), map[string]int{}
	}
	for n := range 4 {
		var parent *tree.Group
		if n > 0 && e.IntN(2) == 0 {
			parent = &e.groups[e.IntN(n)]
		}
		e.groups = append(e.groups, e.Group(fmt.Sprintf("group%d", n), parent, 0))
	}
	for n := range 8 {
		e.addProject(t, n)
	}
	for n := range 60 {
		e.addIssue(t, n)
	}
	return e
}

// addProject adds a project in a group, with a random visibility, access and members. Some of the
// groups get a member too.
func (e *estate) addProject(t *testing.T, n int) {
	in := e.groups[e.IntN(len(e.groups))]
	p := e.Project(fmt.Sprintf("project%d", n), in.ID, 0)
	e.access[p.ID] = []string{"enabled", "enabled", "private", "disabled"}[e.IntN(4)]
	p.Visibility = db.Visibility(10 * e.IntN(3))
	require.NoError(t, e.Store.Exec(t.Context(), `
		update projects set visibility = @visibility,
		    settings = settings || jsonb_build_object('issues_access_level', @access::text) where id = @id`,
		pgx.NamedArgs{"visibility": p.Visibility, "access": e.access[p.ID], "id": p.ID}))
	e.projects = append(e.projects, p)
	e.above[p.ID] = []db.Container{p.Container()}
	for _, id := range in.TraversalIDs {
		e.above[p.ID] = append(e.above[p.ID], db.Container{NamespaceID: &id})
	}
	for range 2 {
		e.addMember(tree.InProject(p), p.Container())
	}
	g := e.groups[e.IntN(len(e.groups))]
	e.addMember(tree.InGroup(g), g.Container())
}

func (e *estate) addMember(source tree.Source, at db.Container) {
	u := e.users[e.IntN(len(e.users))]
	if _, is := e.level[u.ID][at.String()]; is {
		return
	}
	level := []int{5, 10, 15, 20, 30}[e.IntN(5)]
	if at.ProjectID != nil {
		level = max(level, 10)
	}
	e.Member(group.NewMember(source, u.ID, level))
	e.level[u.ID][at.String()] = level
}

func (e *estate) addIssue(t *testing.T, n int) {
	p := e.projects[e.IntN(len(e.projects))]
	author := e.users[e.IntN(len(e.users))]
	i, err := work.CreateIssue(t.Context(), e.Store, p, author, func(_ *db.Store, i *work.Issue) error {
		i.Title, i.Confidential = fmt.Sprintf("Issue %d", n), e.IntN(2) == 0
		for range e.IntN(3) {
			i.AssigneeIDs = append(i.AssigneeIDs, e.users[e.IntN(len(e.users))].ID)
		}
		return nil
	})
	require.NoError(t, err)
	e.issues = append(e.issues, i)
}

// sees is the rule as more-2 §10.2 and gaps §1.2 put it, without any query.
func (e *estate) sees(u tree.User, i work.Issue) bool {
	p := e.projects[slices.IndexFunc(e.projects, func(p tree.Project) bool { return p.ID == i.ProjectID })]
	level := e.levelIn(u, p)
	switch {
	case e.access[p.ID] == "disabled":
		return false
	case u.Admin:
		return true
	case e.access[p.ID] == "private" && level < 10:
		return false
	case level < 10 && p.Visibility < e.open(u):
		return false
	}
	return !i.Confidential || level >= 15 || i.IsAuthor(u.ID) || slices.Contains(i.AssigneeIDs, u.ID)
}

// levelIn is the highest level; minimal access to a group is none in its projects.
func (e *estate) levelIn(u tree.User, p tree.Project) (level int) {
	for _, at := range e.above[p.ID] {
		level = max(level, e.level[u.ID][at.String()])
	}
	return level
}

// open is the visibility from which a user sees what they are no member of.
func (e *estate) open(u tree.User) db.Visibility {
	if u.ID == 0 || u.External {
		return db.Public
	}
	return db.Internal
}

// listed returns the ids of a list of issues, and holds its count and its statistics to it.
func (e *estate) listed(t *testing.T, f work.IssueFilter) (ids []int64) {
	list, total, err := work.ListIssues(t.Context(), e.Store, f, db.Page{Limit: 100})
	require.NoError(t, err)
	counts, err := work.CountIssues(t.Context(), e.Store, f)
	require.NoError(t, err)
	require.Equal(t, len(list), total)
	require.Equal(t, len(list), counts.All)
	for _, i := range list {
		ids = append(ids, i.ID)
	}
	slices.Sort(ids)
	return ids
}

// TestVisibility holds lists, counts, single issues and the readers of an issue to the rule, for
// every user of random worlds.
func TestVisibility(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		e := newEstate(t, seed)
		for _, u := range append(e.users, tree.User{}) {
			v := work.Viewer{UserID: u.ID, Open: e.open(u), All: u.Admin}
			seen := func(in func(work.Issue) bool) (ids []int64) {
				for _, i := range e.issues {
					if in(i) && e.sees(u, i) {
						ids = append(ids, i.ID)
					}
				}
				return ids
			}
			about := fmt.Sprintf("seed %d, user %d", seed, u.ID)
			everywhere := func(work.Issue) bool { return true }
			require.Equal(t, seen(everywhere), e.listed(t, work.IssueFilter{Viewer: v}), about)
			for _, g := range e.groups {
				below := func(i work.Issue) bool {
					return slices.ContainsFunc(e.above[i.ProjectID], func(c db.Container) bool {
						return c.NamespaceID != nil && *c.NamespaceID == g.ID
					})
				}
				require.Equal(t, seen(below), e.listed(t, work.IssueFilter{Viewer: v, In: g.Container()}), about)
			}
			e.checkIssues(t, u, v)
		}
	}
}

// checkIssues compares single issues, the list of their project and their readers with the rule.
func (e *estate) checkIssues(t *testing.T, u tree.User, v work.Viewer) {
	for _, i := range e.issues {
		readers, err := work.IssueReaders(t.Context(), e.Store, i, []int64{u.ID}, false)
		require.NoError(t, err)
		require.Equal(t, u.ID != 0 && e.sees(u, i), len(readers) == 1, "issue %d of user %d", i.ID, u.ID)

		p := e.projects[slices.IndexFunc(e.projects, func(p tree.Project) bool { return p.ID == i.ProjectID })]
		level := policy.Level(e.levelIn(u, p))
		open := i
		open.Confidential = false
		if !e.sees(u, open) {
			continue // the guard of the project refuses
		}
		_, err = v.Issue(t.Context(), e.Store, p.ID, level, i.IID)
		require.Equal(t, e.sees(u, i), err == nil, "issue %d of user %d", i.ID, u.ID)
		ids := e.listed(t, work.IssueFilter{Viewer: v, In: p.Container(), Level: level})
		require.Equal(t, e.sees(u, i), slices.Contains(ids, i.ID), "issue %d of user %d", i.ID, u.ID)
	}
}

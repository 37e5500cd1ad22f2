package todo_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/event"
	"hew/server/group"
	"hew/server/note"
	"hew/server/servertest"
	"hew/server/tree"
	"hew/server/work"
)

// desk is a server with a public project of root in the group acme.
type desk struct {
	*testing.T
	*servertest.Server
	servertest.World
	group   tree.Group
	project tree.Project
	root    tree.User
}

func newDesk(t *testing.T) desk {
	s := servertest.Fresh(t)
	d := desk{T: t, Server: s, World: s.World(t)}
	var err error
	d.root, err = tree.FindUser(t.Context(), s.Store, 1)
	require.NoError(t, err)
	d.group = d.Group("acme", nil, 1)
	d.project = d.Project("site", d.group.ID, 1)
	d.exec(`update projects set visibility = 20`)
	d.exec(`update namespaces set visibility = 20`)
	return d
}

func (d desk) exec(sql string) {
	d.T.Helper()
	require.NoError(d.T, d.World.Exec(d.T.Context(), sql, pgx.NamedArgs{}))
}

// member makes a user who is a member of a group or project.
func (d desk) member(name string, m group.Member) servertest.Persona {
	u := d.Server.User(d.T, name)
	m.UserID = u.ID
	d.Member(m)
	return u
}

func (d desk) issue(by tree.User, text string) work.Issue {
	d.T.Helper()
	i, err := work.CreateIssue(d.T.Context(), d.World.Store, d.project, by, func(_ *db.Store, i *work.Issue) error {
		i.Title, i.Description = "Issue", &text
		return nil
	})
	require.NoError(d.T, err)
	return i
}

// actions returns the actions of the pending to-dos of a user, oldest first.
func (d desk) actions(u servertest.Persona) []string {
	var list []struct {
		Action string `json:"action_name"`
	}
	d.Do(d.T, u.Token, "GET", "/todos", nil).Into(d.T, &list)
	names := []string{}
	for _, t := range list {
		names = append(names, t.Action)
	}
	slices.Reverse(names)
	return names
}

// write stores a note, which is in a thread of its own unless one is named, and tells of it.
func (d desk) write(i work.Issue, by tree.User, thread, text string) note.Note {
	n := note.Note{
		Container: d.project.Container(), TargetIDs: i.Target().IDs(), Body: text, AuthorID: &by.ID,
		DiscussionID: thread, CreatedAt: i.CreatedAt, UpdatedAt: i.CreatedAt,
	}
	if thread != "" {
		n.Type = new("DiscussionNote")
	}
	var err error
	n.ID, err = d.World.Insert(d.T.Context(), "notes", n)
	require.NoError(d.T, err)
	require.NoError(d.T, event.Emit(d.T.Context(), d.World.Store, note.Created{Target: i.Target(), Note: n, By: by}))
	return n
}

// A group stands for its direct members, unless it does not want to be mentioned or the writer
// cannot read it; @all stands for the members of the project.
func TestGroupsAreMentioned(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	team := d.Group("team", &d.group, 0)
	ann := d.member("ann", group.Member{NamespaceID: &team.ID, AccessLevel: 10})
	bob := d.member("bob", group.Member{NamespaceID: &d.group.ID, AccessLevel: 10})
	eve := d.member("eve", group.Member{ProjectID: &d.project.ID, AccessLevel: 10})
	outsider := d.World.User("outsider")

	d.issue(d.root, "See @acme/TEAM")
	require.Equal(t, []string{"mentioned"}, d.actions(ann))
	require.Empty(t, d.actions(bob))
	d.exec(`update namespaces set visibility = 0 where path = 'team'`)
	d.issue(outsider, "@bob: ask @acme/team")
	require.Equal(t, []string{"mentioned"}, d.actions(ann), "the writer cannot read the group")
	require.Equal(t, []string{"directly_addressed"}, d.actions(bob))
	d.exec(`update namespaces set settings = settings || '{"mentions_disabled": true}' where path = 'team'`)
	d.issue(d.root, "See @acme/team")
	require.Equal(t, []string{"mentioned"}, d.actions(ann))
	d.issue(d.root, "See @all, `@ann`, \\@ann and ann@example.com")
	require.Equal(t, []string{"mentioned"}, d.actions(ann), "not a member of the project")
	require.Equal(t, []string{"directly_addressed", "mentioned"}, d.actions(bob))
	require.Equal(t, []string{"mentioned"}, d.actions(eve))
}

// A note finishes what its author had to look at: of its thread, or of all the issue. So do
// reactions and quick actions.
func TestOwnActsFinish(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	ann := d.member("ann", group.Member{ProjectID: &d.project.ID, AccessLevel: 20})
	user, err := tree.FindUser(t.Context(), d.World.Store, ann.ID)
	require.NoError(t, err)
	i := d.issue(d.root, "See @ann")
	d.write(i, d.root, "one", "@ann?")
	d.write(i, d.root, "two", "@ann? @ann!")
	require.Equal(t, []string{"mentioned", "directly_addressed", "directly_addressed"}, d.actions(ann))
	d.write(i, user, "one", "Yes")
	require.Equal(t, []string{"mentioned", "directly_addressed"}, d.actions(ann))
	d.write(i, d.root, "", "Others' notes finish nothing")
	require.Len(t, d.actions(ann), 2)
	d.write(i, user, "", "Done, says @ann")
	require.Equal(t, []string{"mentioned"}, d.actions(ann), "a note can mention its author")

	on := note.Awardable{Target: i.Target()}
	require.NoError(t, event.Emit(t.Context(), d.World.Store, note.Awarded{On: on, By: user}))
	require.Empty(t, d.actions(ann))
	for _, done := range []bool{false, false, true} {
		e := work.TodoAsked{On: i.Target(), By: user, Done: done}
		require.NoError(t, event.Emit(t.Context(), d.World.Store, e))
		require.Equal(t, !done, slices.Equal([]string{"marked"}, d.actions(ann)))
	}

	n := d.write(i, d.root, "", "See @root")
	later := n
	later.Body = "See @root and @ann"
	e := note.Changed{Target: i.Target(), Before: n, Note: later, By: d.root}
	require.NoError(t, event.Emit(t.Context(), d.World.Store, e))
	require.NoError(t, event.Emit(t.Context(), d.World.Store, e), "once for each note")
	require.Equal(t, []string{"mentioned"}, d.actions(ann))
}

// Of requests at once, one makes the to-do.
func TestMarkOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.issue(d.root, "Look")
	statuses := make([]int, 8)
	var all sync.WaitGroup
	for n := range statuses {
		all.Go(func() {
			path := fmt.Sprintf("/projects/%d/issues/1/todo", d.project.ID)
			statuses[n] = d.Do(t, d.RootToken, "POST", path, nil).Status
		})
	}
	all.Wait()
	slices.Sort(statuses)
	require.Equal(t, []int{201, 304, 304, 304, 304, 304, 304, 304}, statuses)
}

// The description of an epic mentions those who can read it; only planners read a confidential one.
func TestEpicsMention(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	ann := d.member("ann", group.Member{NamespaceID: &d.group.ID, AccessLevel: 10})
	bob := d.member("bob", group.Member{NamespaceID: &d.group.ID, AccessLevel: 15})
	for _, confidential := range []bool{false, true} {
		_, err := work.CreateEpic(t.Context(), d.World.Store, d.group, d.root, func(_ *db.Store, e *work.Epic) error {
			e.Title, e.Description, e.Confidential = "Plan", new("See @ann and @bob"), confidential
			return nil
		})
		require.NoError(t, err)
	}
	require.Equal(t, []string{"mentioned"}, d.actions(ann))
	require.Equal(t, []string{"mentioned", "mentioned"}, d.actions(bob))
}

package work_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/project"
	"hew/server/servertest"
	"hew/server/tree"
	"hew/server/work"
)

// A project that is transferred keeps labels and milestones by their names, and has nothing of the
// groups that it left.
func TestTransfer(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	w := servertest.Fresh(t).World(t)
	alice := w.User("alice")
	from, to := w.Group("from", nil, alice.ID), w.Group("to", nil, alice.ID)
	site, docs := w.Project("site", from.ID, alice.ID), w.Project("docs", from.ID, alice.ID)
	label := func(in db.Container, name string) work.Label {
		l, err := work.CreateLabel(ctx, w.Store, in, named(name))
		require.NoError(t, err)
		return l
	}
	milestone := func(in db.Container, title string) work.Milestone {
		m, err := work.CreateMilestone(ctx, w.Store, in, alice, func(m *work.Milestone) error {
			m.Title = title
			return nil
		})
		require.NoError(t, err)
		return m
	}
	bug, both, own := label(from.Container(), "bug"), label(from.Container(), "both"), label(site.Container(), "own")
	there := label(to.Container(), "both")
	v1, v2 := milestone(from.Container(), "v1"), milestone(from.Container(), "v2")
	same := milestone(to.Container(), "v2")
	epic, err := work.CreateEpic(ctx, w.Store, from, alice, func(_ *db.Store, e *work.Epic) error {
		e.Title = "Secret"
		return nil
	})
	require.NoError(t, err)
	issue := func(in tree.Project, m work.Milestone, labels ...int64) work.Issue {
		i, err := work.CreateIssue(ctx, w.Store, in, alice, func(_ *db.Store, i *work.Issue) error {
			i.Title, i.LabelIDs, i.MilestoneID, i.EpicID = "Issue", labels, &m.ID, &epic.ID
			return nil
		})
		require.NoError(t, err)
		return i
	}
	one, two := issue(site, v1, bug.ID, both.ID, own.ID), issue(site, v2, bug.ID)
	stays := issue(docs, v1, bug.ID)

	_, err = project.TransferProject(ctx, w.Store, site.ID, to)
	require.NoError(t, err)
	byID, err := work.IssuesByID(ctx, w.Store, []int64{one.ID, two.ID, stays.ID})
	require.NoError(t, err)
	one, two = byID[one.ID], byID[two.ID]
	require.Equal(t, []*int64{nil, nil}, []*int64{one.EpicID, two.EpicID})
	require.Contains(t, one.LabelIDs, there.ID)
	require.Contains(t, one.LabelIDs, own.ID)
	require.Len(t, one.LabelIDs, 3)
	require.Equal(t, same.ID, *two.MilestoneID)
	copied, err := work.Labels(w.Store, site.Container(), 0).One(ctx, work.ByLabelRef("bug"))
	require.NoError(t, err)
	require.Equal(t, []int64{copied.ID}, two.LabelIDs)
	milestones, err := work.MilestonesByID(ctx, w.Store, []int64{*one.MilestoneID})
	require.NoError(t, err)
	require.Equal(t, site.ID, *milestones[*one.MilestoneID].ProjectID)

	require.Equal(t, epic.ID, *byID[stays.ID].EpicID)
	require.Equal(t, []int64{bug.ID}, byID[stays.ID].LabelIDs)
	events, _, err := work.ResourceEvents(ctx, w.Store, two.Target(), "label", db.Page{Limit: 5})
	require.NoError(t, err)
	require.Equal(t, copied.ID, *events[0].LabelID)
}

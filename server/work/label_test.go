package work_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/servertest"
	"hew/server/tree"
	"hew/server/work"
)

// board is a group with two projects of one owner.
type board struct {
	servertest.World
	alice      tree.User
	group      db.Container
	site, docs tree.Project
}

func newBoard(t *testing.T) board {
	t.Helper()
	w := servertest.NewWorld(t)
	alice := w.User("alice")
	g := w.Group("acme", nil, alice.ID)
	site, docs := w.Project("site", g.ID, alice.ID), w.Project("docs", g.ID, alice.ID)
	return board{w, alice, g.Container(), site, docs}
}

func named(name string) func(*work.Label) error {
	return func(l *work.Label) error {
		l.Name, l.Color = name, "#FF0000"
		return nil
	}
}

func (w board) label(t *testing.T, in db.Container, name string) work.Label {
	t.Helper()
	l, err := work.CreateLabel(t.Context(), w.Store, in, named(name))
	require.NoError(t, err)
	return l
}

// A label whose name is the id of another label of the group is not merged into that one, and
// labels with the other's name stay.
func TestPromoteLabelNamedLikeAnID(t *testing.T) {
	t.Parallel()
	w := newBoard(t)
	ctx := t.Context()
	kept := w.label(t, w.docs.Container(), "bug") // before the group has it
	bug := w.label(t, w.group, "bug")
	id := fmt.Sprint(bug.ID)
	w.label(t, w.site.Container(), id)
	own := w.label(t, w.group, id)

	l, err := work.PromoteLabel(ctx, w.Store, w.site, id, w.alice.ID)
	require.NoError(t, err)
	require.Equal(t, own, l)
	_, err = work.Labels(w.Store, w.docs.Container(), 0).One(ctx, db.ByID(kept.ID))
	require.NoError(t, err, "the label of another name is deleted")
	n, err := work.Labels(w.Store, w.site.Container(), 0).Count(ctx)
	require.NoError(t, err)
	require.Zero(t, n, "the promoted label is still in the project")
}

// Subscribers of a label are subscribed to the promoted label, and its answer shows it.
func TestPromoteLabelKeepsSubscriptions(t *testing.T) {
	t.Parallel()
	w := newBoard(t)
	ctx := t.Context()
	_, err := work.Subscribe(ctx, w.Store, w.label(t, w.site.Container(), "bug").ID, w.alice.ID)
	require.NoError(t, err)
	l, err := work.PromoteLabel(ctx, w.Store, w.site, "bug", w.alice.ID)
	require.NoError(t, err)
	require.NotNil(t, l.NamespaceID)
	require.True(t, l.Subscribed)
}

// If two labels of one name are created at once along the tree, one is refused.
func TestCreateLabelsOfOneNameAtOnce(t *testing.T) {
	t.Parallel()
	for name, second := range map[string]func(board) db.Container{
		"same group":    func(w board) db.Container { return w.group },
		"project below": func(w board) db.Container { return w.site.Container() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newBoard(t)
			ctx := t.Context()
			tx, finish, err := w.Store.Begin(ctx)
			require.NoError(t, err)
			_, err = work.CreateLabel(ctx, tx, w.group, named("bug"))
			require.NoError(t, err)
			done := make(chan error, 1)
			go func() {
				_, err := work.CreateLabel(ctx, w.Store, second(w), named("bug"))
				done <- err
			}()
			servertest.AwaitLock(t, w.Store)
			require.NoError(t, finish(nil))
			err = <-done
			require.Equal(t, fault.CodeConflict, fault.CodeOf(err), "%v", err)
		})
	}
}

// A number that is not written as ids are is a name, however a label is looked for.
func TestLabelRefIsTheSameEverywhere(t *testing.T) {
	t.Parallel()
	w := newBoard(t)
	ctx := t.Context()
	first := w.label(t, w.group, "bug")
	padded := "00" + fmt.Sprint(first.ID)
	second := w.label(t, w.group, padded)
	for ref, want := range map[string]work.Label{fmt.Sprint(first.ID): first, padded: second, "bug": first} {
		found, err := work.FindLabel(ctx, w.Store, w.group, work.LabelFilter{}, ref)
		require.NoError(t, err)
		require.Equal(t, want.ID, found.ID, "find %s", ref)
		changed, err := work.ChangeLabel(ctx, w.Store, w.group, ref, 0, func(*work.Label) error { return nil })
		require.NoError(t, err)
		require.Equal(t, want.ID, changed.ID, "change %s", ref)
	}
}

// Issues made at once with one new label get the same label.
func TestNewLabelAtOnce(t *testing.T) {
	t.Parallel()
	w := newBoard(t)
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			choice := work.LabelChoice{Set: []string{"b", "a"}}
			fill := func(st *db.Store, i *work.Issue) (err error) {
				i.Title = "Issue"
				i.LabelIDs, err = choice.Apply(t.Context(), st, w.site.Container(), nil, true)
				return err
			}
			_, err := work.CreateIssue(t.Context(), w.Store, w.site, w.alice, fill)
			assert.NoError(t, err)
		})
	}
	all.Wait()
	_, total, err := work.ListLabels(t.Context(), w.Store, w.site.Container(), work.LabelFilter{}, db.Page{Limit: 20})
	require.NoError(t, err)
	require.Equal(t, 2, total)
}

package work_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/group"
	"hew/server/note"
	"hew/server/tree"
	"hew/server/upload"
	"hew/server/work"
)

// wordy is a project with what texts refer to: issues 1 to 3, merge request 1, epic 1 of the group,
// a label, a milestone and an upload.
type wordy struct {
	board
	file  upload.Upload
	label work.Label
}

func newWordy(t *testing.T) wordy {
	w := wordy{board: newBoard(t)}
	ctx := t.Context()
	for range 3 {
		w.write(t, "")
	}
	require.NoError(t, w.Store.Exec(ctx, `
		insert into merge_requests (project_id, source_project_id, iid, title, source_branch, target_branch, author_id,
		    head_oid, base_oid, start_oid)
		select @project, @project, 1, 'Better', 'a', 'main', @alice, o, o, o from decode(repeat('0', 40), 'hex') o`,
		pgx.NamedArgs{"project": w.site.ID, "alice": w.alice.ID}))
	g, err := tree.GroupFor(ctx, w.Store, "acme", w.alice.ID)
	require.NoError(t, err)
	_, err = work.CreateEpic(ctx, w.Store, g.Group, w.alice, func(_ *db.Store, e *work.Epic) error {
		e.Title = "Epic"
		return nil
	})
	require.NoError(t, err)
	w.label = w.board.label(t, w.site.Container(), "needs work")
	w.board.label(t, w.group, "bug")
	_, err = work.CreateMilestone(ctx, w.Store, w.site.Container(), w.alice, func(m *work.Milestone) error {
		m.Title = "1.0"
		return nil
	})
	require.NoError(t, err)
	file := upload.File{Name: "a b.txt", Content: strings.NewReader("content")}
	w.file, err = upload.Create(ctx, w.Store, w.site.Container(), file, w.alice.ID)
	require.NoError(t, err)
	return w
}

// write makes an issue with a description.
func (w wordy) write(t *testing.T, description string) work.Issue {
	i, err := work.CreateIssue(t.Context(), w.Store, w.site, w.alice, func(_ *db.Store, i *work.Issue) error {
		i.Title, i.Description = "Issue", &description
		return nil
	})
	require.NoError(t, err)
	return i
}

// away makes a project of another group that alice owns.
func (w wordy) away() tree.Project {
	return w.Project("far", w.Group("other", nil, w.alice.ID).ID, w.alice.ID)
}

// told returns what the notes of a target that are no system notes say.
func (w wordy) told(t *testing.T, on note.Target) (texts []string) {
	for _, n := range w.notes(t, on) {
		if !n.System {
			texts = append(texts, n.Body)
		}
	}
	return texts
}

// Texts of a moved, cloned or promoted issue refer to what they referred to before.
func TestCopiedReferences(t *testing.T) {
	t.Parallel()
	w := newWordy(t)
	far := w.away()
	const code, none = "`#3` and\n```\n!1 ~bug\n```", "#99 C#3 ~200 100% %x @alice"
	for text, want := range map[string]struct{ beside, far, epic string }{
		"#3, !1 and &1": {"site#3, site!1 and &1", "acme/site#3, acme/site!1 and acme&1", "site#3, site!1 and &1"},
		`~bug ~"needs work"`: {`site~bug site~"needs work"`, `acme/site~bug acme/site~"needs work"`,
			`site~bug site~"needs work"`},
		"%1.0 %1":                   {"site%1.0 site%1", "acme/site%1.0 acme/site%1", "site%1.0 site%1"},
		"site#3 acme/site!1 acme&1": {"site#3 site!1 &1", "acme/site#3 acme/site!1 acme&1", "site#3 site!1 &1"},
		code:                        {code, code, code},
		none:                        {none, none, none},
		fmt.Sprintf("~%d", w.label.ID): {
			fmt.Sprintf("site~%d", w.label.ID), fmt.Sprintf("acme/site~%d", w.label.ID),
			fmt.Sprintf("site~%d", w.label.ID),
		},
	} {
		write := func() work.Issue {
			i := w.write(t, text)
			_, err := note.Create(t.Context(), w.Store, i.Target(), note.New{By: w.alice, Body: "Note: " + text})
			require.NoError(t, err)
			return i
		}
		check := func(want string, description *string, on note.Target) {
			require.Equal(t, want, *description)
			require.Equal(t, []string{"Note: " + want}, w.told(t, on), text)
		}
		same, err := work.CloneIssue(t.Context(), w.Store, w.site, w.site, w.alice, write(), true)
		require.NoError(t, err)
		check(text, same.Description, same.Target())
		beside, err := work.CloneIssue(t.Context(), w.Store, w.site, w.docs, w.alice, write(), true)
		require.NoError(t, err)
		check(want.beside, beside.Description, beside.Target())
		moved, err := work.MoveIssue(t.Context(), w.Store, w.site, far, w.alice, write())
		require.NoError(t, err)
		check(want.far, moved.Description, moved.Target())
		epic, err := work.PromoteIssue(t.Context(), w.Store, w.site, w.alice, write())
		require.NoError(t, err)
		check(want.epic, epic.Description, epic.Target())
	}
}

// System notes of a moved issue refer to what they referred to before.
func TestCopiedSystemNotes(t *testing.T) {
	t.Parallel()
	w := newWordy(t)
	i := w.write(t, "")
	other, err := work.IssuesByID(t.Context(), w.Store, []int64{i.ID - 1})
	require.NoError(t, err)
	on := other[i.ID-1]
	require.NoError(t, note.AddMention(t.Context(), w.Store, i.Target(), on.Target(), w.alice.ID, "mentioned in issue #3"))
	moved, err := work.MoveIssue(t.Context(), w.Store, w.site, w.docs, w.alice, i)
	require.NoError(t, err)
	require.Equal(t, []string{"mentioned in issue site#3", "moved from site#4"}, bodies(w.notes(t, moved.Target())))
}

// A reference to what the user does not see stays as it is, and so reveals nothing.
func TestCopiedSecretReferences(t *testing.T) {
	t.Parallel()
	w := newWordy(t)
	hidden := w.Project("hidden", *w.group.NamespaceID, w.alice.ID)
	_, err := work.CreateIssue(t.Context(), w.Store, hidden, w.alice, func(_ *db.Store, i *work.Issue) error {
		i.Title = "Secret"
		return nil
	})
	require.NoError(t, err)
	here, bob := w.away(), w.User("bob")
	for _, p := range []tree.Project{w.site, here} {
		w.Member(group.NewMember(tree.InProject(p), bob.ID, 20))
	}
	i := w.write(t, "hidden#1 #1")
	for want, by := range map[string]tree.User{"hidden#1 acme/site#1": bob, "acme/hidden#1 acme/site#1": w.alice} {
		made, err := work.CloneIssue(t.Context(), w.Store, w.site, here, by, i, false)
		require.NoError(t, err)
		require.Equal(t, want, *made.Description)
	}
}

// The uploads of the project that an issue links to are copied along with it, each once.
func TestCopiedUploads(t *testing.T) {
	t.Parallel()
	w := newWordy(t)
	ctx := t.Context()
	link := upload.Markdown(w.file.Name, "/uploads/"+w.file.Secret+"/"+w.file.Name)
	missing := "[x](/uploads/" + strings.Repeat("0", 32) + "/x.txt)"
	text := link + " " + missing + " `" + link + "`"
	i := w.write(t, text)
	_, err := note.Create(ctx, w.Store, i.Target(), note.New{By: w.alice, Body: text})
	require.NoError(t, err)
	check := func(into db.Container, description *string, on note.Target) {
		t.Helper()
		list, _, err := upload.Uploads(w.Store, into).List(ctx, db.Page{Limit: 20})
		require.NoError(t, err)
		require.Len(t, list, 1)
		copied := list[0]
		require.NotEqual(t, w.file.Secret, copied.Secret)
		require.Equal(t, w.file.BlobID, copied.BlobID)
		require.Equal(t, w.file.Name, copied.Name)
		want := strings.Replace(text, w.file.Secret, copied.Secret, 1)
		require.Equal(t, want, *description)
		require.Equal(t, []string{want}, w.told(t, on))
	}
	clone, err := work.CloneIssue(ctx, w.Store, w.site, w.site, w.alice, i, true)
	require.NoError(t, err)
	require.Equal(t, text, *clone.Description, "in the project itself")
	moved, err := work.MoveIssue(ctx, w.Store, w.site, w.docs, w.alice, i)
	require.NoError(t, err)
	check(w.docs.Container(), moved.Description, moved.Target())
	epic, err := work.PromoteIssue(ctx, w.Store, w.site, w.alice, clone)
	require.NoError(t, err)
	check(w.group, epic.Description, epic.Target())
}

// A text that would get too long stays as it is.
func TestCopiedLongText(t *testing.T) {
	t.Parallel()
	w := newWordy(t)
	text := "#1" + strings.Repeat(" ", 1048576-2-len("x")) + "x"
	moved, err := work.MoveIssue(t.Context(), w.Store, w.site, w.docs, w.alice, w.write(t, text))
	require.NoError(t, err)
	require.Equal(t, text, *moved.Description)
}

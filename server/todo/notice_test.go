package todo_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/db"
	"hew/server/group"
	"hew/server/mail"
	"hew/server/note"
	"hew/server/work"
)

// Mail about a mention or an assignment goes to those who can read it, and not to the writer.
func TestMail(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	server, err := mail.Open("smtp://127.0.0.1:1?from=hewd@example.com&tls=none")
	require.NoError(t, err)
	mail.Attach(d.World.Store, server)
	t.Cleanup(func() { mail.Attach(d.World.Store, nil) })
	in := func(level int) group.Member { return group.Member{ProjectID: &d.project.ID, AccessLevel: level} }
	dev := d.member("dev", in(30))
	d.member("guest", in(10))
	d.exec(`update users set confirmed_at = now()`)
	type letter struct {
		Address string `db:"address"`
		Kind    string `db:"kind"`
		Title   string `db:"title"`
		URL     string `db:"url"`
		Text    string `db:"text"`
	}
	sent := func() []letter {
		list, err := db.Many[letter](t.Context(), d.World.Store, `
			select args ->> 'address' as address, args #>> '{message,kind}' as kind, args #>> '{message,title}' as title,
			       args #>> '{message,url}' as url, coalesce(args #>> '{message,text}', '') as text
			from river_job where kind = 'send_mail' order by id`, nil)
		require.NoError(t, err)
		d.exec(`delete from river_job where kind = 'send_mail'`)
		return list
	}

	i, err := work.CreateIssue(t.Context(), d.World.Store, d.project, d.root, func(_ *db.Store, i *work.Issue) error {
		i.Title, i.Description, i.Confidential = "Leak", new("See this, @dev @guest @root"), true
		i.AssigneeIDs = []int64{dev.ID, 1}
		return nil
	})
	require.NoError(t, err)
	text := "See this, @dev @guest @root"
	require.Equal(t, []letter{
		{"dev@example.com", "assigned", "Leak (#1)", "/acme/site/-/issues/1", text},
		{"dev@example.com", "mentioned", "Leak (#1)", "/acme/site/-/issues/1", text},
	}, sent(), "the guest does not see it, and root wrote it")

	n, err := note.Create(t.Context(), d.World.Store, i.Target(), note.New{By: d.root, Body: "@dev again"})
	require.NoError(t, err)
	letters := sent()
	require.Len(t, letters, 1)
	require.Equal(t, "/acme/site/-/issues/1#note_"+strconv.FormatInt(n.ID, 10), letters[0].URL)
}

package todo

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"

	"hew/server/db"
	"hew/server/mail"
	"hew/server/note"
	"hew/server/tree"
	"hew/server/work"
)

// mailed are the kinds of mail about new to-dos, by their actions. Of others no mail is sent.
var mailed = map[Action]mail.Kind{
	Assigned: mail.Assigned, Mentioned: mail.Mentioned, DirectlyAddressed: mail.Mentioned,
	ReviewRequested: mail.ReviewRequested,
}

// tell sends mail about new to-dos to their users, except the one who caused them.
func (a about) tell(ctx context.Context, st *db.Store, by tree.User, action Action, users []int64) error {
	kind, ok := mailed[action]
	users = slices.DeleteFunc(slices.Clone(users), func(id int64) bool { return id == by.ID })
	if !ok || len(users) == 0 || !mail.Enabled(st) {
		return nil
	}
	m, err := a.message(ctx, st)
	if err != nil {
		return err
	}
	m.Kind, m.Author, m.About = kind, by.Name, a.Container
	m.Subject = m.Title
	if a.noteID != nil {
		m.URL = fmt.Sprintf("%s#note_%d", m.URL, *a.noteID)
	}
	return mail.Send(ctx, st, users, m)
}

// message returns what a mail says of what to-dos are about.
func (a about) message(ctx context.Context, st *db.Store) (m mail.Message, err error) {
	m.Text = a.text
	switch a.Kind {
	case note.Issue:
		m.Title = fmt.Sprintf("%s (#%d)", a.issue.Title, a.issue.IID)
		m.URL = fmt.Sprintf("/%s/-/issues/%d", a.issue.Path, a.issue.IID)
	case note.MergeRequest:
		m.Title = fmt.Sprintf("%s (!%d)", a.request.Title, a.request.IID)
		m.URL = fmt.Sprintf("/%s/-/merge_requests/%d", a.request.Path, a.request.IID)
	case note.Epic:
		byID, err := work.EpicsByID(ctx, st, []int64{a.ID})
		if err != nil {
			return m, err
		}
		e := byID[a.ID]
		m.Title = fmt.Sprintf("%s (&%d)", e.Title, e.IID)
		m.URL = fmt.Sprintf("/groups/%s/-/epics/%d", e.Path, e.IID)
	default:
		p, err := tree.FindProject(ctx, st, *a.ProjectID)
		if err != nil {
			return m, err
		}
		sha := hex.EncodeToString(a.OID)
		m.Title = fmt.Sprintf("commit %.8s of %s", sha, p.FullPath)
		m.URL = fmt.Sprintf("/%s/-/commit/%s", p.FullPath, sha)
	}
	m.Thread = a.Target.String()
	return m, nil
}

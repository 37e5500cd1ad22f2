package transfer

import (
	"context"
	"fmt"
	"strings"
	"time"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/mail"
	"hew/server/setting"
	"hew/server/tree"
)

// archiveName returns the name of the file of an archive: the time and the path of the project, cut
// to 51 characters (transfer.md §1.1 of the facts).
func archiveName(p tree.Project, at time.Time) string {
	const most = 51
	name := strings.Replace(at.Format("2006-01-02_15-04-.000"), ".", "", 1) + "_" + strings.ReplaceAll(p.FullPath, "/", "_")
	if runes := []rune(name); len(runes) > most {
		name = string(runes[:most])
	}
	return name + "_export.tar.gz"
}

func exported(p tree.Project, e Export) mail.Message {
	return mail.Message{
		Kind: mail.Notice, About: p.Container(), Subject: p.Name + " was exported",
		Title: p.FullPath, URL: fmt.Sprintf("/api/v4/projects/%d/export/download", p.ID),
		Text: fmt.Sprintf("The export of %s is ready. Download %s within 24 hours.", p.FullPath, *e.Name),
	}
}

func sent(p tree.Project) mail.Message {
	return mail.Message{
		Kind: mail.Notice, About: p.Container(), Subject: p.Name + " was exported", Title: p.FullPath,
		Text: fmt.Sprintf("The export of %s was sent to the address that you gave.", p.FullPath),
	}
}

// fail ends an export with a reason, which its user gets by mail.
func (x Exporter) fail(ctx context.Context, st *db.Store, e Export, reason string) error {
	p, err := tree.FindProject(ctx, st, e.ProjectID)
	if err != nil {
		return fault.IgnoreNotFound(err)
	}
	m := mail.Message{
		Kind: mail.Notice, About: p.Container(), Subject: p.Name + " was not exported", Title: p.FullPath,
		Text: fmt.Sprintf("The export of %s failed: %s.", p.FullPath, reason),
	}
	if err := x.end(ctx, st, e, m, e.remove); err != nil {
		return fault.IgnoreNotFound(err)
	}
	return enqueueWaiting(ctx, st, time.Now())
}

// end ends an export and tells its user, in one transaction.
func (x Exporter) end(
	ctx context.Context, st *db.Store, e Export, m mail.Message, how func(context.Context, *db.Store) error,
) error {
	return st.Tx(ctx, func(st *db.Store) error {
		if err := how(ctx, st); err != nil {
			return err
		}
		settings, err := setting.Read(ctx, st)
		if err != nil {
			return err
		}
		if settings.SilentAdminExports {
			u, err := tree.FindUser(ctx, st, e.UserID)
			if err != nil || u.Admin {
				return err
			}
		}
		return mail.Send(ctx, st, []int64{e.UserID}, m)
	})
}

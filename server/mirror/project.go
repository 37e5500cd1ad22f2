package mirror

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/group"
	"hew/server/mail"
	"hew/server/policy"
	"hew/server/setting"
	"hew/server/tree"
)

type namedArgs = pgx.NamedArgs

func idArg(id int64) namedArgs { return namedArgs{"id": id} }

// runnable returns a project and whether its mirrors run: not if it is archived or about to be
// removed, nor while mirrors or all that is sent are turned off.
func runnable(ctx context.Context, st *db.Store, id int64) (tree.Project, bool, error) {
	p, err := tree.ProjectFor(ctx, st, fmt.Sprint(id), 0)
	if err != nil {
		return p.Project, false, err
	}
	settings, err := setting.Read(ctx, st)
	return p.Project, !p.Archived && !p.Pending && settings.MirrorsAvailable && !settings.SilentMode, err
}

// forget makes a mirror that does not run not due, nor run by a process that has gone.
func (t table) forget(ctx context.Context, st *db.Store, id int64) error {
	return st.Exec(ctx, `
		update `+string(t)+` set due_at = null, alive_at = null,
		       update_status = case when update_status in ('started', 'scheduled') then 'failed' else update_status end
		where id = @id and (alive_at is null or alive_at < now() - @dead::interval)`,
		namedArgs{"id": id, "dead": aliveFor})
}

// tellFailure mails to the maintainers of a project that one of its mirrors has failed.
func tellFailure(ctx context.Context, st *db.Store, p tree.Project, what, url, text string) error {
	if !mail.Enabled(st) {
		return nil
	}
	users, err := group.Administrators(ctx, st, tree.InProject(p), policy.Maintainer)
	if err != nil {
		return err
	}
	return mail.Send(ctx, st, users, mail.Message{
		Kind: mail.Notice, About: p.Container(), URL: "/" + p.FullPath,
		Subject: p.FullPath + " | The " + what + " has failed",
		Title:   "The " + what + " of " + p.FullPath,
		Text:    fmt.Sprintf("The %s %s of %s has failed:\n\n%s", what, url, p.FullPath, text),
	})
}

package mirror

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/remote"
	"hew/server/outbound"
	"hew/server/policy"
	"hew/server/project"
	"hew/server/protect"
	"hew/server/setting"
	"hew/server/tree"
)

// runPull runs the pull of a mirror.
func (c courier) runPull(ctx context.Context, st *db.Store, args pullJob) error {
	m, err := db.One[PullMirror](ctx, st, "Mirror", `select * from pull_mirrors where id = @id`, idArg(args.MirrorID))
	if err != nil {
		return fault.IgnoreNotFound(err)
	}
	p, runs, err := runnable(ctx, st, m.ProjectID)
	switch {
	case err != nil:
		return fault.IgnoreNotFound(err)
	case !runs:
		return pulls.postpone(ctx, st, m.ID, pullEvery)
	case p.ImportStatus == "scheduled" || p.ImportStatus == "started": // the first pull comes after it
		return pulls.postpone(ctx, st, m.ID, time.Minute)
	}
	r, err := pulls.claim(ctx, st, due{args.MirrorID, args.Runs})
	if err != nil {
		return fault.IgnoreNotFound(err)
	}
	alive, stop := r.keep(ctx, st)
	var note string
	if r.Tries > maxPullTries {
		err = permanent(fmt.Sprintf("the server has stopped %d times during the pull", maxPullTries))
	} else {
		note, err = c.pull(alive, st, r, p, m)
	}
	stop()
	return c.endPull(ctx, alive, st, r, p, m, note, err)
}

// postpone makes a mirror due later that cannot run now.
func (t table) postpone(ctx context.Context, st *db.Store, id int64, by time.Duration) error {
	return st.Exec(ctx, `update `+string(t)+` set due_at = now() + @by::interval, alive_at = null
		where id = @id and (alive_at is null or alive_at < now() - @dead::interval)`,
		namedArgs{"id": id, "by": by, "dead": aliveFor})
}

// endPull stores how a pull ended. After failures the next one comes later and later, and after
// many none does.
func (c courier) endPull(
	ctx, alive context.Context, st *db.Store, r Run, p tree.Project, m PullMirror, note string, err error,
) error {
	ending := context.WithoutCancel(ctx)
	url, failed := m.address(st)
	if failed != nil {
		return failed
	}
	if err == nil {
		return fault.IgnoreNotFound(st.Tx(ending, func(st *db.Store) error {
			if err := r.finish(ending, st, new(time.Now().Add(pullEvery)), outbound.Scrub(note, url)); err != nil {
				return err
			}
			return project.StorePull(ending, st, p.ID, "")
		}))
	}
	if fault.CodeOf(context.Cause(alive)) == fault.CodeNotFound {
		return nil // the project follows nothing any more
	}
	if errors.Is(ctx.Err(), context.Canceled) { // the server stops
		return fault.IgnoreNotFound(r.release(ending, st))
	}
	text, internal := explain(err, r.limit())
	text = outbound.Scrub(text, url)
	settings, failed := setting.Read(ending, st)
	if failed != nil {
		return errors.Join(internal, failed)
	}
	if r.Tries < maxPullTries {
		next := time.Now().Add(pullDelay(r.Tries, time.Duration(settings.MirrorMaxDelay)*time.Minute))
		failed = st.Tx(ending, func(st *db.Store) error {
			if err := r.retry(ending, st, "failed", text, next); err != nil {
				return err
			}
			return project.StorePull(ending, st, p.ID, text)
		})
		return errors.Join(internal, fault.IgnoreNotFound(failed))
	}
	failed = st.Tx(ending, func(st *db.Store) error {
		tell, err := r.fail(ending, st, r.Tries, text)
		if err == nil && tell {
			err = tellFailure(ending, st, p, "pull mirror", m.URL, text)
		}
		if err != nil {
			return err
		}
		return project.StorePull(ending, st, p.ID, text)
	})
	return errors.Join(internal, fault.IgnoreNotFound(failed))
}

// pullDelay returns the pause after a number of failures: twice as long each time, up to a limit.
func pullDelay(failures int, limit time.Duration) time.Duration {
	return max(min(pullEvery<<min(failures-1, 10), limit), pullPause)
}

// pull moves the refs of a project to where those of the repository are that it follows, and brings
// large files. The note says why some of these have not come: that does not end the pull.
func (c courier) pull(
	ctx context.Context, st *db.Store, r Run, p tree.Project, m PullMirror,
) (note string, err error) {
	by, err := mirrorUser(ctx, st, p)
	if err != nil {
		return "", err
	}
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return "", err
	}
	url, err := m.address(st)
	if err != nil {
		return "", err
	}
	host := remote.Host{Guard: c.out, Policy: setting.OutboundPolicy(settings), Field: "import_url"}
	if host.Policy.FindProblem(outbound.Git, url) != "" {
		return "", permanent("The mirror URL is blocked; see import_url")
	}
	if host.SSH, err = m.SSH.open(ctx, st, pulls, m.ID, usesKey(url)); err != nil {
		return "", err
	}
	from, err := remote.Open(ctx, host, url)
	if err != nil {
		return "", err
	}
	defer from.Close()
	g, err := code.Open(ctx, st, p)
	if err != nil {
		return "", err
	}
	plan, err := planPull(ctx, st, g, p, from.Refs)
	if err != nil {
		return "", err
	}
	var results []string
	if len(plan.commands) > 0 {
		if !m.LFSDue { // so that a run that is killed leaves nothing out
			if err := r.change(ctx, st, `lfs_due = true`, nil); err != nil {
				return "", err
			}
		}
		if results, err = plan.carryOut(ctx, st, p, by, from); err != nil {
			return "", err
		}
	}
	note, err = c.pullLFS(ctx, st, r, lfsPull{
		project: p, moved: plan.moved(results), haves: plan.haves, all: m.LFSDue, address: url, policy: host.Policy,
	})
	if err != nil {
		return "", err
	}
	return note, plan.outcome(results, g.Head)
}

// mirrorUser returns who the mirror of a project acts as.
func mirrorUser(ctx context.Context, st *db.Store, p tree.Project) (a code.Author, err error) {
	refused := remote.Error("The mirror user is not allowed to push code to the project; set mirror_user_id again")
	if p.Settings.MirrorUserID == nil {
		return a, refused
	}
	if a.User, err = tree.FindUser(ctx, st, *p.Settings.MirrorUserID); err != nil {
		if fault.CodeOf(err) == fault.CodeNotFound {
			err = refused
		}
		return a, err
	}
	found, err := tree.ProjectFor(ctx, st, fmt.Sprint(p.ID), a.User.ID)
	if err != nil {
		return a, err
	}
	level := policy.Level(found.Level)
	if a.User.State != "active" || level < policy.Developer && !a.User.Admin {
		return a, refused
	}
	a.Pusher = protect.Pusher{Who: policy.Who{ID: a.User.ID, Level: level, Admin: a.User.Admin}}
	if !p.Settings.MirrorTriggerBuilds {
		a.Options = []string{"ci.skip"}
	}
	return a, nil
}

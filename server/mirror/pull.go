package mirror

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/git/pkt"
	"hew/server/git/remote"
	"hew/server/outbound"
	"hew/server/policy"
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
	err = c.pull(alive, st, p, m)
	stop()
	return c.endPull(ctx, alive, st, r, p, m, err)
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
	ctx, alive context.Context, st *db.Store, r Run, p tree.Project, m PullMirror, err error,
) error {
	ending := context.WithoutCancel(ctx)
	if err == nil {
		return fault.IgnoreNotFound(r.finish(ending, st, new(time.Now().Add(pullEvery))))
	}
	if fault.CodeOf(context.Cause(alive)) == fault.CodeNotFound {
		return nil // the project follows nothing any more
	}
	if errors.Is(ctx.Err(), context.Canceled) { // the server stops
		return fault.IgnoreNotFound(r.release(ending, st))
	}
	text, internal := explain(err, r.limit())
	if url, failed := m.address(st); failed == nil {
		text = outbound.Scrub(text, url)
	}
	settings, failed := setting.Read(ending, st)
	if failed != nil {
		return errors.Join(internal, failed)
	}
	if r.Tries < maxPullTries {
		next := time.Now().Add(pullDelay(r.Tries, time.Duration(settings.MirrorMaxDelay)*time.Minute))
		return errors.Join(internal, fault.IgnoreNotFound(r.retry(ending, st, "failed", text, next)))
	}
	failed = st.Tx(ending, func(st *db.Store) error {
		tell, err := r.fail(ending, st, r.Tries, text)
		if err == nil && tell {
			err = tellFailure(ending, st, p, "pull mirror", m.URL, text)
		}
		return err
	})
	return errors.Join(internal, fault.IgnoreNotFound(failed))
}

// pullDelay returns the pause after a number of failures: twice as long each time, up to a limit.
func pullDelay(failures int, limit time.Duration) time.Duration {
	return max(min(pullEvery<<min(failures-1, 10), limit), pullPause)
}

// pull moves the refs of a project to where those of the repository are that it follows.
func (c courier) pull(ctx context.Context, st *db.Store, p tree.Project, m PullMirror) error {
	by, err := mirrorUser(ctx, st, p)
	if err != nil {
		return err
	}
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return err
	}
	url, err := m.address(st)
	if err != nil {
		return err
	}
	policy := setting.OutboundPolicy(settings)
	if policy.FindProblem(outbound.Web, url) != "" {
		return permanent("The mirror URL is blocked; see import_url")
	}
	from, err := remote.Open(ctx, remote.Host{Guard: c.out, Policy: policy, Field: "import_url"}, url)
	if err != nil {
		return err
	}
	defer from.Close()
	g, err := code.Open(ctx, st, p)
	if err != nil {
		return err
	}
	plan, err := planPull(ctx, st, g, p, from.Refs)
	if err != nil || len(plan.commands) == 0 {
		return err
	}
	pack, err := from.Fetch(ctx, plan.wants(), plan.haves)
	if err != nil {
		return err
	}
	defer pack.Close()
	results, err := code.Pull(ctx, st, code.Pulled{
		Project: p, By: by, Commands: plan.commands, Overwrite: p.Settings.MirrorOverwritesDiverged != nil &&
			*p.Settings.MirrorOverwritesDiverged,
	}, pack)
	if err != nil {
		return err
	}
	return plan.outcome(results, g.Head)
}

// outcome returns what was not moved and should have been, as an error. Refs may diverge, but for
// the default branch.
func (p pullPlan) outcome(results []string, head string) error {
	var stayed []string
	for i, result := range results {
		ref := p.commands[i].Ref
		switch {
		case result == code.Diverged && ref == code.Heads+head:
			return remote.Error(fmt.Sprintf("The default branch (%s) has diverged from its upstream counterpart "+
				"and could not be updated automatically.", head))
		case result != "" && result != code.Diverged:
			stayed = append(stayed, ref+": "+result)
		}
	}
	if len(stayed) > 0 {
		return remote.Error("Some refs could not be updated:" + listed(stayed))
	}
	return nil
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

// pullPlan is what a pull asks for.
type pullPlan struct {
	commands []pkt.Command
	haves    []object.ID
}

// maxHaves is how many of our commits are named to the other side.
const maxHaves = 1000

func (p pullPlan) wants() (ids []object.ID) {
	seen := map[object.ID]bool{}
	for _, c := range p.commands {
		if !seen[c.New] {
			seen[c.New] = true
			ids = append(ids, c.New)
		}
	}
	return ids
}

// planPull compares the refs of a project with those that it follows. Refs that only the project
// has stay, and so does a branch that is ahead.
func planPull(
	ctx context.Context, st *db.Store, g *code.Git, p tree.Project, theirs []pkt.Ref,
) (plan pullPlan, err error) {
	refs, err := g.Refs(ctx, st, code.Heads, code.Tags)
	if err != nil {
		return plan, err
	}
	history, err := g.History(ctx)
	if err != nil {
		return plan, err
	}
	only := p.Settings.OnlyMirrorProtectedBranches
	admits, err := branchFilter(ctx, st, p.ID, only != nil && *only, p.Settings.MirrorBranchRegex)
	if err != nil {
		return plan, err
	}
	here := map[string]code.Ref{}
	for _, ref := range refs {
		here[ref.Name] = ref
		if len(plan.haves) < maxHaves && !slices.Contains(plan.haves, ref.Commit()) {
			plan.haves = append(plan.haves, ref.Commit())
		}
	}
	r := rules{Branch: admits, Known: history.Has, Reach: history.IsAncestor}
	for _, ref := range theirs {
		ours := here[ref.Name]
		if ref.ID.IsZero() || ours.ID == ref.ID || !r.admits(ref.Name) ||
			!ours.ID.IsZero() && r.follows(ref.ID, ours.ID) {
			continue
		}
		plan.commands = append(plan.commands, pkt.Command{Old: ours.ID, New: ref.ID, Ref: ref.Name})
	}
	return plan, nil
}

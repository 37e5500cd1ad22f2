package mirror

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"hew/server/code"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/remote"
	"hew/server/jobs"
	"hew/server/outbound"
	"hew/server/setting"
	"hew/server/tree"
)

// maxPushTries is how often a push is tried, before it has failed (transfer §5).
const maxPushTries = 3

// courier runs mirrors.
type courier struct{ out *outbound.Guard }

// Jobs returns the jobs of the domain. Other hosts are reached through out.
func Jobs(out *outbound.Guard) []jobs.Kind {
	c := courier{out}
	return []jobs.Kind{
		jobs.On(c.runPush).Lasting(firstLimit + time.Minute), jobs.On(c.runPull).Lasting(firstLimit + time.Minute),
		jobs.On(func(ctx context.Context, st *db.Store, _ sweepJob) error { return Sweep(ctx, st, time.Now()) }).
			Each(sweepEvery),
	}
}

// permanent is the error of a run that no other run can mend.
type permanent string

// Error implements error.
func (p permanent) Error() string { return string(p) }

// runPush runs the push to a mirror. What is wrong with the other repository is stored for the
// maintainers of the project.
func (c courier) runPush(ctx context.Context, st *db.Store, args pushJob) error {
	m, err := db.One[PushMirror](ctx, st, "Mirror", `select * from push_mirrors where id = @id`, idArg(args.MirrorID))
	if err != nil {
		return fault.IgnoreNotFound(err)
	}
	p, runs, err := runnable(ctx, st, m.ProjectID)
	switch {
	case err != nil:
		return fault.IgnoreNotFound(err)
	case !runs || !m.Enabled:
		return pushes.forget(ctx, st, m.ID)
	}
	r, err := pushes.claim(ctx, st, due{args.MirrorID, args.Runs})
	if err != nil {
		return fault.IgnoreNotFound(err)
	}
	alive, stop := r.keep(ctx, st)
	var note string
	if r.Tries > maxPushTries {
		err = permanent(fmt.Sprintf("the server has stopped %d times during the push", maxPushTries))
	} else {
		note, err = c.push(alive, st, p, m)
	}
	stop()
	if err := c.endPush(ctx, alive, st, r, p, m, note, err); err != nil || ctx.Err() != nil {
		return err
	}
	return startWaiting(ctx, st, p.ID)
}

// endPush stores how a push ended.
func (c courier) endPush(
	ctx, alive context.Context, st *db.Store, r Run, p tree.Project, m PushMirror, note string, err error,
) error {
	ending := context.WithoutCancel(ctx)
	url, _ := MirrorURL(st, m) // "" if it cannot be read, which the run has said then
	if err == nil {
		return fault.IgnoreNotFound(r.finish(ending, st, nil, outbound.Scrub(note, url)))
	}
	if fault.CodeOf(context.Cause(alive)) == fault.CodeNotFound {
		return nil // the mirror was removed
	}
	if errors.Is(ctx.Err(), context.Canceled) { // the server stops
		return fault.IgnoreNotFound(r.release(ending, st))
	}
	text, internal := explain(err, r.limit())
	text = outbound.Scrub(text, url)
	var final permanent
	if !errors.As(err, &final) && r.Tries < maxPushTries {
		next := time.Now().Add(pauseOf(m) * time.Duration(r.Tries))
		failed := fault.IgnoreNotFound(r.retry(ending, st, "to_retry", text, next))
		return errors.Join(internal, failed)
	}
	failed := st.Tx(ending, func(st *db.Store) error {
		tell, err := r.fail(ending, st, 0, text)
		if err == nil && tell {
			err = tellFailure(ending, st, p, "push mirror", m.URL, text)
		}
		return err
	})
	return errors.Join(internal, fault.IgnoreNotFound(failed))
}

// explain returns why a run failed, for the maintainers of its project, and the error of this
// server that did it, if one did.
func explain(err error, limit time.Duration) (text string, internal error) {
	var said remote.Error
	var final permanent
	switch {
	case errors.As(err, &said):
		return said.Error(), nil
	case errors.As(err, &final):
		return final.Error(), nil
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("the mirror took longer than %v", limit), nil
	}
	text, ours := code.ImportText(err)
	if ours {
		internal = err
	}
	return strings.Replace(text, "ended the import", "ended the run of the mirror", 1), internal
}

// push pushes to a mirror. The note says why large files have not come to it.
func (c courier) push(ctx context.Context, st *db.Store, p tree.Project, m PushMirror) (note string, err error) {
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return "", err
	}
	url, err := MirrorURL(st, m)
	if err != nil {
		return "", err
	}
	policy := setting.OutboundPolicy(settings)
	if policy.FindProblem(outbound.Git, url) != "" {
		return "", permanent("The remote mirror URL is invalid.")
	}
	host := remote.Host{Guard: c.out, Policy: policy, Field: "url"}
	switch scheme, _, _ := strings.Cut(strings.ToLower(url), "://"); {
	case scheme == "ssh":
		host.SSH, err = m.SSH.open(ctx, st, pushes, m.ID, m.AuthMethod == ByKey)
	case m.AuthMethod == ByPassword && strings.HasPrefix(scheme, "http"):
		note, err = c.pushLFS(ctx, st, p, url, policy)
	}
	if err != nil {
		return "", err
	}
	return note, c.pushRefs(ctx, st, p, m, host, url)
}

// pushRefs pushes refs with what they reach.
func (c courier) pushRefs(
	ctx context.Context, st *db.Store, p tree.Project, m PushMirror, host remote.Host, url string,
) error {
	to, err := remote.OpenForPush(ctx, host, url)
	if err != nil {
		return err
	}
	defer to.Close()
	g, err := code.Open(ctx, st, p)
	if err != nil {
		return err
	}
	plan, err := planPush(ctx, st, g, m, to)
	if err != nil {
		return err
	}
	return plan.carryOut(ctx, g, to)
}

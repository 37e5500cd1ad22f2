package api

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"net/http"
	"time"

	"hew/server/ci"
	"hew/server/ci/expression"
	"hew/server/fault"
	"hew/server/rest"
	"hew/server/secret"
)

// jobRequests is the route by which runners ask for jobs (gaps §10.4, CI facts §4).
type jobRequests struct {
	self rest.Guard[selfScope]
	site ci.Site
}

func (a jobRequests) routes() []rest.Route {
	return []rest.Route{rest.Post("/jobs/request", a.self, a.request).WithoutTransaction()}
}

// holdTime is how long a runner that has asked before waits for a job.
const holdTime = 50 * time.Second

type managerInfo struct {
	runnerInfo
	Features map[string]bool `param:"features"`
}

type jobRequest struct {
	Token      string      `param:"token"` // the guard has read it
	SystemID   string      `param:"system_id"`
	LastUpdate string      `param:"last_update"`
	Info       managerInfo `param:"info"`
}

// lastUpdateHeader carries what a runner sends back as last_update: it is then held until there is
// a job for it.
const lastUpdateHeader = "X-GitLab-Last-Update"

// lastUpdate returns what a runner is to send back. It is the same in all processes.
func lastUpdate(r ci.Runner) string {
	digest := secret.Digest("last update of " + hex.EncodeToString(r.Digest))
	return hex.EncodeToString(digest[:16])
}

// request gives the runner its next job.
func (a jobRequests) request(ctx context.Context, s selfScope, in jobRequest) (rest.Raw, error) {
	by := ci.Taker{Runner: s.Runner, SystemID: cmp.Or(in.SystemID, registered), Features: in.Info.Features}
	if err := ci.NoteContact(ctx, s.Store, ci.RunnerManager{
		RunnerID: s.Runner.ID, SystemID: by.SystemID, IPAddress: &s.Address, RunnerInfo: ci.RunnerInfo{
			Version: in.Info.Version, Revision: in.Info.Revision, Platform: in.Info.Platform,
			Architecture: in.Info.Architecture,
		},
	}); err != nil {
		return nil, err
	}
	hold := time.Duration(0)
	if in.LastUpdate == lastUpdate(s.Runner) {
		hold = holdTime
	}
	until := time.Now().Add(hold)
	for {
		taken, found, err := take(ctx, s, by, time.Until(until))
		if err != nil || !found {
			return nothing(s.Runner), err
		}
		reason := "data_integrity_failure"
		work, err := ci.ReadWork(ctx, s.Store, a.site, taken, s.Runner)
		switch {
		case err == nil && ctx.Err() == nil:
			return rest.JSON(http.StatusCreated, payloadOf(a.site, work)), nil
		case errors.Is(err, ci.ErrMissingDependency):
			reason = "missing_dependency_failure"
		case !isBroken(err):
			return nil, errors.Join(err, ctx.Err(), ci.GiveBack(context.WithoutCancel(ctx), s.Store, taken))
		}
		if err := ci.FinishJob(ctx, s.Store, taken.Job, ci.Outcome{Reason: reason}); err != nil {
			return nil, err
		}
	}
}

func take(ctx context.Context, s selfScope, by ci.Taker, hold time.Duration) (ci.Taken, bool, error) {
	if hold <= 0 {
		return ci.TakeJob(ctx, s.Store, by)
	}
	return ci.AwaitJob(ctx, s.Store, by, hold)
}

// isBroken reports whether an error is one of the job itself, which no other runner could run
// either.
func isBroken(err error) bool {
	var circle *expression.CircularError
	return errors.As(err, &circle) || errors.Is(err, expression.ErrTooLarge) || fault.CodeOf(err) == fault.CodeNotFound
}

// nothing is the answer to a runner without a job.
func nothing(r ci.Runner) rest.Raw {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set(lastUpdateHeader, lastUpdate(r))
		w.WriteHeader(http.StatusNoContent)
	})
}

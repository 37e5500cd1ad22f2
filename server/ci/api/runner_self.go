package api

import (
	"context"
	"time"

	"hew/server/ci"
	"hew/server/fault"
	"hew/server/rest"
)

// runnerSelf are the routes that runners call themselves, with a token instead of a user (gaps
// §10.4).
type runnerSelf struct{}

func (a runnerSelf) routes() []rest.Route {
	self := a.self()
	return []rest.Route{
		rest.Post("/runners", a.registering(), a.register),
		rest.Post("/runners/verify", self, a.verify).Status(200),
		rest.Post("/runners/reset_authentication_token", self, a.resetToken),
		rest.Delete("/runners", self, a.unregister),
		rest.Delete("/runners/managers", self, a.unregisterManager),
	}
}

// registered is the system id of the manager that registers: it sends none.
const registered = "<legacy>"

type runnerInfo struct {
	Name         *string `param:"name"`
	Version      *string `param:"version"`
	Revision     *string `param:"revision"`
	Platform     *string `param:"platform"`
	Architecture *string `param:"architecture"`
}

type runnerRegistration struct {
	Info runnerInfo `param:"info"`
	runnerFields
}

func (runnerSelf) register(ctx context.Context, s registrationScope, in runnerRegistration) (runnerTokenView, error) {
	fresh, err := ci.RegisterRunner(ctx, s.Store, s.Token, func(r *ci.Runner) error {
		r.Name = in.Info.Name
		return in.into(r)
	})
	about := ci.RunnerInfo{
		Version: in.Info.Version, Revision: in.Info.Revision, Platform: in.Info.Platform,
		Architecture: in.Info.Architecture,
	}
	if err == nil && about != (ci.RunnerInfo{}) {
		err = ci.RecordContact(
			ctx, s.Store, ci.RunnerManager{RunnerID: fresh.ID, SystemID: registered, RunnerInfo: about},
		)
	}
	return rest.Show(newRunnerViewOf)(fresh, err)
}

type runnerVerify struct {
	SystemID string `param:"system_id"`
}

// verify tells a runner that its token is valid and records the contact.
func (runnerSelf) verify(ctx context.Context, s selfScope, in runnerVerify) (runnerTokenView, error) {
	r, err := ci.RunnerFor(ctx, s.Store, s.Runner.ID, 0)
	switch {
	case err != nil:
		return runnerTokenView{}, err
	case r.Type == ci.ProjectRunner && r.Projects == 0:
		return runnerTokenView{}, fault.Unprocessable("Runner is orphaned")
	case in.SystemID == "":
		in.SystemID = registered
	}
	err = ci.RecordContact(ctx, s.Store, ci.RunnerManager{
		RunnerID: r.ID, SystemID: in.SystemID, ContactedAt: new(time.Now()), IPAddress: &s.Address,
	})
	return rest.Show(newRunnerViewOf)(ci.RunnerWithToken{Runner: r.Runner, Token: s.Token}, err)
}

func (runnerSelf) resetToken(ctx context.Context, s selfScope, _ rest.None) (runnerTokenView, error) {
	return rest.Show(resetRunnerViewOf)(ci.ResetRunner(ctx, s.Store, s.Runner.ID))
}

func (runnerSelf) unregister(ctx context.Context, s selfScope, _ rest.None) (rest.None, error) {
	return rest.None{}, ci.UnregisterRunner(ctx, s.Store, s.Runner.ID, rest.Unmodified)
}

type runnerManagerID struct {
	SystemID string `param:"system_id,required"`
}

func (runnerSelf) unregisterManager(ctx context.Context, s selfScope, in runnerManagerID) (rest.None, error) {
	found, err := ci.RemoveRunnerManager(ctx, s.Store, s.Runner.ID, in.SystemID)
	if err == nil && !found {
		err = fault.NotFound("Runner manager")
	}
	return rest.None{}, err
}

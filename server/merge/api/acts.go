package api

import (
	"context"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/merge"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/view"
	"hew/server/work"
	workapi "hew/server/work/api"
)

// actRoutes serves what users do with a merge request beside its text: they subscribe, and log
// time.
func (a requests) actRoutes() []rest.Route {
	const one = "/projects/{id}/merge_requests/{merge_request_iid}"
	read, follow, admin := ForRequest(policy.ReadMergeRequest), ForRequest(followRequest), ForRequest(adminRequest)
	return []rest.Route{
		rest.Post(one+"/subscribe", follow, a.subscribe(true)),
		rest.Post(one+"/unsubscribe", follow, a.subscribe(false)),
		rest.Get(one+"/participants", read, a.participants),
		rest.Get(one+"/time_stats", read, a.timeStats),
		rest.Post(one+"/time_estimate", admin, a.estimate).Status(200),
		rest.Post(one+"/reset_time_estimate", admin, a.resetEstimate).Status(200),
		rest.Post(one+"/add_spent_time", admin, a.spend),
		rest.Post(one+"/reset_spent_time", admin, a.resetSpent).Status(200),
	}
}

// subscribe returns a handler that keeps whether the caller wants to hear of a merge request.
func (a requests) subscribe(subscribed bool) rest.Handler[InRequest, rest.None, oneView] {
	return func(ctx context.Context, s InRequest, _ rest.None) (oneView, error) {
		changed, err := work.ChooseSubscription(ctx, s.Store, s.Request.Target(), s.Caller.ID(), subscribed)
		switch {
		case err != nil:
			return oneView{}, err
		case !changed:
			return oneView{}, fault.NotModified()
		}
		return a.one(ctx, s.InProject, s.Request)
	}
}

// participants lists the participants who can read the merge request.
func (a requests) participants(ctx context.Context, s InRequest, in page) (rest.List[view.BasicUser], error) {
	list, err := work.Participants(ctx, s.Store, s.Request.Target())
	if err != nil {
		return rest.List[view.BasicUser]{}, err
	}
	return workapi.ShowReaders(a.Site, in.Paging, list, func(ids []int64) ([]int64, error) {
		return merge.Readers(ctx, s.Store, s.Request, ids)
	})
}

func (requests) timeStats(_ context.Context, s InRequest, _ rest.None) (workapi.TimeStats, error) {
	return timeStatsOf(s.Request), nil
}

func timeStatsOf(r merge.Request) workapi.TimeStats {
	return workapi.NewTimeStats(r.TimeEstimate, r.TimeSpent)
}

func (requests) estimate(ctx context.Context, s InRequest, in workapi.Estimate) (workapi.TimeStats, error) {
	seconds, err := in.Seconds()
	if err != nil {
		return workapi.TimeStats{}, err
	}
	return setEstimate(ctx, s, seconds)
}

func (requests) resetEstimate(ctx context.Context, s InRequest, _ rest.None) (workapi.TimeStats, error) {
	return setEstimate(ctx, s, 0)
}

func setEstimate(ctx context.Context, s InRequest, seconds int64) (workapi.TimeStats, error) {
	r, err := merge.Change(ctx, s.Store, s.Project.Project, s.Caller.User, s.Request.ID,
		func(_ *db.Store, r *merge.Request) error {
			r.TimeEstimate = seconds
			return nil
		})
	return timeStatsOf(r), err
}

func (requests) spend(ctx context.Context, s InRequest, in workapi.SpentTime) (workapi.TimeStats, error) {
	spent, err := in.Read()
	if err != nil {
		return workapi.TimeStats{}, err
	}
	r, err := merge.SpendTime(ctx, s.Store, s.Project.Project, s.Caller.User, s.Request.ID, spent)
	return timeStatsOf(r), err
}

func (requests) resetSpent(ctx context.Context, s InRequest, _ rest.None) (workapi.TimeStats, error) {
	r, err := merge.ResetTimeSpent(ctx, s.Store, s.Project.Project, s.Caller.User, s.Request.ID)
	return timeStatsOf(r), err
}

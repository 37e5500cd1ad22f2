package api

import (
	"context"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/rest"
	"hew/server/tree"
	"hew/server/view"
	"hew/server/work"
	"hew/server/work/duration"
)

// issueReorder names the issues that come after the one that moves and before it (more-2 §10.2).
type issueReorder struct {
	After  rest.Opt[int64] `param:"move_after_id"`
	Before rest.Opt[int64] `param:"move_before_id"`
	_      struct{}        `atleast:"move_after_id move_before_id"`
}

func (a issues) reorder(ctx context.Context, s InIssue, in issueReorder) (issueView, error) {
	if err := work.ReorderIssue(ctx, s.Store, s.Issue, in.Before.Or(0), in.After.Or(0)); err != nil {
		return issueView{}, err
	}
	i, err := work.Issues(s.Store, s.Project.ID).One(ctx, db.ByID(s.Issue.ID))
	if err != nil {
		return issueView{}, err
	}
	return a.one(ctx, s.InProject, i)
}

// subscribe returns a handler that keeps whether the caller wants to hear of an issue.
func (a issues) subscribe(subscribed bool) rest.Handler[InIssue, rest.None, issueView] {
	return func(ctx context.Context, s InIssue, _ rest.None) (issueView, error) {
		changed, err := work.ChooseSubscription(ctx, s.Store, s.Issue.Target(), s.Caller.ID(), subscribed)
		switch {
		case err != nil:
			return issueView{}, err
		case !changed:
			return issueView{}, fault.NotModified()
		}
		return a.one(ctx, s.InProject, s.Issue)
	}
}

type issuePage struct{ rest.Paging }

// participants lists the participants who can read the issue.
func (a issues) participants(ctx context.Context, s InIssue, in issuePage) (rest.List[view.BasicUser], error) {
	read := work.PublicParticipants
	if s.notes().Reader.Internal {
		read = work.Participants
	}
	list, err := read(ctx, s.Store, s.Issue.Target())
	if err != nil {
		return rest.List[view.BasicUser]{}, err
	}
	ids := make([]int64, len(list))
	for n, p := range list {
		ids[n] = p.ID
	}
	readers, err := work.IssueReaders(ctx, s.Store, s.Issue, ids, false)
	var seen []tree.Person
	for _, p := range list {
		if containsID(readers, p.ID) {
			seen = append(seen, p)
		}
	}
	return rest.PageOf(seen, in.Paging, a.BasicUser), err
}

func containsID(ids []int64, id int64) bool {
	for _, other := range ids {
		if other == id {
			return true
		}
	}
	return false
}

// noMergeRequests answers the merge requests of an issue: none, until there are merge requests.
func (issues) noMergeRequests(context.Context, InIssue, issuePage) (rest.List[rest.None], error) {
	return rest.List[rest.None]{}, nil
}

func adminsOnly(_ context.Context, s InIssue) error {
	if !s.Caller.Admin() {
		return fault.Forbidden("")
	}
	return nil
}

// userAgent answers that no address was kept, since issues are only made through the API.
func (issues) userAgent(context.Context, InIssue, rest.None) (rest.None, error) {
	return rest.None{}, fault.NotFound("UserAgentDetail")
}

func (issues) timeStats(_ context.Context, s InIssue, _ rest.None) (TimeStats, error) {
	return timeStatsOf(s.Issue), nil
}

type issueEstimate struct {
	Duration string `param:"duration,required,notempty"`
}

func (issues) estimate(ctx context.Context, s InIssue, in issueEstimate) (TimeStats, error) {
	seconds, ok := duration.Parse(in.Duration)
	if !ok && !duration.IsZero(in.Duration) || seconds < 0 {
		const refusal = "Time estimate must have a valid format and be greater than or equal to zero."
		return TimeStats{}, fault.BadRequest(refusal).In(fault.Text)
	}
	return setEstimate(ctx, s, seconds)
}

func (issues) resetEstimate(ctx context.Context, s InIssue, _ rest.None) (TimeStats, error) {
	return setEstimate(ctx, s, 0)
}

func setEstimate(ctx context.Context, s InIssue, seconds int64) (TimeStats, error) {
	i, err := work.ChangeIssue(ctx, s.Store, s.Project.Project, s.Caller.User, db.ByID(s.Issue.ID),
		func(_ *db.Store, i *work.Issue) error {
			i.TimeEstimate = seconds
			return nil
		})
	return timeStatsOf(i), err
}

type issueSpent struct {
	Duration string `param:"duration,required,notempty"`
	Summary  string `param:"summary"`
}

func (issues) spend(ctx context.Context, s InIssue, in issueSpent) (TimeStats, error) {
	seconds, ok := duration.Parse(in.Duration)
	if !ok {
		const refusal = "Time spent must be formatted correctly. For example: 1h 30m."
		return TimeStats{}, fault.BadRequest(refusal).In(fault.Text)
	}
	i, err := work.SpendTime(ctx, s.Store, s.Project.Project, s.Caller.User, s.Issue.ID,
		work.Spent{Seconds: seconds, Summary: in.Summary})
	return timeStatsOf(i), err
}

func (issues) resetSpent(ctx context.Context, s InIssue, _ rest.None) (TimeStats, error) {
	i, err := work.ResetTimeSpent(ctx, s.Store, s.Project.Project, s.Caller.User, s.Issue.ID)
	return timeStatsOf(i), err
}

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
	return ShowReaders(a.Site, in.Paging, list, func(ids []int64) ([]int64, error) {
		return work.IssueReaders(ctx, s.Store, s.Issue, ids, false)
	})
}

// ShowReaders returns a page of those of the people whom readers returns by their ids.
func ShowReaders(
	site *view.Site, p rest.Paging, list []tree.Person, readers func(ids []int64) ([]int64, error),
) (rest.List[view.BasicUser], error) {
	ids := make([]int64, len(list))
	for n, person := range list {
		ids[n] = person.ID
	}
	seen, err := readers(ids)
	var shown []tree.Person
	for _, person := range list {
		if containsID(seen, person.ID) {
			shown = append(shown, person)
		}
	}
	return rest.PageOf(shown, p, site.BasicUser), err
}

func containsID(ids []int64, id int64) bool {
	for _, other := range ids {
		if other == id {
			return true
		}
	}
	return false
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

// Estimate are the parameters of a time estimate.
type Estimate struct {
	Duration string `param:"duration,required,notempty"`
}

// Seconds reads the estimate.
func (in Estimate) Seconds() (int64, error) {
	seconds, ok := duration.Parse(in.Duration)
	if !ok && !duration.IsZero(in.Duration) || seconds < 0 {
		const refusal = "Time estimate must have a valid format and be greater than or equal to zero."
		return 0, fault.BadRequest(refusal).In(fault.Text)
	}
	return seconds, nil
}

func (issues) estimate(ctx context.Context, s InIssue, in Estimate) (TimeStats, error) {
	seconds, err := in.Seconds()
	if err != nil {
		return TimeStats{}, err
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

// SpentTime are the parameters of time that was spent.
type SpentTime struct {
	Duration string `param:"duration,required,notempty"`
	Summary  string `param:"summary"`
}

// Read reads the time.
func (in SpentTime) Read() (work.Spent, error) {
	seconds, ok := duration.Parse(in.Duration)
	if !ok {
		const refusal = "Time spent must be formatted correctly. For example: 1h 30m."
		return work.Spent{}, fault.BadRequest(refusal).In(fault.Text)
	}
	return work.Spent{Seconds: seconds, Summary: in.Summary}, nil
}

func (issues) spend(ctx context.Context, s InIssue, in SpentTime) (TimeStats, error) {
	spent, err := in.Read()
	if err != nil {
		return TimeStats{}, err
	}
	i, err := work.SpendTime(ctx, s.Store, s.Project.Project, s.Caller.User, s.Issue.ID, spent)
	return timeStatsOf(i), err
}

func (issues) resetSpent(ctx context.Context, s InIssue, _ rest.None) (TimeStats, error) {
	i, err := work.ResetTimeSpent(ctx, s.Store, s.Project.Project, s.Caller.User, s.Issue.ID)
	return timeStatsOf(i), err
}

package merge

import (
	"context"
	"regexp"

	"github.com/jackc/pgx/v5"

	"hew/server/code"
	"hew/server/db"
	"hew/server/tree"
)

// Status says why a merge request cannot be merged, as detailed_merge_status has it (gaps §7.1).
type Status string

// The statuses in the order in which they count: the first one that applies is shown.
const (
	IsPreparing      Status = "preparing"
	IsUnchecked      Status = "unchecked"
	IsChecking       Status = "checking"
	NotOpen          Status = "not_open"
	Unready          Status = "draft_status"
	Broken           Status = "broken_status"  // a branch is gone
	NoCommits        Status = "commits_status" // the target branch has all of the source's
	Unresolved       Status = "discussions_not_resolved"
	Blocked          Status = "merge_request_blocked"
	ChangesRequested Status = "requested_changes"
	NotApproved      Status = "not_approved"
	WrongTitle       Status = "title_regex"
	PipelineMissing  Status = "ci_must_pass"     // the pipeline of the head failed, or there is none
	PipelineRuns     Status = "ci_still_running" // it is not over
	Conflicts        Status = "conflict"
	NeedsRebase      Status = "need_rebase"
	Mergeable        Status = "mergeable"
)

// statusWords say why a merge request with a status cannot be merged, after "because".
var statusWords = map[Status]string{
	IsPreparing:      "it is being prepared",
	IsUnchecked:      "it has not been checked for conflicts",
	IsChecking:       "it is being checked for conflicts",
	NotOpen:          "it is not open",
	Unready:          "it is a draft",
	Broken:           "the source or the target branch does not exist",
	NoCommits:        "the source branch has no commits to merge",
	Unresolved:       "not all discussions are resolved",
	Blocked:          "a merge request that blocks it is not merged",
	ChangesRequested: "a reviewer requested changes",
	NotApproved:      "it is not approved",
	WrongTitle:       "its title does not match the pattern of the project",
	PipelineMissing:  "the project requires a successful pipeline",
	PipelineRuns:     "its pipeline is still running",
	Conflicts:        "it has conflicts",
	NeedsRebase:      "the source branch must be rebased",
}

// notMergeable is the fault of a merge request whose status does not let it be merged.
type notMergeable struct {
	status Status
	fault  error
}

// Error implements error.
func (e notMergeable) Error() string { return string(e.status) + ": " + e.fault.Error() }

// Unwrap returns the fault, which is what clients see.
func (e notMergeable) Unwrap() error { return e.fault }

// checks are what a merge request has to pass, beside what its row says.
type checks struct {
	unresolvedCounts bool           // the project merges only when all discussions are resolved
	title            *regexp.Regexp // that the title has to match; nil: any
	blocked          bool           // by another merge request that is not merged
	requested        bool           // a reviewer has requested changes
	approved         bool
	pipeline         Status // PipelineMissing or PipelineRuns where the project merges only what passed; "": fine
	behind           bool   // the target branch has commits that the source lacks, and the method merges none
}

// statusOf returns the status of a merge request that the checks lead to.
func (c checks) statusOf(r Request) Status {
	git := r.GitStatus()
	for _, rule := range []struct {
		applies bool
		status  Status
	}{
		{git == Preparing, IsPreparing},
		{git == Unchecked || git == CannotBeMergedRecheck, IsUnchecked},
		{git == Checking, IsChecking},
		{!r.IsOpen(), NotOpen},
		{r.Draft, Unready},
		{r.BranchGone(), Broken},
		{r.Head == r.Base, NoCommits},
		{c.unresolvedCounts && r.Unresolved > 0, Unresolved},
		{c.blocked, Blocked},
		{c.requested, ChangesRequested},
		{!c.approved, NotApproved},
		{c.title != nil && !c.title.MatchString(r.Title), WrongTitle},
		{c.pipeline == PipelineMissing, PipelineMissing},
		{c.pipeline == PipelineRuns, PipelineRuns},
		{git == CannotBeMerged, Conflicts},
		{c.behind, NeedsRebase},
	} {
		if rule.applies {
			return rule.status
		}
	}
	return Mergeable
}

// Statuses returns the status of each of the merge requests, by id.
func Statuses(ctx context.Context, s *db.Store, list []Request) (map[int64]Status, error) {
	ids := make([]int64, len(list))
	for n, r := range list {
		ids[n] = r.ID
	}
	statuses := make(map[int64]Status, len(list))
	if len(ids) == 0 {
		return statuses, nil
	}
	byID, err := waitingOf(ctx, s, ids)
	if err != nil {
		return nil, err
	}
	missing, err := unapproved(ctx, s, list)
	for _, r := range list {
		w := byID[r.ID]
		statuses[r.ID] = checks{
			unresolvedCounts: w.Settings.OnlyMergeIfDiscussionsResolved, title: titleRule(w.Settings),
			blocked: w.Blocked, requested: w.Requested, approved: !missing[r.ID],
			pipeline: w.pipelineStatus(),
			behind:   r.Behind && code.MergeMethod(w.Settings.MergeMethod) != code.MergeCommit,
		}.statusOf(r)
	}
	return statuses, err
}

// titleRule returns what titles have to match; nil if the project does not say, or says it in a way
// that cannot be read.
func titleRule(settings tree.ProjectSettings) *regexp.Regexp {
	if settings.MergeRequestTitleRegex == nil || *settings.MergeRequestTitleRegex == "" {
		return nil
	}
	rule, err := regexp.Compile(*settings.MergeRequestTitleRegex)
	if err != nil {
		return nil
	}
	return rule
}

// waiting is what a merge request waits for.
type waiting struct {
	ID        int64                `db:"id"`
	Settings  tree.ProjectSettings `db:"settings"` // of the target project
	Blocked   bool                 `db:"blocked"`
	Requested bool                 `db:"requested"`
	Pipeline  *string              `db:"pipeline"` // the state of the last one of the head; nil: there is none
}

// waitingOf returns what merge requests wait for, by id.
func waitingOf(ctx context.Context, s *db.Store, ids []int64) (map[int64]waiting, error) {
	rows, err := db.Many[waiting](ctx, s, `
		select t.id, p.settings,
			exists (select from merge_request_blocks b join merge_requests o on o.id = b.blocking_id
				where b.blocked_id = t.id and o.state <> 'merged') as blocked,
			exists (select from merge_request_reviewers v
				where v.merge_request_id = t.id and v.state = 'requested_changes') as requested,
			`+headPipeline("l.status")+` as pipeline
		from merge_requests t join projects p on p.id = t.project_id where t.id = any(@ids)`,
		pgx.NamedArgs{"ids": ids})
	byID := make(map[int64]waiting, len(ids))
	for _, w := range rows {
		byID[w.ID] = w
	}
	return byID, err
}

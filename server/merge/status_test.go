package merge

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/git/object"
)

// Each row breaks one more check than the one before, from the last that counts to the first
// (gaps §7.1).
func TestStatus(t *testing.T) {
	head, target, moved := object.ID{1}, object.ID{2}, object.ID{3}
	r := Request{
		State: Opened, MergeStatus: CanBeMerged, Title: "Add a page", Head: head, SourceHead: head,
		CheckedTarget: target, TargetHead: target,
	}
	c := checks{approved: true, unresolvedCounts: true, title: regexp.MustCompile("^[A-Z]")}
	require.Equal(t, Mergeable, c.statusOf(r))
	for _, step := range []struct {
		status Status
		spoil  func()
	}{
		{NeedsRebase, func() { c.behind = true }},
		{Conflicts, func() { r.MergeStatus = CannotBeMerged }},
		{PipelineRuns, func() { c.pipeline = PipelineRuns }},
		{PipelineMissing, func() { c.pipeline = PipelineMissing }},
		{WrongTitle, func() { r.Title = "add a page" }},
		{NotApproved, func() { c.approved = false }},
		{ChangesRequested, func() { c.requested = true }},
		{Blocked, func() { c.blocked = true }},
		{Unresolved, func() { r.Unresolved = 1 }},
		{NoCommits, func() { r.Base = head }},
		{Broken, func() { r.SourceHead = object.ID{} }},
		{Unready, func() { r.Draft = true }},
		{NotOpen, func() { r.State = Closed }},
		{IsChecking, func() { r.MergeStatus, r.SourceHead = Checking, head }},
		{IsUnchecked, func() { r.MergeStatus = Unchecked }},
		{IsPreparing, func() { r.MergeStatus = Preparing }},
	} {
		step.spoil()
		require.Equal(t, step.status, c.statusOf(r))
	}

	r = Request{
		State: Opened, MergeStatus: CanBeMerged, Head: head, SourceHead: head, CheckedTarget: target, TargetHead: moved,
	}
	require.Equal(t, IsUnchecked, checks{approved: true}.statusOf(r), "the target branch has moved")
	r.TargetHead, r.SourceHead = target, moved
	require.Equal(t, IsUnchecked, checks{approved: true}.statusOf(r), "the source branch has moved")
	r.MergeStatus = CannotBeMerged
	require.Equal(t, CannotBeMergedRecheck, r.GitStatus())
	require.Equal(t, Checking, Request{MergeStatus: Preparing}.ShownStatus(), "it is not a value of merge_status")
	r.State = Merged
	require.Equal(t, CannotBeMerged, r.GitStatus(), "a merged one does not change")
	r.State, r.Unresolved, r.MergeStatus, r.SourceHead = Opened, 1, CanBeMerged, head
	require.Equal(t, Mergeable, checks{approved: true}.statusOf(r), "discussions do not count in this project")
}

// What a pipeline says about a merge, by its state: only where the project asks.
func TestPipelineStatus(t *testing.T) {
	w := waiting{}
	require.Empty(t, w.pipelineStatus(), "the project does not ask")
	w.Settings.OnlyMergeIfPipelineSucceeds = true
	require.Equal(t, PipelineMissing, w.pipelineStatus(), "there is none")
	for state, want := range map[string]Status{
		"success": "", "failed": PipelineMissing, "canceled": PipelineMissing, "skipped": PipelineMissing,
		"manual": PipelineMissing, "created": PipelineRuns, "pending": PipelineRuns, "running": PipelineRuns,
		"waiting_for_resource": PipelineRuns, "scheduled": PipelineRuns, "canceling": PipelineRuns,
	} {
		w.Pipeline = &state
		require.Equal(t, want, w.pipelineStatus(), state)
	}
	w.Pipeline, w.Settings.AllowMergeOnSkippedPipeline = new("skipped"), new(true)
	require.Empty(t, w.pipelineStatus())
}

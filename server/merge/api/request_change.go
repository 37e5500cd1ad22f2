package api

import (
	"context"
	"strings"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/merge"
	"hew/server/rest"
	"hew/server/scope"
	"hew/server/work"
)

type requestChange struct {
	Title            rest.Opt[string]   `param:"title"`
	TargetBranch     rest.Opt[string]   `param:"target_branch"`
	AddLabels        rest.Opt[[]string] `param:"add_labels,comma"`
	RemoveLabels     rest.Opt[[]string] `param:"remove_labels,comma"`
	StateEvent       rest.Opt[string]   `param:"state_event" oneof:"close reopen"`
	DiscussionLocked rest.Opt[*bool]    `param:"discussion_locked"`
	requestFields
	_ struct{} `atleast:"title target_branch add_labels remove_labels state_event discussion_locked description assignee_id assignee_ids reviewer_ids milestone_id labels remove_source_branch squash allow_collaboration allow_maintainer_to_push"`
}

func (a requests) update(ctx context.Context, s InRequest, in requestChange) (oneView, error) {
	if err := s.edits(); err != nil {
		return oneView{}, err
	}
	if s.Request.FromFork() && (in.StateEvent.Given() || in.TargetBranch.Given()) {
		if err := merge.FetchSource(ctx, s.Store, s.Request); err != nil {
			return oneView{}, err
		}
	}
	var view oneView
	err := s.Store.Tx(ctx, func(st *db.Store) (err error) {
		s.Store = st
		view, err = a.change(ctx, s, in)
		return err
	})
	return view, err
}

// change edits a merge request in the transaction of s, and runs the quick actions of its
// description.
func (a requests) change(ctx context.Context, s InRequest, in requestChange) (oneView, error) {
	c := a.commander(s.InProject, s.isInvolved())
	commands := in.commandsOf(c)
	if err := c.Hold(ctx, s.Store, s.Request, commands); err != nil {
		return oneView{}, err
	}
	r, err := merge.Change(ctx, s.Store, s.Project.Project, s.Caller.User, s.Request.ID,
		func(st *db.Store, r *merge.Request) error {
			r.Title = in.Title.Or(r.Title)
			if r.State != merge.Merged { // what was merged, and into which branch, stays
				r.TargetBranch = in.TargetBranch.Or(r.TargetBranch)
			}
			if err := setState(r, strings.TrimSpace(in.StateEvent.Or(""))); err != nil {
				return err
			}
			in.into(s.InProject, r)
			if err := in.allow(r, func() (bool, error) { return pushesToSource(ctx, s, *r) }); err != nil {
				return err
			}
			if err := in.administer(ctx, st, s.InProject, r); err != nil {
				return err
			}
			return commands.Edit(ctx, st, r)
		})
	if err != nil {
		return oneView{}, err
	}
	return a.finish(ctx, s.InProject, commands, r)
}

// setState does what a state_event says. A merged request stays so.
func setState(r *merge.Request, event string) error {
	switch {
	case event == "close" && r.State == merge.Opened:
		r.State = merge.Closed
	case event == "reopen" && r.State == merge.Closed:
		r.State = merge.Opened
	case event != "" && r.State == merge.Locked:
		return fault.Conflict("The merge request is being merged: try again later")
	}
	return nil
}

// administer sets the labels and the lock of a merge request, if the caller may.
func (in requestChange) administer(ctx context.Context, st *db.Store, s scope.InProject, r *merge.Request) error {
	if !s.Can(adminRequest) {
		return nil
	}
	in.DiscussionLocked.Into(&r.DiscussionLocked)
	labels := work.LabelChoice{Add: in.AddLabels.Or(nil), Remove: in.RemoveLabels.Or(nil)}
	if in.Labels.Given() {
		labels.Set = append([]string{}, in.Labels.Or(nil)...)
	}
	return applyLabels(ctx, st, s, labels, r)
}

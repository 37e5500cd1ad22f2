package merge

import (
	"context"
	"fmt"

	"hew/server/db"
	"hew/server/event"
	"hew/server/note"
	"hew/server/work"
)

// textListeners returns what keeps what becomes of merge requests: resource events and system notes
// about changes, the issues that they refer to, and what mentions them. Base is the address of the
// server.
func textListeners(base string) []event.Listener {
	m := referrer{base}
	return []event.Listener{event.On(record), event.On(m.changed), event.On(mentioned)}
}

// record keeps what a user changed of a merge request: labels, the milestone and the state as
// resource events, the rest as system notes (more §2.4, §4).
func record(ctx context.Context, st *db.Store, e Changed) error {
	before, r := e.Before, e.Request
	log := work.EventLog{On: r.Target(), By: e.By.ID}
	log.Labels(before.LabelIDs, r.LabelIDs)
	log.Reference(work.MilestoneField, before.MilestoneID, r.MilestoneID,
		func(e *work.ResourceEvent, id *int64) { e.MilestoneID = id })
	if before.ID != 0 && before.State != Locked && r.State != Locked {
		log.State(before.State, r.State)
	}
	if before.State == Locked && r.State == Merged {
		log.State(Opened, Merged)
	}
	if err := log.Store(ctx, st); err != nil {
		return err
	}
	texts, err := changeTexts(ctx, st, before, r)
	by := e.By.ID
	if by == 0 { // a deploy key has pushed
		by = authorOr(e.By, r)
	}
	if err != nil || by == 0 {
		return err
	}
	if !e.DraftCommit.IsZero() {
		texts = []string{"marked this merge request as **draft** from " + e.DraftCommit.Short(8)}
	}
	return note.AddSystem(ctx, st, r.Target(), by, texts...)
}

// changeTexts returns the texts of the system notes about a change.
func changeTexts(ctx context.Context, st *db.Store, before, r Request) (texts []string, err error) {
	for _, set := range []struct {
		before, now  []int64
		added, taken string
	}{
		{before.AssigneeIDs, r.AssigneeIDs, "assigned to", "unassigned"},
		{before.ReviewerIDs, r.ReviewerIDs, "requested review from", "removed review request for"},
	} {
		added, taken := work.Without(set.now, set.before), work.Without(set.before, set.now)
		if len(added)+len(taken) == 0 {
			continue
		}
		names, err := work.Usernames(ctx, st, append(added, taken...))
		if err != nil {
			return nil, err
		}
		texts = append(texts, work.Both(set.added, names(added), set.taken, names(taken)))
	}
	if before.ID == 0 {
		return texts, nil
	}
	was, now := before.noted(), r.noted()
	if before.Draft != r.Draft {
		was.Title, now.Title = ReadyTitle(was.Title), ReadyTitle(now.Title)
		texts = append(texts, "marked this merge request as **"+map[bool]string{true: "draft", false: "ready"}[r.Draft]+"**")
	}
	texts = append(texts, work.ChangeNotes("merge request", was, now)...)
	if before.TargetBranch != r.TargetBranch {
		texts = append(texts, fmt.Sprintf("changed target branch from `%s` to `%s`", before.TargetBranch, r.TargetBranch))
	}
	return append(texts, work.EstimateNote(before.TimeEstimate, r.TimeEstimate)...), nil
}

func (r Request) noted() work.Noted {
	return work.Noted{
		Title: r.Title, Description: db.OrZero(r.Description), Locked: r.DiscussionLocked != nil && *r.DiscussionLocked,
	}
}

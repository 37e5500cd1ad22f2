package hook

import (
	"context"
	"strings"
	"sync"

	"hew/server/code"
	"hew/server/db"
	"hew/server/event"
	"hew/server/setting"
)

// pushCommits is how many commits a payload of a push shows, the newest ones.
const pushCommits = 20

// pushListener sends a delivery for each branch and tag that a push changed, unless it changed so
// many that the instance sends none (gaps §13.6). System hooks are told of the push as a whole, too
// (more-2 §8.5). Pages are at the address web.
func pushListener(web string) event.Listener {
	return event.On(func(ctx context.Context, st *db.Store, e code.Pushed) error {
		if err := notifyPush(ctx, st, web, e); err != nil {
			return err
		}
		return notifyUpdate(ctx, st, web, e)
	})
}

func notifyPush(ctx context.Context, st *db.Store, web string, e code.Pushed) error {
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return err
	}
	if len(e.Changes) > settings.PushEventHooksLimit {
		return nil
	}
	for _, c := range e.Changes {
		h, fresh := inProject(e), once(e.NewCommits, c)
		h.protected = c.Protected
		if branch, ok := strings.CutPrefix(c.Ref, code.Heads); ok {
			h.flag, h.branch = "push_events", branch
		} else if strings.HasPrefix(c.Ref, code.Tags) {
			h.flag = "tag_push_events"
		} else {
			continue // a hidden ref
		}
		if err := enqueueDeliveries(ctx, st, h, func() ([]any, error) {
			p, err := newPushPayload(ctx, web, e, c, len(fresh()))
			if err != nil {
				return nil, err
			}
			newest := fresh()[max(0, len(fresh())-pushCommits):]
			commits, err := e.Git.Commits(ctx, newest)
			if err != nil {
				return nil, err
			}
			return []any{p}, p.addCommits(ctx, web, e, commits)
		}); err != nil {
			return err
		}
		h.flag, h.branch = "system_"+h.flag, ""
		if err := enqueueDeliveries(ctx, st, h, func() ([]any, error) {
			p, err := newPushPayload(ctx, web, e, c, len(fresh()))
			return []any{p}, err
		}); err != nil {
			return err
		}
	}
	return nil
}

// notifyUpdate tells system hooks of a push, once for all that it changed.
func notifyUpdate(ctx context.Context, st *db.Store, web string, e code.Pushed) error {
	h := inProject(e)
	h.flag = "system_repository_update_events"
	return enqueueDeliveries(ctx, st, h, func() ([]any, error) {
		p := updatePayload{
			EventName: "repository_update", UserID: e.By.User.ID, UserName: e.By.User.Name,
			UserEmail: emailOf(e.By.User.PublicEmail), UserAvatar: avatarURL(web, e.By.User.Avatar),
			ProjectID: e.Project.ID,
		}
		for _, c := range e.Changes {
			p.Changes = append(p.Changes, refPayload{c.Before.String(), c.After.String(), c.Ref})
			p.Refs = append(p.Refs, c.Ref)
		}
		return []any{p}, nil
	})
}

// inProject returns an occurrence in the project of a push, of no kind yet.
func inProject(e code.Pushed) occurrence {
	return occurrence{
		at: audience{groups: []int64{e.Project.NamespaceID}, project: &e.Project.ID}, user: e.By.User.ID,
	}
}

// once returns a function that calls find when it is first called: without a hook nobody asks.
func once[K, V any](find func(K) V, key K) func() V {
	return sync.OnceValue(func() V { return find(key) })
}

// newPushPayload returns the payload of one change of a push, which brought that many commits. It
// does not show them yet.
func newPushPayload(
	ctx context.Context, web string, e code.Pushed, c code.Change, commits int,
) (*pushPayload, error) {
	p := &pushPayload{
		ObjectKind: "push", Before: c.Before.String(), After: c.After.String(), Ref: c.Ref, RefProtected: c.Protected,
		UserID: e.By.User.ID, UserName: e.By.User.Name, Username: e.By.User.Username,
		UserEmail: emailOf(e.By.User.PublicEmail), UserAvatar: avatarURL(web, e.By.User.Avatar),
		ProjectID: e.Project.ID, Commits: []commitPayload{}, PushOptions: code.ParsePushOptions(e.By.Options),
	}
	if strings.HasPrefix(c.Ref, code.Tags) {
		p.ObjectKind = "tag_push"
		annotation, err := e.Git.Annotation(ctx, code.Ref{ID: c.After, Peeled: c.Target})
		if err != nil {
			return p, err
		}
		if annotation != nil {
			p.Message = &annotation.Message
		}
	}
	p.EventName = p.ObjectKind
	if !c.After.IsZero() {
		target := c.Target.String()
		p.CheckoutSHA = &target
	}
	p.CommitsCount = commits
	return p, nil
}

// addCommits shows commits of the change.
func (p *pushPayload) addCommits(ctx context.Context, web string, e code.Pushed, commits []code.Commit) error {
	for _, commit := range commits {
		payload, err := newCommitPayload(ctx, web, e, commit)
		if err != nil {
			return err
		}
		p.Commits = append(p.Commits, payload)
	}
	return nil
}

func newCommitPayload(ctx context.Context, web string, e code.Pushed, c code.Commit) (commitPayload, error) {
	p := commitPayload{
		ID: c.ID.String(), Message: c.Message, Title: c.Title(), Timestamp: c.Committed(),
		URL:    web + "/" + e.Project.FullPath + "/-/commit/" + c.ID.String(),
		Author: ownerPayload{c.AuthorName, c.AuthorEmail},
		Added:  []string{}, Modified: []string{}, Removed: []string{},
	}
	for d, err := range e.Git.ChangedFiles(ctx, c) {
		if err != nil {
			return p, err
		}
		switch {
		case d.Old.Mode == 0:
			p.Added = append(p.Added, d.Path)
		case d.New.Mode == 0:
			p.Removed = append(p.Removed, d.Path)
		default:
			p.Modified = append(p.Modified, d.Path)
		}
	}
	return p, nil
}

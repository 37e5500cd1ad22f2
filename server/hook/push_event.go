package hook

import (
	"context"
	"strings"

	"hew/server/code"
	"hew/server/db"
	"hew/server/event"
	"hew/server/setting"
)

// pushCommits is how many commits a payload of a push shows, the newest ones.
const pushCommits = 20

// pushListener sends a delivery for each branch and tag that a push changed, unless it changed so
// many that the instance sends none (gaps §13.6). Pages are at the address web.
func pushListener(web string) event.Listener {
	return event.On(func(ctx context.Context, st *db.Store, e code.Pushed) error { return notifyPush(ctx, st, web, e) })
}

func notifyPush(ctx context.Context, st *db.Store, web string, e code.Pushed) error {
	settings, err := setting.Read(ctx, st)
	if err != nil {
		return err
	}
	if most := settings.PushEventHooksLimit; most > 0 && len(e.Changes) > most {
		return nil
	}
	for _, c := range e.Changes {
		h := occurrence{
			at: audience{groups: []int64{e.Project.NamespaceID}, project: &e.Project.ID}, user: e.By.User.ID,
		}
		if branch, ok := strings.CutPrefix(c.Ref, code.Heads); ok {
			h.flag, h.branch = "push_events", branch
		} else if strings.HasPrefix(c.Ref, code.Tags) {
			h.flag = "tag_push_events"
		} else {
			continue // a hidden ref
		}
		if err := enqueueDeliveries(ctx, st, h, func() ([]any, error) {
			p, err := newPushPayload(ctx, web, e, c)
			return []any{p}, err
		}); err != nil {
			return err
		}
	}
	return nil
}

// newPushPayload returns the payload of one change of a push.
func newPushPayload(ctx context.Context, web string, e code.Pushed, c code.Change) (pushPayload, error) {
	p := pushPayload{
		ObjectKind: "push", Before: c.Before.String(), After: c.After.String(), Ref: c.Ref, RefProtected: c.Protected,
		UserID: e.By.User.ID, UserName: e.By.User.Name, Username: e.By.User.Username,
		UserEmail: emailOf(e.By.User.PublicEmail), UserAvatar: avatarURL(web, e.By.User.Avatar),
		ProjectID: e.Project.ID, Commits: []commitPayload{},
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
	fresh := e.NewCommits(c)
	p.CommitsCount = len(fresh)
	commits, err := e.Git.Commits(ctx, fresh[max(0, len(fresh)-pushCommits):])
	if err != nil {
		return p, err
	}
	for _, commit := range commits {
		payload, err := newCommitPayload(ctx, web, e, commit)
		if err != nil {
			return p, err
		}
		p.Commits = append(p.Commits, payload)
	}
	return p, nil
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

package release

import (
	"context"
	"strings"
	"time"

	"hew/server/code"
	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/protect"
	"hew/server/tree"
)

// MayTag reports whether the protected tags of a project let an author create a tag. An author who
// may not create it may not publish, change or delete its release.
func MayTag(ctx context.Context, st *db.Store, p tree.Project, by code.Author, tag string) (bool, error) {
	protection, err := protect.ReadProtection(ctx, st, p.ID, by.Pusher)
	if err != nil {
		return false, err
	}
	c := protect.RefChange{Kind: protect.Tag, Name: tag, Do: protect.CreateRef, Web: by.Web}
	return protection.Refuse(c) == "", nil
}

// admitTag returns a fault if the tag is protected from who makes its release.
func admitTag(ctx context.Context, st *db.Store, p tree.Project, by code.Author, tag string) error {
	ok, err := MayTag(ctx, st, p, by, tag)
	if err == nil && !ok {
		err = fault.Forbidden("You are not allowed to create this tag as it is protected.").In(fault.Text)
	}
	return err
}

// ensureTag makes the tag of a new release, unless it exists.
func ensureTag(ctx context.Context, st *db.Store, n NewRelease) error {
	g, err := code.Open(ctx, st, n.Project)
	if err != nil {
		return err
	}
	_, err = g.FindRef(ctx, st, "Tag", code.Tags+n.Tag)
	if fault.CodeOf(err) != fault.CodeNotFound {
		return err
	}
	if n.Ref == "" {
		return fault.Unprocessable("Ref is not specified")
	}
	_, err = code.CreateTag(ctx, st, n.Project, n.By, code.NewTag{Name: n.Tag, Revision: n.Ref, Message: n.TagMessage})
	if f, ok := fault.From(err); ok && f.Code == fault.CodeNotAllowed { // which is the status of tags alone
		return fault.BadRequest(f.What).In(fault.Text)
	}
	return err
}

// Listeners are what this domain hears of others.
var Listeners = []event.Listener{event.On(deleteWithTags)}

// deleteWithTags deletes the releases of the tags that the API deletes.
func deleteWithTags(ctx context.Context, st *db.Store, e code.Pushed) error {
	if !e.By.Web {
		return nil
	}
	for _, c := range e.Changes {
		tag, ok := strings.CutPrefix(c.Ref, code.Tags)
		if !ok || !c.After.IsZero() {
			continue
		}
		_, err := Delete(ctx, st, e.Project, tag, func(context.Context, time.Time) error { return nil })
		if err := fault.IgnoreNotFound(err); err != nil {
			return err
		}
	}
	return nil
}

package release

import (
	"context"
	"strings"
	"time"

	"hew/server/check"
	"hew/server/code"
	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/tree"
)

// Action says what happened to a release.
type Action string

// The actions, as webhooks name them.
const (
	Creating Action = "create"
	Updating Action = "update"
	Deleting Action = "delete"
)

// Changed is emitted after a release was created, updated or deleted, by a request for it or with
// its tag, in the same transaction.
type Changed struct {
	Project tree.Project
	Release Release
	Action  Action
}

// NewRelease is a release to be made.
type NewRelease struct {
	Project     tree.Project
	By          code.Author
	Tag         string
	Ref         string // the revision that the tag is made of if it does not exist
	TagMessage  string // makes it an annotated tag
	Name        *string
	Description *string
	ReleasedAt  time.Time // zero: now
	Links       []Link
	Milestones  MilestoneChoice
}

// Create stores a release. It makes the tag if there is none, by the rules for tags.
func Create(ctx context.Context, st *db.Store, n NewRelease) (r Release, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		releases := Releases(st, n.Project.ID)
		if err := st.Exclusively(ctx, "release "+n.Tag+" of "+n.Project.Container().String()); err != nil {
			return err
		}
		if err := admitTag(ctx, st, n.Project, n.By, n.Tag); err != nil {
			return err
		}
		_, err := releases.One(ctx, WithTag(n.Tag))
		if err == nil {
			return fault.Conflict(exists)
		}
		if fault.CodeOf(err) != fault.CodeNotFound {
			return err
		}
		r = Release{
			ProjectID: n.Project.ID, Tag: n.Tag, Name: n.Name, Description: n.Description,
			AuthorID: &n.By.User.ID, ReleasedAt: n.ReleasedAt,
		}
		if r.ReleasedAt.IsZero() {
			r.ReleasedAt = time.Now()
		}
		if err := checkRelease(&r); err != nil {
			return err
		}
		milestones, err := n.Milestones.find(ctx, st, n.Project)
		if err != nil {
			return err
		}
		if err := ensureTag(ctx, st, n); err != nil {
			return err
		}
		if r, err = releases.Create(ctx, r); err != nil {
			return err
		}
		if err := addLinks(ctx, st, r, n.Links); err != nil {
			return err
		}
		if err := setMilestones(ctx, st, r, milestones); err != nil {
			return err
		}
		if r, err = releases.One(ctx, WithTag(n.Tag)); err != nil {
			return err
		}
		return event.Emit(ctx, st, Changed{Project: n.Project, Release: r, Action: Creating})
	})
	return r, err
}

// Change edits the release of a tag and returns it.
func Change(
	ctx context.Context, st *db.Store, p tree.Project, tag string, m MilestoneChoice, change func(*Release),
) (r Release, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		r, err = Releases(st, p.ID).Change(ctx, WithTag(tag), func(st *db.Store, r *Release) error {
			change(r)
			if err := checkRelease(r); err != nil {
				return err
			}
			milestones, err := m.find(ctx, st, p)
			if err != nil {
				return err
			}
			return setMilestones(ctx, st, *r, milestones)
		})
		if err != nil {
			return err
		}
		return event.Emit(ctx, st, Changed{Project: p, Release: r, Action: Updating})
	})
	return r, err
}

// Delete removes the release of a tag and returns it. The tag stays. It calls unless with the time
// of the last change, as rest.Unmodified wants it, and removes nothing if that returns an error.
func Delete(
	ctx context.Context, st *db.Store, p tree.Project, tag string, unless func(context.Context, time.Time) error,
) (r Release, err error) {
	err = st.Tx(ctx, func(st *db.Store) error {
		if r, err = Releases(st, p.ID).One(ctx, WithTag(tag)); err != nil {
			return err
		}
		if err := Releases(st, p.ID).Delete(ctx, WithTag(tag), unless); err != nil {
			return err
		}
		return event.Emit(ctx, st, Changed{Project: p, Release: r, Action: Deleting})
	})
	return r, err
}

// checkRelease returns what is wrong with a release. A name without text is none.
func checkRelease(r *Release) error {
	if r.Name != nil && strings.TrimSpace(*r.Name) == "" {
		r.Name = nil
	}
	var wrong check.Problems
	if r.Name != nil {
		wrong.Fits("name", *r.Name, 255)
	}
	if r.Description != nil {
		wrong.Fits("description", *r.Description, 1_000_000)
	}
	return wrong.Err()
}

package hook

import (
	"context"
	"encoding/json"
	"fmt"

	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/tree"
)

// Raised is an event of a project that hooks can get. It is emitted in the transaction of the
// event, also if no hook gets it. A kind that is added to hooks is raised like the others.
type Raised struct {
	Kind      string // the flag of hooks that get it: push_events
	Project   int64
	User      int64  // who caused it; 0: the kind has no user beside the payload
	Branch    string // empty: the event is not on a branch
	Protected bool   // the branch is protected

	payloads func() ([]any, error)
}

// Payloads returns what the event tells, without what Body adds. They are made when this is first
// called.
func (r Raised) Payloads() (list []json.RawMessage, err error) {
	payloads, err := r.payloads()
	for _, p := range payloads {
		text, err := db.EncodeJSON(p)
		if err != nil {
			return nil, fmt.Errorf("payload of %s: %w", r.Kind, err)
		}
		list = append(list, text)
	}
	return list, err
}

// raise emits an event of a project that hooks of projects can get.
func raise(ctx context.Context, st *db.Store, h occurrence, payloads func() ([]any, error)) error {
	e, ok := eventOf(h.flag)
	if !ok || e.only != "" || h.at.project == nil {
		return nil
	}
	return event.Emit(ctx, st, Raised{
		Kind: h.flag, Project: *h.at.project, User: h.user, Branch: h.branch, Protected: h.protected,
		payloads: payloads,
	})
}

// Body returns a payload with what a delivery of the kind adds to it: the project, the user and the
// repository as they are now. Pages are at the address web. It returns a not-found fault if one of
// them is gone.
func Body(
	ctx context.Context, st *db.Store, web, kind string, project, user int64, payload json.RawMessage,
) (json.RawMessage, error) {
	e, ok := eventOf(kind)
	if !ok { // a kind that hooks do not have
		e.beside = withProject
	}
	s := Sender{Base: web}
	return s.body(ctx, st, e, DeliveryJob{Project: project, User: user, Payload: payload})
}

// Header returns the value of X-Gitlab-Event for a kind, or an empty text if hooks have no such
// kind.
func Header(kind string) string {
	e, _ := eventOf(kind)
	return e.name
}

// Sample returns the body of a test of a kind of event, with data of the project or of the newest
// one in the group. It returns a fault if there is no sample, or nothing to make it of.
func Sample(
	ctx context.Context, st *db.Store, web, kind string, at db.Container, by tree.User,
) (json.RawMessage, error) {
	e, ok := eventOf(kind)
	if !ok || e.sample == nil || !e.concerns(at) {
		return nil, fault.Param("trigger does not have a valid value")
	}
	s := Sender{Base: web}
	return s.sample(ctx, st, e, at, by)
}

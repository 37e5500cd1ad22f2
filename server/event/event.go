// Package event passes events of one domain to others, in the transaction that causes them.
//
// A domain declares its events as types and calls [Emit]. A domain that listens has a [Listener] in
// its part. Package server attaches the listeners of all domains to the database, in the order of
// the domains ([Attach]). An error of a listener rolls the transaction back.
package event

import (
	"context"
	"reflect"

	"hew/server/db"
)

// Listener holds the function that a domain calls for events of one type.
type Listener struct {
	Event string // the name of the type: group.MembersChanged

	event  reflect.Type
	listen func(context.Context, *db.Store, any) error
}

// On returns a listener that calls do for events of type E.
func On[E any](do func(context.Context, *db.Store, E) error) Listener {
	t := reflect.TypeFor[E]()
	return Listener{Event: t.String(), event: t, listen: func(ctx context.Context, h *db.Store, e any) error {
		return do(ctx, h, e.(E))
	}}
}

type listenersKey struct{}

// Attach makes Emit call the listeners, in this order, for events of a database. It must be called
// before the first request. Without it, as in tests of one domain, events have no listeners.
func Attach(h *db.Store, listeners []Listener) {
	h.Attach(listenersKey{}, listeners)
}

// Emit calls the listeners of an event, and returns the first error of one.
func Emit[E any](ctx context.Context, h *db.Store, e E) error {
	listeners, _ := h.Attached(listenersKey{}).([]Listener)
	t := reflect.TypeFor[E]()
	for _, l := range listeners {
		if l.event != t {
			continue
		}
		if err := l.listen(ctx, h, e); err != nil {
			return err
		}
	}
	return nil
}

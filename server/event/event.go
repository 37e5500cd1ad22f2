// Package event lets one domain hear of what happens in another, in the transaction in which it
// happens.
//
// A domain declares its events as types and calls [Emit]. A domain that listens lists a [Listener]
// in its part; package server attaches the listeners of all domains, in the order of the domains,
// to the database ([Attach]). An error of a listener undoes the act.
package event

import (
	"context"
	"reflect"

	"hew/server/db"
)

// Listener is what a domain does when something happens.
type Listener struct {
	Event string // the type of event, group.MembersChanged

	event  reflect.Type
	listen func(context.Context, *db.Store, any) error
}

// On returns a listener of events of type E.
func On[E any](do func(context.Context, *db.Store, E) error) Listener {
	t := reflect.TypeFor[E]()
	return Listener{Event: t.String(), event: t, listen: func(ctx context.Context, h *db.Store, e any) error {
		return do(ctx, h, e.(E))
	}}
}

type listenersKey struct{}

// Attach makes Emit call listeners, in this order, for everything that happens in a database. It is
// called once, before the first request; where it is not, as in tests of one domain, nobody
// listens.
func Attach(h *db.Store, listeners []Listener) {
	h.Attach(listenersKey{}, listeners)
}

// Emit calls the listeners of an event.
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

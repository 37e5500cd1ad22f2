// Package event lets one domain hear of what happens in another, in the transaction in which it happens.
//
// A domain declares its events as types and calls Emit. Package server says who listens, with On, in one place and in
// the order in which the listeners run. An error of a listener undoes the act.
package event

import (
	"context"
	"reflect"

	"hew/server/db"
	"hew/server/jobs"
)

type listener func(context.Context, *db.Store, *jobs.Queue, any) error

var listeners = map[reflect.Type][]listener{}

// On adds a listener of events of type E. It must be called before the first Emit.
func On[E any](do func(context.Context, *db.Store, *jobs.Queue, E) error) {
	t := reflect.TypeFor[E]()
	listeners[t] = append(listeners[t], func(ctx context.Context, st *db.Store, q *jobs.Queue, e any) error {
		return do(ctx, st, q, e.(E))
	})
}

// Emit calls the listeners of an event.
func Emit[E any](ctx context.Context, st *db.Store, q *jobs.Queue, e E) error {
	for _, do := range listeners[reflect.TypeFor[E]()] {
		if err := do(ctx, st, q, e); err != nil {
			return err
		}
	}
	return nil
}

package reconcile

import (
	"context"

	"hew/schema"
)

// Provider is the host as planning sees it: there is nothing in it to write
// with. Reads never fail as a whole: each Reading carries its own state and
// error, in the order asked.
type Provider interface {
	Kinds() schema.Catalog
	// Read lists whole collections, side by side.
	Read(context.Context, []schema.Query) []schema.Reading
	// Find looks up single objects by id or natural key: users, details that
	// lists leave out, things renamed, things missing from their collection.
	Find(context.Context, []schema.Ask) []schema.Reading
	// Self is the token's own user, and whether it is an administrator.
	Self(context.Context) (schema.Self, error)
	// Requests is the number of requests sent so far.
	Requests() int
}

package reconcile

import (
	"context"

	"hew/schema"
)

// Provider is the host as planning sees it; it cannot write. Reads never fail as a whole: each
// Reading has its own state and error. Readings are in the order of the queries.
type Provider interface {
	Kinds() schema.Catalog
	// Read lists whole collections concurrently.
	Read(context.Context, []schema.Query) []schema.Reading
	// Find looks up single objects by id or natural key: users, details that lists omit, and
	// objects that were renamed or are missing from their collection.
	Find(context.Context, []schema.Ask) []schema.Reading
	// Self returns the token's own user and whether it is an administrator.
	Self(context.Context) (schema.Self, error)
	// Requests returns the number of requests sent so far.
	Requests() int
}

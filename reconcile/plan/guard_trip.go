package plan

import "hew/reconcile/guard"

// trip returns what breaks a guard. Of the changes those that lift it are left out
// where objects can lift it.
type trip func([]*Change, *Plan, *Facts) []Finding

// trips are what looks for breaches, by the code of the guard. Each finding stops
// the whole plan.
var trips = map[string]trip{
	guard.EmptyConfig:    emptyConfig,
	guard.Mass404:        mass404,
	guard.Recreate:       recreate,
	guard.MassDelete:     massDelete,
	guard.AdoptedDelete:  adoptedDelete,
	guard.PreventDestroy: preventDestroy,
	guard.UnmarkedRename: unmarkedRename,
	guard.LastOwner:      lastOwner,
	guard.RequiredOwners: requiredOwners,
	guard.SelfLockout:    selfLockout,
	guard.Public:         public,
	guard.Lowered:        lowered,
}

package plan

import "hew/reconcile/guard"

// trip returns the findings of a guard. The changes omit those that lift it, if blocks can.
type trip func([]*Change, *Plan, *Facts) []Finding

// trips are the implementations of the guards, by code. Any finding stops the whole plan.
var trips = map[string]trip{
	guard.EmptyConfig:    emptyConfig,
	guard.Mass404:        mass404,
	guard.Recreate:       recreate,
	guard.MassDelete:     massDelete,
	guard.AdoptedDelete:  adoptedDelete,
	guard.PreventDestroy: preventDestroy,
	guard.UnmarkedRename: unmarkedRename,
	guard.ReassignedName: reassigned,
	guard.LastOwner:      lastOwner,
	guard.RequiredOwners: requiredOwners,
	guard.SelfLockout:    selfLockout,
	guard.RenamedUser:    renamed,
	guard.Public:         public,
	guard.Lowered:        lowered,
}

// Package guard lists the guards of plans: their codes, when they trip, and how to lift them.
// Package plan implements the guards; package config validates the lifts.
package guard

import "slices"

// Rule is the description of a guard.
type Rule struct {
	Code string
	// Trips completes the sentence "It stops the run when …".
	Trips string
	// Lift reports that blocks can lift the guard with lifecycle { allow = [Code] }.
	Lift bool
	// Limits are the arguments of the guards block that change or lift the guard.
	Limits []string
}

// The codes of the guards.
const (
	EmptyConfig    = "empty-config"
	Mass404        = "mass-404"
	Recreate       = "recreate"
	MassDelete     = "mass-delete"
	AdoptedDelete  = "adopted-delete"
	PreventDestroy = "prevent-destroy"
	UnmarkedRename = "unmarked-rename"
	ReassignedName = "reassigned-name"
	LastOwner      = "last-owner"
	RequiredOwners = "required-owners"
	SelfLockout    = "self-lockout"
	RenamedUser    = "renamed-user"
	Public         = "public"
	Lowered        = "approvals-lowered"
)

// Restore is not a guard: allow = ["restore"] lets hew restore an object that is marked for
// deletion.
const Restore = "restore"

// rules are the guards in the order in which they run.
var rules = []Rule{
	{Code: EmptyConfig, Limits: []string{"allow_empty"},
		Trips: "the configuration declares no resource instances, but the ledger has objects"},
	{Code: Mass404, Limits: []string{"allow_recreate"},
		Trips: "the host answers 404 for two groups or projects in the ledger, or for a whole collection whose " +
			"owner it can read: the token has probably lost access"},
	{Code: Recreate, Limits: []string{"allow_recreate"},
		Trips: "a group or project in the ledger is gone and would be created again, empty and with a new id"},
	{Code: MassDelete, Lift: true, Limits: []string{"max_deletes", "max_delete_percent"},
		Trips: "more than 3 objects or 25 percent of the existing ones, whichever is more, would be deleted in one " +
			"collection or in the whole run; replacements and deletions by an exclusive list count, and `hew " +
			"destroy` asks instead"},
	{Code: AdoptedDelete, Lift: true,
		Trips: "an object that existed before hew managed it would be permanently deleted, or deleting a group would " +
			"also delete objects that are not in the plan"},
	{Code: PreventDestroy, Lift: true,
		Trips: "an object with `prevent_destroy` would be deleted, even after its block was removed"},
	{Code: UnmarkedRename, Lift: true,
		Trips: "a deletion and a creation look like one renamed object, which a `moved` block would rename instead"},
	{Code: ReassignedName, Lift: true,
		Trips: "a group, project or user would be renamed while an object of another block takes its name: what has " +
			"the name afterwards is another object"},
	{Code: LastOwner, Lift: true, Limits: []string{"min_owners"},
		Trips: "a group would be left with fewer than one direct owner"},
	{Code: RequiredOwners, Lift: true, Limits: []string{"required_owners"},
		Trips: "a top-level group that is created, moved to the top level, or whose owners change would not be owned " +
			"by every user in `required_owners` (default none)"},
	{Code: SelfLockout, Lift: true,
		Trips: "the user of hew's token would lose or lower the membership that it works through, or lose inherited " +
			"ownership of a group that moves to the top level; administrators are exempt"},
	{Code: RenamedUser, Lift: true,
		Trips: "the name of a user or group means another one than when hew applied it: the old one was renamed, and " +
			"somebody else has taken the name"},
	{Code: Public, Lift: true,
		Trips: "a group or project would be created public or become public"},
	{Code: Lowered, Lift: true,
		Trips: "approval requirements would be weakened: by a rule, by a rule that requires less than the declared " +
			"rule of the same name in a parent group, or by a setting, even after its block was removed"},
}

// Rules returns the guards in the order in which they run.
func Rules() []Rule { return slices.Clone(rules) }

// Liftable returns the values that allow accepts, sorted.
func Liftable() []string {
	words := []string{Restore}
	for _, rule := range rules {
		if rule.Lift {
			words = append(words, rule.Code)
		}
	}
	slices.Sort(words)
	return words
}

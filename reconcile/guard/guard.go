// Package guard lists the guards of plans as people meet them: their codes, when
// they trip, and what lifts them. Package plan looks for what trips them, and
// package config checks what configurations lift.
package guard

import "slices"

// Rule is a guard as people meet it.
type Rule struct {
	Code string
	// Trips completes the sentence "It trips when …".
	Trips string
	// Lift: objects lift it for themselves by lifecycle { allow = [Code] }.
	Lift bool
	// Limits are the settings of the guards block that move or lift it.
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
	LastOwner      = "last-owner"
	RequiredOwners = "required-owners"
	SelfLockout    = "self-lockout"
	Public         = "public"
	Lowered        = "approvals-lowered"
)

// Restore is no guard: allow = ["restore"] brings back what is marked for
// deletion.
const Restore = "restore"

// rules are the guards in the order in which they run.
var rules = []Rule{
	{Code: EmptyConfig, Limits: []string{"allow_empty"},
		Trips: "the configuration declares no resource at all, every `count` and `for_each` counted, while the ledger " +
			"has objects"},
	{Code: Mass404, Limits: []string{"allow_recreate"},
		Trips: "two groups or projects that the ledger knows answer 404, or a whole collection does whose owner can " +
			"be read: " +
			"more likely out of sight than gone"},
	{Code: Recreate, Limits: []string{"allow_recreate"},
		Trips: "a group or project that the ledger knows is gone, and would be made again, empty and with another id"},
	{Code: MassDelete, Lift: true, Limits: []string{"max_deletes", "max_delete_percent"},
		Trips: "more goes than 3 objects or 25 percent of what is there, whichever is more, in one collection or in " +
			"the whole run; " +
			"replacements and what an exclusive list removes count, and `hew destroy` asks instead"},
	{Code: AdoptedDelete, Lift: true,
		Trips: "something would be deleted for good that was there before hew managed it, or with a group what is in " +
			"that and the plan does not speak of"},
	{Code: PreventDestroy, Lift: true,
		Trips: "something would go that is marked `prevent_destroy`; the mark outlives its block"},
	{Code: UnmarkedRename, Lift: true,
		Trips: "a deletion and a creation look like one object under a new name, which a `moved` block would rename"},
	{Code: LastOwner, Lift: true, Limits: []string{"min_owners"},
		Trips: "a group would be left with fewer direct owners than one"},
	{Code: RequiredOwners, Lift: true, Limits: []string{"required_owners"},
		Trips: "one of those who have to own every top-level group would not own one that is made or transferred " +
			"there, or whose owners change; nobody has to unless it is said"},
	{Code: SelfLockout, Lift: true,
		Trips: "the user of hew's own token would lose or lower the membership that it works through, or what it has " +
			"from above in a group that goes to the top level; administrators have other ways in"},
	{Code: Public, Lift: true,
		Trips: "a group or project is created public, or becomes so"},
	{Code: Lowered, Lift: true,
		Trips: "fewer approvals would be asked for, or more loosely: by a rule, by less than the rule of that name in " +
			"a group around it that is declared, " +
			"or by a setting, also where a block is gone"},
}

// Rules returns the guards in the order in which they run.
func Rules() []Rule { return slices.Clone(rules) }

// Liftable returns the words that allow = [...] takes, sorted.
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

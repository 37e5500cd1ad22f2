package work

import "hew/server/tree"

// MilestoneChanged is emitted after a milestone was created or changed, in the transaction that
// does it.
type MilestoneChanged struct {
	Before, Milestone Milestone // Before is zero for a new milestone
	Action            Action
	By                tree.User
}

// MilestoneDeleted is emitted after a milestone was deleted, but not if it is deleted with its
// group or project, or because one of its title was promoted.
type MilestoneDeleted struct {
	Milestone Milestone
	By        tree.User
}

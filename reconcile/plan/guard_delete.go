package plan

import (
	"cmp"
	"fmt"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/guard"
	"hew/schema"
)

// This file has the guards that check deletions.

// massDelete compares the number of deletions with the number of live objects, per collection and
// per run.
func massDelete(changes []*Change, p *Plan, f *Facts) []Finding {
	if f.Destroy {
		return nil
	}
	var all []*Change
	gone := map[schema.Collection][]*Change{}
	var order []schema.Collection
	for _, c := range changes {
		if !c.Removes() || c.CreatorMembership() {
			continue
		}
		all = append(all, c)
		if gone[c.Collection] == nil {
			order = append(order, c.Collection)
		}
		gone[c.Collection] = append(gone[c.Collection], c)
	}
	var out []Finding
	for _, coll := range order {
		going, of := gone[coll], p.Sizes[coll]
		if limit := deleteLimit(f.Limits, of); len(going) > limit {
			out = append(out, finding(fmt.Sprintf("%d of %d objects of kind %s in %s would be deleted; the "+
				"limit is %d.", len(going), of, going[0].Kind.Name, cmp.Or(going[0].Owner, "the instance"), limit),
				massDeleteFix, going...))
		}
	}
	if limit := deleteLimit(f.Limits, f.Managed); len(all) > limit && len(out) == 0 {
		strays := 0
		for _, c := range all {
			if c.Stray() {
				strays++
			}
		}
		going := fmt.Sprintf("%d of %d managed objects", len(all)-strays, f.Managed)
		if strays > 0 {
			going += fmt.Sprintf(" and %s", countNoun(strays, "undeclared object"))
		}
		whole := finding(fmt.Sprintf("%s would be deleted in one run; the limit is %d.", going, limit), massDeleteFix,
			all...)
		whole.Decl = nil // no single block causes it
		out = append(out, whole)
	}
	return out
}

const massDeleteFix = `If this is intended, put lifecycle { allow = ["` + guard.MassDelete +
	`"] } on the blocks (for a deleted block, in removed { from = ADDRESS }), ` +
	`or raise max_deletes or max_delete_percent in hew { guards { … } }.`

// deleteLimit returns how many of n objects a plan may delete.
func deleteLimit(l config.Guards, n int) int {
	return max(orDefault(l.MaxDeletes, 3), n*orDefault(l.MaxDeletePercent, 25)/100)
}

// adoptedDelete checks the deletion of objects that hew did not create. It does not check objects
// that are deleted with their owner: an adopted owner is itself a finding, and in an owner that hew
// created nothing is older, although hosts add objects such as the push rule of its group. A
// cascade is a finding because others created these objects.
func adoptedDelete(changes []*Change, _ *Plan, f *Facts) []Finding {
	var out []Finding
	for _, c := range changes {
		adopted := c.Action == Delete && !c.Stray() && c.Entry != nil && !c.Entry.Created
		if c.Action == Delete && len(c.Cascade) > 0 {
			out = append(out, finding(fmt.Sprintf("Deleting %s would also delete objects that are not in the plan: %s.",
				c.title(), c.cascadeTitles()),
				c.liftAdvice(guard.AdoptedDelete)+liftSeparator(c)+c.keepAdvice(f.Destroy), c))
		}
		if !adopted || c.Successor() != (addr.Instance{}) || c.Within() != (addr.Instance{}) {
			continue
		}
		out = append(out, finding(fmt.Sprintf("%s existed before hew managed it and would be permanently deleted.",
			c.title()),
			c.liftAdvice(guard.AdoptedDelete)+liftSeparator(c)+c.keepAdvice(f.Destroy), c))
	}
	return out
}

func preventDestroy(changes []*Change, _ *Plan, _ *Facts) []Finding {
	var out []Finding
	for _, c := range changes {
		marked := c.Entry != nil && c.Entry.Protected || c.Desired() != nil && c.Desired().Block != nil &&
			c.Desired().Block.Lifecycle.PreventDestroy
		if !marked || !c.Removes() && !c.Resets() {
			continue
		}
		what := "deleted"
		if c.Resets() {
			what = "reset to its defaults"
		}
		out = append(out, finding(fmt.Sprintf("%s has prevent_destroy set and would be %s.", c.title(), what),
			c.liftAdvice(guard.PreventDestroy)+liftSeparator(c)+"Or remove prevent_destroy and apply that first.", c))
	}
	return out
}

// liftSeparator returns what separates a liftAdvice from the next sentence: a space, or a blank
// line after a block.
func liftSeparator(c *Change) string {
	if c.hasBlock() {
		return " "
	}
	return "\n\n"
}

// keepAdvice returns how to keep the object on the host and remove it from the ledger. whole says
// that hew destroy deletes all objects of the block.
func (c *Change) keepAdvice(whole bool) string {
	const block = "\n\nremoved {\n  from = %s\n  lifecycle {\n    destroy = false\n  }\n}"
	switch {
	case whole && c.hasBlock():
		return fmt.Sprintf("To keep it on the host and stop managing it, replace its block with"+block,
			c.Addr.Block)
	case c.hasBlock():
		return fmt.Sprintf("To keep it on the host and stop managing it, add"+block, c.Addr)
	}
	return "To keep it on the host and stop managing it, set destroy = false there and remove allow."
}

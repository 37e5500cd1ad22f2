package plan

import (
	"cmp"
	"fmt"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/guard"
	"hew/schema"
)

// The guards that look at what would be deleted.

// massDelete counts what goes against what is there, per collection and per
// run.
func massDelete(changes []*Change, p *Plan, f *Facts) []Finding {
	if f.Destroy {
		return nil
	}
	var all []*Change
	gone := map[schema.Collection][]*Change{}
	var order []schema.Collection
	for _, c := range changes {
		if !c.Removes() || c.Founder() {
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
		if limit := deletes(f.Limits, of); len(going) > limit {
			out = append(out, finding(fmt.Sprintf("%d of %d objects of kind %s in %s would be deleted; %d are allowed.",
				len(going), of, going[0].Kind.Name, cmp.Or(going[0].Owner, "the instance"), limit),
				massDeleteFix, going...))
		}
	}
	if limit := deletes(f.Limits, f.Managed); len(all) > limit && len(out) == 0 {
		whole := finding(fmt.Sprintf("%d of %d managed objects would be deleted in one run; %d are allowed.",
			len(all), f.Managed, limit), massDeleteFix, all...)
		whole.Decl = nil // none of the blocks is to blame
		out = append(out, whole)
	}
	return out
}

const massDeleteFix = `If this is meant, put lifecycle { allow = ["` + guard.MassDelete +
	`"] } on the blocks, or for blocks that are gone into removed { from = ADDRESS }, ` +
	`or raise max_deletes or max_delete_percent in hew { guards { … } }.`

// deletes returns how many of n objects may go.
func deletes(l config.Guards, n int) int {
	return max(orDefault(l.MaxDeletes, 3), n*orDefault(l.MaxDeletePercent, 25)/100)
}

// adoptedDelete looks at what hew did not make. What goes with its owner is the owner's matter: an adopted one is found
// itself, and in one that hew made nothing is older, but hosts put things into it, like the push rule of its group. What
// others have put into it, with a path of its own, is not hew's.
func adoptedDelete(changes []*Change, _ *Plan, f *Facts) []Finding {
	var out []Finding
	for _, c := range changes {
		adopted := c.Action == Delete && !c.Stray() && c.Entry != nil && !c.Entry.Created
		if c.Action == Delete && len(c.Along) > 0 {
			out = append(out, finding(fmt.Sprintf("With %s the host would delete what this plan does not speak of: %s.",
				c.title(), c.alongTitles()),
				c.liftAdvice(guard.AdoptedDelete)+liftSeparator(c)+c.keepAdvice(f.Destroy), c))
		}
		if !adopted || c.Successor() != (addr.Instance{}) || c.Within() != (addr.Instance{}) {
			continue
		}
		out = append(out, finding(fmt.Sprintf("%s was there before hew managed it and would be deleted for good.",
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
			what = "given back to its defaults"
		}
		out = append(out, finding(fmt.Sprintf("%s is marked prevent_destroy and would be %s.", c.title(), what),
			c.liftAdvice(guard.PreventDestroy)+liftSeparator(c)+"Or take the mark away, and apply that first.", c))
	}
	return out
}

// liftSeparator keeps what follows a lift apart from it: on the line, or below the block.
func liftSeparator(c *Change) string {
	if c.declared() {
		return " "
	}
	return "\n\n"
}

// keepAdvice says how what would go stays on the host, and hew forgets it.
// All of a block goes with hew destroy.
func (c *Change) keepAdvice(whole bool) string {
	const block = "\n\nremoved {\n  from = %s\n  lifecycle {\n    destroy = false\n  }\n}"
	switch {
	case whole && c.declared():
		return fmt.Sprintf("If it shall stay on the host, and hew forget it, write in the place of its block"+block,
			c.Addr.Block)
	case c.declared():
		return fmt.Sprintf("If it shall stay on the host, and hew forget it, add"+block, c.Addr)
	}
	return "If it shall stay on the host, and hew forget it, write destroy = false there, without allow."
}

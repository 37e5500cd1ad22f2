package plan

import (
	"fmt"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/schema"
)

// The guards that look at what would be deleted.

// massDelete counts what goes against what is there, per collection and per
// run.
func massDelete(changes []*Change, p *Plan, f *Facts) []Finding {
	if f.Destroy {
		return nil
	}
	var all []string
	gone := map[schema.Collection][]string{}
	where := map[schema.Collection]*Change{}
	var order []schema.Collection
	for _, c := range changes {
		if !c.Removes() {
			continue
		}
		all = append(all, c.Addr.String())
		if where[c.Collection] == nil {
			where[c.Collection] = c
			order = append(order, c.Collection)
		}
		gone[c.Collection] = append(gone[c.Collection], c.Addr.String())
	}
	var out []Finding
	for _, coll := range order {
		n, of := len(gone[coll]), p.Sizes[coll]
		if limit := deletes(f.Limits, of); n > limit {
			c := where[coll]
			out = append(out, Finding{
				Text:    fmt.Sprintf("%d of %d objects of kind %s in %s would be deleted; %d are allowed.", n, of, c.Kind.Name, titleOr(c.Owner, "the instance"), limit),
				Fix:     massDeleteFix,
				Objects: gone[coll],
				Decl:    c.Decl,
			})
		}
	}
	if limit := deletes(f.Limits, f.Managed); len(all) > limit && len(out) == 0 {
		out = append(out, Finding{
			Text:    fmt.Sprintf("%d of %d managed objects would be deleted in one run; %d are allowed.", len(all), f.Managed, limit),
			Fix:     massDeleteFix,
			Objects: all,
		})
	}
	return out
}

const massDeleteFix = `If this is meant, put lifecycle { allow = ["mass-delete"] } on the blocks, or for blocks that are gone into removed { from = ADDRESS }, or raise max_deletes or max_delete_percent in hew { guards { … } }.`

// deletes is how many of n objects may go.
func deletes(l config.Guards, n int) int {
	return max(or(l.MaxDeletes, 3), n*or(l.MaxDeletePercent, 25)/100)
}

// adoptedDelete looks at what hew did not make. What goes with its owner is the owner's matter: an adopted one is found
// itself, and in one that hew made nothing is older, but hosts put things into it, like the push rule of its group.
func adoptedDelete(changes []*Change, _ *Plan, f *Facts) []Finding {
	var out []Finding
	for _, c := range changes {
		adopted := c.Action == Delete && !c.Stray && c.Entry != nil && !c.Entry.Created
		if !adopted || c.Successor != (addr.Instance{}) || c.Within != (addr.Instance{}) {
			continue
		}
		out = append(out, Finding{
			Text:    fmt.Sprintf("%s was there before hew managed it and would be deleted for good.", titleOr(c.Title, c.Addr.String())),
			Fix:     c.lift(AdoptedDelete, c.leave(f.Destroy)),
			Objects: []string{c.Addr.String()},
			Decl:    c.Decl,
		})
	}
	return out
}

func preventDestroy(changes []*Change, _ *Plan, _ *Facts) []Finding {
	var out []Finding
	for _, c := range changes {
		marked := c.Entry != nil && c.Entry.Protected || c.Desired != nil && c.Desired.Block != nil && c.Desired.Block.Lifecycle.PreventDestroy
		if !marked || !c.Removes() && !c.Resets() {
			continue
		}
		what := "deleted"
		if c.Resets() {
			what = "given back to its defaults"
		}
		out = append(out, Finding{
			Text:    fmt.Sprintf("%s is marked prevent_destroy and would be %s.", titleOr(c.Title, c.Addr.String()), what),
			Fix:     c.lift("prevent-destroy", "Or take the mark away, and apply that first."),
			Objects: []string{c.Addr.String()},
			Decl:    c.Decl,
		})
	}
	return out
}

// lift says how the guard is lifted for something that goes: on the block if
// there is one, else in a removed block.
func (c *Change) lift(code, otherwise string) string {
	if c.declared() {
		return fmt.Sprintf("If it may go, put lifecycle { allow = [%q] } on %s. %s", code, c.Addr.Block, otherwise)
	}
	return fmt.Sprintf("If it may go, add\n\nremoved {\n  from = %s\n  lifecycle {\n    destroy = true\n    allow   = [%q]\n  }\n}\n\n%s", c.Addr, code, otherwise)
}

// leave says how what would go stays on the host, and hew forgets it.
// All of a block goes with hew destroy.
func (c *Change) leave(whole bool) string {
	const block = "\n\nremoved {\n  from = %s\n  lifecycle {\n    destroy = false\n  }\n}"
	switch {
	case whole && c.declared():
		return fmt.Sprintf("If it shall stay on the host, and hew forget it, write in the place of its block"+block, c.Addr.Block)
	case c.declared():
		return fmt.Sprintf("If it shall stay on the host, and hew forget it, add"+block, c.Addr)
	}
	return "If it shall stay on the host, and hew forget it, write destroy = false there, without allow."
}

// declared tells whether there is a block that what goes belongs to.
func (c *Change) declared() bool { return c.InBlock || c.Desired != nil }

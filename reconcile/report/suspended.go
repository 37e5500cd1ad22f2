package report

import (
	"slices"

	"hew/reconcile/plan"
	"hew/reconcile/report/prose"
)

func suspendedOf(all []plan.Suspended) (out []Suspended) {
	for _, s := range all {
		out = append(out, Suspended{s.Addr.String(), s.Kind.Name, s.Owner, s.Note})
	}
	return out
}

// noteSuspended notes at each set that removes nothing why it does not: at its item, else at the
// first item of the same kind and owner. It returns the notes that stand there.
func (d *Document) noteSuspended(items []Ranked) (placed map[string]bool) {
	placed = map[string]bool{}
	for _, s := range d.Suspended {
		i := slices.IndexFunc(items, func(r Ranked) bool { return r.Name == prose.Clean(s.Address) })
		if i < 0 {
			i = slices.IndexFunc(items, func(r Ranked) bool {
				return r.Changes[0].Kind == s.Kind && r.Changes[0].Owner == s.Owner
			})
		}
		if i < 0 {
			continue
		}
		placed[s.Note] = true
		if items[i].Note != "" {
			items[i].Note += "\n"
		}
		items[i].Note += s.Note
	}
	return placed
}

// OtherNotes returns the notes of the plan but for those that stand at their set.
func (d *Document) OtherNotes() []string {
	if len(d.Suspended) == 0 {
		return d.Notes
	}
	placed := d.noteSuspended(ranked(d))
	return slices.DeleteFunc(slices.Clone(d.Notes), func(n string) bool { return placed[n] })
}

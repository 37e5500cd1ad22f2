package report

import (
	"fmt"
	"slices"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/plan"
	"hew/reconcile/report/prose"
)

func suspendedOf(all []plan.Suspended) (out []Suspended) {
	for _, s := range all {
		out = append(out, Suspended{s.Addr.String(), s.Kind.Name, s.Owner, s.Note})
	}
	return out
}

// noteSuspended adds a note to each set that removes nothing, which says why: at its item, else at
// the first item of the same kind and owner. It returns these notes.
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

// OtherNotes returns the notes of the plan except those shown at their set.
func (d *Document) OtherNotes() []string {
	if len(d.Suspended) == 0 {
		return d.Notes
	}
	placed := d.noteSuspended(ranked(d))
	return slices.DeleteFunc(slices.Clone(d.Notes), func(n string) bool { return placed[n] })
}

// commonNote returns the note of an item without its names, which differ among notes with the same
// reason.
func (r *Ranked) commonNote() string {
	said := strings.ReplaceAll(r.Note, r.Name, "")
	if owner := r.Changes[0].Owner; owner != "" {
		said = strings.ReplaceAll(said, owner, "")
	}
	if at, err := addr.Parse(r.Changes[0].Address); err == nil && at.Key != "" {
		said = strings.ReplaceAll(said, "["+at.Key+"]", "")
	}
	return said
}

// sumNotes returns one note for the members of a group, whose notes give the same reason.
func (g *Group) sumNotes() string {
	first := g.Members[0].Note
	if first == "" {
		return ""
	}
	return fmt.Sprintf("%d exclusive blocks delete nothing in this run. The first: %s Resolve that, or apply what is "+
		"not known yet, then run hew plan again.", len(g.Members), first)
}

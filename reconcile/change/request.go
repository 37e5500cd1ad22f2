package change

import (
	"fmt"
	"slices"
	"strings"

	"hew/schema"
)

// RequestNotes returns a note for each group and project with declared members to which other users
// have requested access. They take a request for each, so only a list of undeclared objects has
// them. The notes are complete once no more readings are wanted.
func (b *Builder) RequestNotes() (notes []string) {
	w := b.World
	places := b.unclaimedCollections()
	for x, s := range w.Claims() {
		if w.Scope().Includes(x.Addr) && s.Collection() != (schema.Collection{}) {
			places[kindCollection{x.Kind, s.Collection()}] = w.OwnerTitle(s)
		}
	}
	for at, owner := range places {
		if names := w.AccessRequests(at.kind, at.coll); len(names) > 0 {
			notes = append(notes, fmt.Sprintf("Requested access to %s, not yet a member: %s. hew leaves requests to "+
				"the host: declare the users as members to grant them.", owner, strings.Join(names, ", ")))
		}
	}
	slices.Sort(notes)
	return notes
}

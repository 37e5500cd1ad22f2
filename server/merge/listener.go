package merge

import (
	"slices"

	"hew/server/event"
)

// Listeners returns what the domain does when something happens, here or elsewhere. Base is the
// address of the server.
func Listeners(base string) []event.Listener {
	return slices.Concat(
		textListeners(base), []event.Listener{event.On(onPushed)}, approvalListeners, versionListeners,
		[]event.Listener{event.On(disarmChanged), event.On(onRequestAsked), event.On(beforeUserRemoval)},
	)
}

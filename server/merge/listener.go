package merge

import "hew/server/event"

// Listeners are what the domain does when something happens elsewhere.
var Listeners = []event.Listener{event.On(onPushed)}

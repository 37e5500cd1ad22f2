package event

import ()

// Audience is whose hooks are told of something that happens.
type Audience struct {
	Group   int64  // and those above it
	Project *int64 // nil: it happens in none
	Chain   string // the chain of deliveries that it comes from; empty: it begins one
}

package people

import "hew/server/tree"

// EmailConfirmed is emitted when a user may have confirmed an address.
type EmailConfirmed struct{ UserID *int64 }

// KeyChanged is emitted when a user got or lost an SSH key.
type KeyChanged struct {
	What  string // keyCreated or keyDestroyed
	Key   SSHKey
	Owner tree.User
}

// The events of keys.
const (
	keyCreated   = "key_create"
	keyDestroyed = "key_destroy"
)

// TokenRotated is emitted when a token of a group or project was replaced; Token is the new one.
type TokenRotated struct{ Token Token }

// TokenRevoked is emitted when a token of a group or project was revoked.
type TokenRevoked struct{ Token Token }

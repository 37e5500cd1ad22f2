package people

import "hew/server/tree"

// EmailConfirmed is emitted when a user may have confirmed an address.
type EmailConfirmed struct{ UserID *int64 }

// Created is emitted after a user was created, a person or a bot.
type Created struct{ User tree.User }

// Renamed is emitted after a user got another username.
type Renamed struct {
	User tree.User
	Was  string // the username before
}

// BeforeRemoval is emitted before users are removed with their personal namespaces.
type BeforeRemoval struct {
	Users []tree.User
	Hard  bool // with all that they wrote
}

// KeyChanged is emitted when a user got or lost an SSH key.
type KeyChanged struct {
	What  string // KeyCreated or KeyDestroyed
	Key   SSHKey
	Owner tree.User
}

// The events of keys.
const (
	KeyCreated   = "key_create"
	KeyDestroyed = "key_destroy"
)

// TokenRotated is emitted when a token of a group or project was replaced; Token is the new one.
type TokenRotated struct{ Token Token }

// TokenRevoked is emitted when a token of a group or project was revoked.
type TokenRevoked struct{ Token Token }

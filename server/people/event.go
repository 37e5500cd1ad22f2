package people

// EmailConfirmed is emitted when a user may have confirmed an address.
type EmailConfirmed struct{ UserID *int64 }

// TokenRotated is emitted when a token of a group or project was replaced; Token is the new one.
type TokenRotated struct{ Token Token }

// TokenRevoked is emitted when a token of a group or project was revoked.
type TokenRevoked struct{ Token Token }

package people

import ()

// EmailConfirmed is emitted when a user may have a confirmed address that was not confirmed before.
type EmailConfirmed struct{ UserID *int64 }

// TokenRotated is emitted when a token of a group or project was replaced.
type TokenRotated struct{ Token Token }

// TokenRevoked is emitted when a token of a group or project was revoked.
type TokenRevoked struct{ Token Token }

package auth

import (
	"context"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/people"
	"hew/server/tree"
)

// Reload returns the caller as a transaction sees them, for requests that last long: the token can
// have been revoked since, the job can have ended, the user can have been blocked or demoted. Each
// of these is the fault that a new request would get. Nobody stays Nobody.
func (c Caller) Reload(ctx context.Context, tx *db.Store) (Caller, error) {
	switch {
	case c.DeployToken != nil:
		now, known, err := deployCaller(ctx, tx, c.DeployToken.Digest)
		if err == nil && !known {
			err = fault.Unauthorized()
		}
		return now, err
	case c.JobToken != nil:
		return jobCaller(ctx, tx, c.JobToken.Digest, c.Token.Scopes...)
	case !c.Signed():
		return c, nil
	}
	user, token, err := people.FindTokenOwner(ctx, tx, c.Token.Digest)
	if fault.CodeOf(err) == fault.CodeNotFound {
		err = fault.Unauthorized()
	}
	if err != nil {
		return Nobody, err
	}
	now := Caller{User: user, Token: token, adminMode: c.adminMode}
	if err := now.check(); err != nil || c.By == 0 {
		return now, err
	}
	if !now.Admin() {
		return Nobody, fault.Forbidden("Must be admin to use sudo")
	}
	now.By = now.User.ID
	if now.User, err = tree.FindUser(ctx, tx, c.User.ID); err != nil {
		return Nobody, fault.Unauthorized().Because(err)
	}
	return now, now.check()
}

// check returns why the token or its user may not be used any more.
func (c Caller) check() error {
	switch {
	case c.Token.Expired():
		return fault.InvalidToken("Token is expired. You can either do re-authorization or token refresh.")
	case c.Token.Revoked:
		return fault.InvalidToken("Token was revoked. You have to re-authorize from the user.")
	case !c.User.Usable():
		return blockedUser()
	}
	return nil
}

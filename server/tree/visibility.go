package tree

import (
	"context"
	"slices"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/setting"
)

// CheckVisibility returns a fault if the settings reserve the visibility for administrators and the
// user is not one.
func CheckVisibility(ctx context.Context, st *db.Store, v db.Visibility, by User) error {
	if by.Admin {
		return nil
	}
	settings, err := setting.Read(ctx, st)
	if err == nil && slices.Contains(settings.RestrictedVisibilities, v.String()) {
		err = fault.Invalid("visibility_level", v.String()+" has been restricted by your administrator")
	}
	return err
}

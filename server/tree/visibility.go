package tree

import (
	"context"
	"slices"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/setting"
)

// AllowedVisibility returns the highest visibility up to the wanted one that a user may give
// something in a namespace. It is private if the settings reserve all others.
func AllowedVisibility(s setting.Settings, by User, space Group, wanted db.Visibility) db.Visibility {
	if space.Kind == "group" {
		wanted = min(wanted, space.Visibility)
	}
	for _, v := range []db.Visibility{db.Public, db.Internal} {
		if v <= wanted && (by.Admin || !slices.Contains(s.RestrictedVisibilities, v.String())) {
			return v
		}
	}
	return db.Private
}

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

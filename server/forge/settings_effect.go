package forge

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"hew/server/auth"
	"hew/server/fault"
	"hew/server/store"
)

// What the application settings mean for what others do here.

// CheckVisibility says that a visibility is kept for administrators, if it is and the user is none.
func CheckVisibility(ctx context.Context, st *store.Store, v store.Visibility, by store.User) error {
	if by.Admin {
		return nil
	}
	settings, err := st.Settings(ctx)
	if err == nil && slices.Contains(settings.RestrictedVisibilities, v.String()) {
		err = fault.Invalid("visibility_level", v.String()+" has been restricted by your administrator")
	}
	return err
}

// NewGroup is a group with the defaults of the instance.
func NewGroup(ctx context.Context, st *store.Store, name, path string, parentID *int64) (store.Group, error) {
	g := store.NewGroup(name, path, parentID)
	settings, err := st.Settings(ctx)
	if err != nil {
		return g, err
	}
	g.Settings.DefaultBranchProtection = settings.BranchProtection
	g.Settings.DefaultBranchProtectionDefaults = settings.BranchProtectionDefaults
	if level := settings.ProjectCreation; level >= 0 && level < len(projectCreators) {
		g.Settings.ProjectCreationLevel = projectCreators[level]
	}
	return g, nil
}

// projectCreators are the words of a group for who may create projects in it; the settings have numbers.
var projectCreators = []string{"noone", "maintainer", "developer", "administrator"}

// inside says whether somebody with this e-mail address belongs to the house although users are external by default.
func inside(s store.Settings, email string) bool {
	if s.UserDefaultInternalRegex == "" {
		return false
	}
	form, err := regexp.Compile("(?i)" + s.UserDefaultInternalRegex)
	return err == nil && form.MatchString(email)
}

// hashPassword is what is stored of a password, which has to have what the settings ask of one.
func hashPassword(password string, s store.Settings) (string, error) {
	var wrong problems
	for _, must := range []struct {
		asked bool
		have  func(rune) bool
		what  string
	}{
		{s.PasswordNumber, unicode.IsDigit, "number"},
		{s.PasswordLowercase, unicode.IsLower, "lowercase letter"},
		{s.PasswordUppercase, unicode.IsUpper, "uppercase letter"},
		{s.PasswordSymbol, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }, "symbol"},
	} {
		if must.asked && !strings.ContainsFunc(password, must.have) {
			wrong.on("password", "must contain at least one "+must.what)
		}
	}
	if err := wrong.err(); err != nil {
		return "", err
	}
	return auth.HashPassword(password, s.MinimumPasswordLength)
}

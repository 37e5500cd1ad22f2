package setting

import (
	"regexp"
)

// Inside reports whether a user with this email address is internal although new users are external
// by default.
func Inside(s Settings, email string) bool {
	if s.UserDefaultInternalRegex == "" {
		return false
	}
	form, err := regexp.Compile("(?i)" + s.UserDefaultInternalRegex)
	return err == nil && form.MatchString(email)
}

package setting

import (
	"regexp"
)

// Inside reports whether a user with this e-mail address is internal although users are external by
// default.
func Inside(s Settings, email string) bool {
	if s.UserDefaultInternalRegex == "" {
		return false
	}
	form, err := regexp.Compile("(?i)" + s.UserDefaultInternalRegex)
	return err == nil && form.MatchString(email)
}

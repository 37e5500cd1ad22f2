package setting

import (
	"regexp"
)

// Inside says whether somebody with this e-mail address belongs to the house although users are
// external by default.
func Inside(s Settings, email string) bool {
	if s.UserDefaultInternalRegex == "" {
		return false
	}
	form, err := regexp.Compile("(?i)" + s.UserDefaultInternalRegex)
	return err == nil && form.MatchString(email)
}

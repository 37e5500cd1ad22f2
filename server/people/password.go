package people

import (
	"strings"
	"unicode"

	"hew/server/check"
	"hew/server/secret"
	"hew/server/setting"
)

// hashPassword returns what is stored of a password, or a fault if it misses what the settings
// require.
func hashPassword(password string, s setting.Settings) (string, error) {
	var wrong check.Problems
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
			wrong.On("password", "must contain at least one "+must.what)
		}
	}
	if err := wrong.Err(); err != nil {
		return "", err
	}
	return secret.HashPassword(password, s.MinimumPasswordLength)
}

package catalogue

import (
	"net/url"
	"regexp"
	"strings"

	"hew/schema/pattern"
)

// Tiers are the tiers of environments.
var Tiers = []string{"production", "staging", "testing", "development", "other"}

// tierWords are words in names of environments, and the tier that they say.
var tierWords = []struct {
	form func() *regexp.Regexp
	tier string
}{
	{pattern.Lazy(`(?i)(dev|review|trunk)`), "development"},
	{pattern.Lazy(`(?i)(test|tst|int|ac(ce|)pt|qa|qc|control|quality)`), "testing"},
	{pattern.Lazy(`(?i)(st(a|)g|mod(e|)l|pre|demo|non)`), "staging"},
	{pattern.Lazy(`(?i)(pr(o|)d|live)`), "production"},
}

// TierOf returns the tier that a new environment has by its name.
func TierOf(name string) string {
	for _, w := range tierWords {
		if w.form().MatchString(name) {
			return w.tier
		}
	}
	return "other"
}

// IsEnvironmentName reports whether a text can be the name of an environment, apart from its
// length.
func IsEnvironmentName(s string) bool { return IsEnvironmentScope(s) && !strings.Contains(s, "*") }

// IsEnvironmentURL reports whether pages may lead to a text as the URL of an environment, apart
// from its length.
func IsEnvironmentURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme != "javascript" && u.Scheme != "data"
}

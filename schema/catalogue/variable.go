package catalogue

import (
	"strings"

	"hew/schema/pattern"
)

// The forms of CI/CD variables.

var (
	variableForm = pattern.Lazy(`^[a-zA-Z0-9_]+$`)
	scopeForm    = pattern.Lazy(`^[a-zA-Z0-9_/\\${}. *-]+$`)
	maskedForm   = pattern.Lazy(`^[a-zA-Z0-9_+=/@:.~-]{8,}$`)
	rawForm      = pattern.Lazy(`^\S{8,}$`)
)

// IsVariableKey reports whether a text can be the key of a variable, apart from its length.
func IsVariableKey(s string) bool { return variableForm().MatchString(s) }

// IsEnvironmentScope reports whether a text can be the environments of a variable, apart from its
// length.
func IsEnvironmentScope(s string) bool {
	return scopeForm().MatchString(s) && !strings.HasPrefix(s, "/") && !strings.HasSuffix(s, "/")
}

// IsMaskable reports whether job logs can be searched for a value: one word of eight characters or
// more, without characters that a shell expands further.
func IsMaskable(s string) bool { return maskedForm().MatchString(s) }

// IsRawMaskable is [IsMaskable] for a raw value, in which nothing is expanded.
func IsRawMaskable(s string) bool { return rawForm().MatchString(s) }

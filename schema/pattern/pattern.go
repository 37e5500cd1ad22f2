// Package pattern holds regular expressions until they are needed. A program that starts uses
// hardly any of those in its packages, and compiling all of them took a tenth of a start of hew.
package pattern

import (
	"regexp"
	"sync"
)

// Lazy returns a function that compiles the expression in its first call and returns the same
// Regexp from every call. It panics there if the expression is invalid; see [regexp.MustCompile].
func Lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

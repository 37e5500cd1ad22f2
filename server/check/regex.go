package check

import (
	"errors"
	"regexp/syntax"
)

// MaxRegexLength is the limit on a regular expression, in characters: a push waits until its rules
// have been matched.
const MaxRegexLength = 511

// maxRegexSize limits the compiled form, in instructions. Go matches in linear time, but that time
// is the length of the text times this size, and a short expression can ask for a large one:
// x{1000} repeated ten times compiles to ten thousand instructions.
const maxRegexSize = 5000

// Regex returns what is wrong with a regular expression, or nil. The expression can be of any
// length; callers hold it to MaxRegexLength.
func Regex(text string) error {
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return err
	}
	program, err := syntax.Compile(tree.Simplify())
	if err == nil && len(program.Inst) > maxRegexSize {
		err = errors.New("pattern too large - compile failed")
	}
	return err
}

package check

import (
	"errors"
	"regexp/syntax"
)

// largestRegex is how many instructions a regular expression may come to. All of this language's are matched in linear time, so
// that none can explode; but a short text can ask for a lot, and the time is that of the text times that: x{1000} ten times
// over is ten thousand for every letter that is looked at, and as many to be made each time.
const largestRegex = 5000

// Regex returns what is wrong with a regular expression from outside, in the words of package regexp. The caller checks
// its length against LongestRegex first.
func Regex(text string) error {
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return err
	}
	program, err := syntax.Compile(tree.Simplify())
	if err == nil && len(program.Inst) > largestRegex {
		err = errors.New("pattern too large - compile failed")
	}
	return err
}

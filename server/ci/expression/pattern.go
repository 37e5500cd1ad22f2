package expression

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"strings"
)

// The limits of patterns. The time of a match is at most proportional to the instructions of the
// compiled pattern times the bytes of the text.
const (
	maxPattern      = 4 << 10 // bytes
	maxInstructions = 10_000
	maxWork         = 50_000_000 // instructions times bytes
	maxCached       = 100_000    // instructions that an Evaluator keeps
)

// ErrExpensive is the error of a pattern that is too large for the text that it is compared with.
var ErrExpensive = errors.New("regular expression is too large for the text it is compared with")

// Evaluator evaluates the conditions of a pipeline, and keeps the patterns that it has compiled.
// Its zero value is ready. It is not safe for concurrent use.
type Evaluator struct {
	compiled map[string]compiled
	size     int // instructions of all
}

type compiled struct {
	re           *regexp.Regexp
	instructions int
}

// Evaluate reports whether a condition holds. The error is ErrExpensive or nil.
func (v *Evaluator) Evaluate(e *Expression, lookup Lookup) (bool, error) {
	run := evaluation{Evaluator: v, lookup: lookup}
	holds := e.root.evaluate(&run).holds()
	return holds && run.err == nil, run.err
}

// Match reports whether a text matches a pattern such as "/^v[0-9]/i". ok is false if the pattern
// is not one. The error is ErrExpensive or nil.
func (v *Evaluator) Match(pattern, text string) (matched, ok bool, err error) {
	if !isWholePattern(pattern) {
		return false, false, nil
	}
	matched, err = v.match(pattern, text)
	return matched, true, err
}

// match reports whether a text matches a valid pattern.
func (v *Evaluator) match(pattern, text string) (bool, error) {
	c, ok := v.compiled[pattern]
	if !ok {
		tree, err := parsePattern(pattern)
		if err != nil {
			return false, nil
		}
		c = compiled{regexp.MustCompile(regexpOf(pattern)), weigh(tree)}
		if v.size+c.instructions > maxCached || v.compiled == nil {
			v.compiled, v.size = map[string]compiled{}, 0
		}
		v.compiled[pattern] = c
		v.size += c.instructions
	}
	if len(text)*c.instructions > maxWork {
		return false, ErrExpensive
	}
	return c.re.MatchString(text), nil
}

// validPattern reports whether a pattern with slashes is a regular expression within the limits.
func validPattern(pattern string) bool {
	tree, err := parsePattern(pattern)
	return err == nil && weigh(tree) <= maxInstructions
}

// isWholePattern reports whether a text is a valid pattern from its first slash to its flags.
func isWholePattern(text string) bool {
	return strings.HasPrefix(text, "/") && patternToken().FindString(text) == text && validPattern(text)
}

// ValidPattern reports whether a text is a pattern with slashes, such as "/^v[0-9]/i".
func ValidPattern(text string) bool { return isWholePattern(text) }

// regexpOf returns the regular expression of a pattern with slashes and flags.
func regexpOf(pattern string) string {
	last := strings.LastIndexByte(pattern, '/')
	body, flags := strings.ReplaceAll(pattern[1:last], `\/`, "/"), pattern[last+1:]
	if flags == "" {
		return body
	}
	return "(?" + flags + ")" + body
}

func parsePattern(pattern string) (*syntax.Regexp, error) {
	if len(pattern) > maxPattern {
		return nil, ErrSyntax
	}
	return syntax.Parse(regexpOf(pattern), syntax.Perl)
}

// ValidRegexp reports whether a text is a regular expression within the limits.
func ValidRegexp(text string) bool {
	if len(text) > maxPattern {
		return false
	}
	tree, err := syntax.Parse(text, syntax.Perl)
	return err == nil && weigh(tree) <= maxInstructions
}

// weigh returns about how many instructions a regular expression is compiled to, without compiling
// it: it is called for every pattern of a file.
func weigh(re *syntax.Regexp) int {
	n := 1
	if re.Op == syntax.OpLiteral {
		n = len(re.Rune)
	}
	for _, sub := range re.Sub {
		n += weigh(sub)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(re.Min, re.Max, 1)
	}
	return min(n, 1<<40)
}

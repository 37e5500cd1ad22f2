package expression

import (
	"errors"
	"regexp"
	"strings"

	"hew/schema/pattern"
)

// maxTokens bounds a condition, and so the depth of its tree.
const maxTokens = 100

// ErrSyntax is the error of text that is not a condition.
var ErrSyntax = errors.New("invalid expression syntax")

// symbol is the kind of a token.
type symbol int

const (
	end symbol = iota
	opening
	closing
	not
	equal
	unequal
	match
	mismatch
	and
	or
	variable
	literal
	regex
	null
	truth
	falsehood
)

type token struct {
	symbol symbol
	text   string // name of a variable, value of a literal, a pattern with its slashes
}

// symbols are the tokens of fixed text. Of two with the same beginning the longer one is first.
var symbols = []struct {
	text   string
	symbol symbol
}{
	{"(", opening}, {")", closing}, {"==", equal}, {"!=", unequal}, {"=~", match}, {"!~", mismatch},
	{"&&", and}, {"||", or}, {"!", not}, {"null", null}, {"true", truth}, {"false", falsehood},
}

// Strings have no escapes. A pattern has at least two characters between its slashes; "\/" is a
// slash.
var (
	variableToken = pattern.Lazy(`^\$(\w+)`)
	stringToken   = pattern.Lazy(`^(?:"(.*?)"|'(.*?)')`)
	patternToken  = pattern.Lazy(`^/(?:[^/]|\\/)+[^\\]/[ismU]*`)
)

// tokenize splits a condition.
func tokenize(text string) ([]token, error) {
	var tokens []token
	for {
		text = strings.TrimLeft(text, " \t\r\n\f\v")
		if text == "" {
			return append(tokens, token{symbol: end}), nil
		}
		t, size := scan(text)
		if size == 0 || len(tokens) == maxTokens {
			return nil, ErrSyntax
		}
		tokens, text = append(tokens, t), text[size:]
	}
}

// scan returns the token at the beginning of a text, and its size in bytes, zero if there is none.
func scan(text string) (token, int) {
	switch text[0] {
	case '$':
		return capture(variable, variableToken(), text)
	case '"', '\'':
		return capture(literal, stringToken(), text)
	case '/':
		found := patternToken().FindString(text)
		return token{regex, found}, len(found)
	}
	for _, s := range symbols {
		if strings.HasPrefix(text, s.text) {
			return token{symbol: s.symbol}, len(s.text)
		}
	}
	return token{}, 0
}

// capture returns the token that a regular expression finds, with the text of its groups.
func capture(kind symbol, re *regexp.Regexp, text string) (token, int) {
	found := re.FindStringSubmatch(text)
	if found == nil {
		return token{}, 0
	}
	return token{kind, strings.Join(found[1:], "")}, len(found[0])
}

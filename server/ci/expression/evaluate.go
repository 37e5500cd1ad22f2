package expression

import "strings"

// value is what a part of a condition evaluates to. The zero value is null.
type value struct {
	kind  valueKind
	truth bool
	text  string // of a text, or a pattern with its slashes
}

type valueKind int

const (
	isNull valueKind = iota
	isBool
	isText
	isPattern
)

// holds reports whether a condition with this value holds: null and an empty text do not.
func (v value) holds() bool {
	switch v.kind {
	case isNull:
		return false
	case isBool:
		return v.truth
	default:
		return v.text != ""
	}
}

// absent reports whether || goes on to its right side after this value, and && does not. An empty
// text is a value to && and ||, which return one of their sides: `$EMPTY || $SET` is empty, and
// does not hold.
func (v value) absent() bool { return v.kind == isNull || v.kind == isBool && !v.truth }

func (v value) evaluate(*evaluation) value { return v }

// reference is the name of a variable.
type reference string

func (r reference) evaluate(v *evaluation) value {
	if text, ok := v.lookup(string(r)); ok {
		return value{kind: isText, text: text}
	}
	return value{}
}

type negation struct{ of node }

func (n negation) evaluate(v *evaluation) value {
	return value{kind: isBool, truth: !n.of.evaluate(v).holds()}
}

type binary struct {
	operator    symbol
	left, right node
}

func (b binary) evaluate(v *evaluation) value {
	left := b.left.evaluate(v)
	switch {
	case b.operator == or && !left.absent(), b.operator == and && left.absent():
		return left
	case b.operator == or, b.operator == and:
		return b.right.evaluate(v)
	}
	right := b.right.evaluate(v)
	holds := false
	switch b.operator {
	case equal, unequal:
		holds = left == right
	case match, mismatch:
		holds = v.matches(left, right)
	}
	return value{kind: isBool, truth: holds != (b.operator == unequal || b.operator == mismatch)}
}

// evaluation is one evaluation of a condition.
type evaluation struct {
	*Evaluator
	lookup Lookup
	err    error
}

// matches reports whether left matches the pattern on the right. The value of a variable that looks
// like a pattern is one; another text matches if left is in it.
func (v *evaluation) matches(left, right value) bool {
	if right.absent() || left.kind == isPattern {
		return false
	}
	text := left.text
	if left.kind == isBool {
		text = boolText(left.truth)
	}
	if right.kind == isBool {
		return strings.Contains(boolText(right.truth), text)
	}
	if right.kind == isText && !isWholePattern(right.text) {
		return strings.Contains(right.text, text)
	}
	holds, err := v.match(right.text, text)
	if err != nil && v.err == nil {
		v.err = err
	}
	return holds
}

func boolText(truth bool) string {
	if truth {
		return "true"
	}
	return "false"
}

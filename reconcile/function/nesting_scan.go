package function

import "unicode/utf8"

// Lexing a file takes as long as parsing it, which lexes it once more. So a file is looked through
// byte by byte first. That is enough for nearly all of them.

// nesting looks through a source. It knows less than the lexer: what it does not know it leaves to
// the lexer, and it counts rather too much than too little.
type nesting struct {
	src    []byte
	at     int
	most   limits
	levels []nestingLevel
	total  int // operators on all levels
}

// nestingLevel is what an opening bracket or quote began.
type nestingLevel struct {
	opener    byte // ( [ { ", or $ for an interpolation or a directive; 0 for the file
	operators int
}

// isWithin reports whether a source in native syntax certainly keeps the limits.
func isWithin(src []byte, most limits) bool {
	if !utf8.Valid(src) {
		return false // the lexer sees characters that are none
	}
	n := nesting{src: src, most: most, levels: []nestingLevel{{}}}
	for n.at < len(n.src) {
		ok := false
		if n.levels[len(n.levels)-1].opener == '"' {
			ok = n.scanString()
		} else {
			ok = n.scanCode()
		}
		if !ok {
			return false
		}
	}
	return len(n.levels) == 1
}

// scanCode looks at the next byte outside of strings.
func (n *nesting) scanCode() bool {
	c, next := n.src[n.at], n.peek(1)
	n.at++
	switch c {
	case '"', '(', '[', '{':
		return n.open(c)
	case ')':
		return n.close('(')
	case ']':
		return n.close('[')
	case '}':
		return n.close('{') || n.close('$')
	case '\n', ',':
		n.endExpression(c)
	case '#':
		return n.skipLine()
	case '/':
		switch next {
		case '/':
			return n.skipLine()
		case '*':
			return n.skipComment()
		}
		return n.addOperator()
	case '<':
		return next != '<' && n.addOperator() // else a heredoc
	case '=':
		return next != '=' || n.addOperator()
	case '!', '-', '+', '*', '%', '&', '|', '>', '?':
		return n.addOperator()
	}
	return true
}

// scanString looks at the next byte of a string.
func (n *nesting) scanString() bool {
	c, next := n.src[n.at], n.peek(1)
	n.at++
	switch c {
	case '"':
		return n.close('"')
	case '\n':
		return false
	case '\\':
		n.at++
		return next == '"' || next == '\\' || next == 'n' || next == 't' || next == 'r'
	case '$', '%':
		n.at++
		return next == '{' && n.open('$')
	}
	return true
}

// peek returns the byte i after the next one, or 0 at the end.
func (n *nesting) peek(i int) byte {
	if n.at+i >= len(n.src) {
		return 0
	}
	return n.src[n.at+i]
}

func (n *nesting) open(opener byte) bool {
	n.levels = append(n.levels, nestingLevel{opener: opener})
	return len(n.levels)-1 <= n.most.nesting
}

// close ends a level. It returns false if another one is to be ended first.
func (n *nesting) close(opener byte) bool {
	top := n.levels[len(n.levels)-1]
	if top.opener != opener {
		return false
	}
	n.total -= top.operators
	n.levels = n.levels[:len(n.levels)-1]
	return true
}

// endExpression ends an expression at a comma, or at a line break that is not within brackets.
func (n *nesting) endExpression(by byte) {
	top := &n.levels[len(n.levels)-1]
	if by == ',' || top.opener == '{' || top.opener == 0 {
		n.total, top.operators = n.total-top.operators, 0
	}
}

func (n *nesting) addOperator() bool {
	n.levels[len(n.levels)-1].operators++
	n.total++
	return n.total <= n.most.operators
}

// skipLine skips a comment, which for the lexer has the line break in it.
func (n *nesting) skipLine() bool {
	for n.at < len(n.src) && n.src[n.at] != '\n' {
		n.at++
	}
	n.at++
	return true
}

func (n *nesting) skipComment() bool {
	for n.at++; n.at < len(n.src); n.at++ {
		if n.src[n.at] == '*' && n.peek(1) == '/' {
			n.at += 2
			return true
		}
	}
	return false
}

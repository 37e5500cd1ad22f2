package expression

// Expression is a parsed condition of rules:if.
type Expression struct {
	root node
}

// node is a part of a condition.
type node interface {
	evaluate(v *evaluation) value
}

// maxText bounds a condition, in bytes.
const maxText = 64 << 10

// Parse reads a condition. The error is ErrSyntax or nil. Its time is linear in the text.
func Parse(text string) (*Expression, error) {
	if len(text) > maxText {
		return nil, ErrSyntax
	}
	tokens, err := tokenize(text)
	if err != nil {
		return nil, err
	}
	p := parser{tokens: tokens}
	root, ok := p.chain(0)
	if !ok || p.tokens[0].symbol != end {
		return nil, ErrSyntax
	}
	return &Expression{root}, nil
}

// levels are the operators with two sides, from those that bind loosest. All are left-associative.
var levels = [][]symbol{{or}, {and}, {equal, unequal, match, mismatch}}

// parser holds the tokens that are not read yet. The last one is end.
type parser struct {
	tokens []token
}

// take reads a token if it is one of the wanted ones.
func (p *parser) take(wanted ...symbol) (token, bool) {
	next := p.tokens[0]
	for _, w := range wanted {
		if next.symbol == w {
			p.tokens = p.tokens[1:]
			return next, true
		}
	}
	return token{}, false
}

// chain reads operands of a level and the operators between them.
func (p *parser) chain(level int) (node, bool) {
	if level == len(levels) {
		return p.operand()
	}
	left, ok := p.chain(level + 1)
	for ok {
		operator, found := p.take(levels[level]...)
		if !found {
			return left, true
		}
		var right node
		right, ok = p.chain(level + 1)
		left = binary{operator.symbol, left, right}
	}
	return nil, false
}

// operand reads a value, a negation or what stands in parentheses.
func (p *parser) operand() (node, bool) {
	t, ok := p.take(not, opening, variable, literal, regex, null, truth, falsehood)
	if !ok {
		return nil, false
	}
	switch t.symbol {
	case not:
		of, ok := p.operand()
		return negation{of}, ok
	case opening:
		inner, ok := p.chain(0)
		if ok {
			_, ok = p.take(closing)
		}
		return inner, ok
	case variable:
		return reference(t.text), true
	case literal:
		return value{kind: isText, text: t.text}, true
	case regex:
		return value{kind: isPattern, text: t.text}, validPattern(t.text)
	case truth, falsehood:
		return value{kind: isBool, truth: t.symbol == truth}, true
	}
	return value{}, true
}

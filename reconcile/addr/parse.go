package addr

import (
	"fmt"
	"strconv"
	"strings"
)

// Parse reads the address of an instance in either form. In the form for people the first index is
// a key and the second an element.
func Parse(text string) (Instance, error) {
	p := parser{text: text, rest: text}
	i := Instance{Block: p.block()}
	if i.IsCall() {
		return i, p.end()
	}
	if key, ok := p.index(); ok {
		i.Key = key
		if elem, ok := p.index(); ok {
			i.Elem = p.unquote(elem)
		}
	}
	if i.Elem == "" && p.consume("#") {
		i.Elem = p.strayID()
	}
	if id, ok := strings.CutSuffix(p.rest, ")"); ok && p.consume(oldMark) {
		i = i.Depose(strings.TrimPrefix(id, oldMark))
		p.rest = ""
	}
	return i, p.end()
}

// ParseBlock reads the address of a block, or of a module call.
func ParseBlock(text string) (Block, error) {
	p := parser{text: text, rest: text}
	b := p.block()
	return b, p.end()
}

// parser reads an address from left to right and keeps its first error.
type parser struct {
	text, rest string
	err        error
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("%q is not an address: %s", p.text, fmt.Sprintf(format, args...))
	}
}

func (p *parser) end() error {
	if p.rest != "" {
		p.fail("did not expect %q", p.rest)
	}
	return p.err
}

func (p *parser) consume(prefix string) bool {
	rest, ok := strings.CutPrefix(p.rest, prefix)
	p.rest = rest
	return ok
}

func (p *parser) block() (b Block) {
	var calls []string
	for p.consume("module.") {
		call := p.name()
		if key, ok := p.index(); ok {
			call += "[" + key + "]"
		}
		calls = append(calls, call)
		b.Module = strings.Join(calls, ".")
		if p.rest == "" && p.err == nil {
			return b
		}
		p.expectDot()
	}
	switch {
	case p.consume(modePrefix[Data]):
		b.Mode = Data
	case p.consume(modePrefix[Exclusive]):
		b.Mode = Exclusive
	}
	b.Kind = p.name()
	p.expectDot()
	b.Name = p.name()
	return b
}

func (p *parser) expectDot() {
	if !p.consume(".") {
		p.fail("expected KIND.NAME, as in group.acme or data.projects.all")
	}
}

func (p *parser) name() string {
	end := strings.IndexAny(p.rest, `.[#" `)
	if end < 0 {
		end = len(p.rest)
	}
	name := p.rest[:end]
	p.rest = p.rest[end:]
	if name == "" {
		p.fail("a name is missing")
	}
	return name
}

// index reads ["key"] or [0] and returns the key in printed form.
func (p *parser) index() (key string, ok bool) {
	if p.err != nil || !p.consume("[") {
		return "", false
	}
	if quoted, err := strconv.QuotedPrefix(p.rest); err == nil && quoted[0] == '"' {
		p.rest = p.rest[len(quoted):]
		key = StringKey(p.unquote(quoted))
	} else {
		key, _, _ = strings.Cut(p.rest, "]")
		p.rest = p.rest[len(key):]
		if !isNumber(key) {
			p.fail(`a key must be a number or a quoted string, as in x.y[0] and x.y["a"]`)
		}
	}
	if !p.consume("]") {
		p.fail("a ] is missing")
	}
	return key, true
}

// strayID reads what follows a #: a quoted element, or an id without quotes.
func (p *parser) strayID() string {
	elem := p.rest
	p.rest = ""
	if elem == "" {
		p.fail("nothing follows the #")
	}
	if strings.HasPrefix(elem, `"`) {
		return p.unquote(elem)
	}
	return elem
}

func (p *parser) unquote(text string) string {
	s, err := strconv.Unquote(text)
	if err != nil || text[0] != '"' {
		p.fail("%s is not a quoted string", text)
	}
	return s
}

package code

import (
	"fmt"
	"strconv"
	"strings"
)

// A template of changelogs is text with tags: {{ a.b }} shows a value, {% if a %} and {% each a %}
// hold more up to {% else %} or {% end %}. The line feed after a tag in percent signs, and one
// after a backslash, is left out. Values are maps, lists, texts, numbers and bools; a path goes
// from the value that an each is at, which is called "it".

// The limits of templates.
const (
	maxLoops    = 4        // that are in one another
	maxDepth    = 32       // of tags
	maxRendered = 10 << 20 // bytes
)

// templateNode is a part of a template: text, or a tag.
type templateNode struct {
	text     string
	kind     string         // "": text; show, if, each
	path     []string       // of the value
	body     []templateNode // of if and each
	elseBody []templateNode
}

// parseTemplate reads a template.
func parseTemplate(text string) ([]templateNode, error) {
	p := &templateParser{rest: text}
	nodes, end, err := p.nodes(0)
	if err == nil && end != "" {
		err = p.problem("{% " + end + " %} closes nothing")
	}
	return nodes, err
}

// templateParser has what is not read yet.
type templateParser struct{ rest string }

func (p *templateParser) problem(what string) error {
	near, _, _ := strings.Cut(p.rest, "\n")
	return changelogProblem(fmt.Sprintf("Failed to parse the template: %s, before %.40q", what, near))
}

// nodes reads up to a tag that closes, which it returns, or to the end of the template.
func (p *templateParser) nodes(depth int) (list []templateNode, end string, err error) {
	if depth > maxDepth {
		return nil, "", p.problem(fmt.Sprintf("more than %d tags in one another", maxDepth))
	}
	for p.rest != "" {
		i := strings.IndexAny(p.rest, `{\`)
		if i != 0 {
			if i < 0 {
				i = len(p.rest)
			}
			list = append(list, templateNode{text: p.rest[:i]})
			p.rest = p.rest[i:]
			continue
		}
		switch {
		case strings.HasPrefix(p.rest, "\\\n"):
			p.rest = p.rest[2:]
		case strings.HasPrefix(p.rest, "{{"):
			path, err := p.tag("{{", "}}")
			if err != nil {
				return nil, "", err
			}
			n := templateNode{kind: "show"}
			if n.path, err = p.selector(path); err != nil {
				return nil, "", err
			}
			list = append(list, n)
		case strings.HasPrefix(p.rest, "{%"):
			n, end, err := p.block(depth)
			if err != nil || end != "" {
				return list, end, err
			}
			list = append(list, n)
		default:
			list = append(list, templateNode{text: p.rest[:1]})
			p.rest = p.rest[1:]
		}
	}
	return list, "", nil
}

// tag reads a tag and returns what is in it.
func (p *templateParser) tag(open, shut string) (string, error) {
	i := strings.Index(p.rest, shut)
	if i < 0 {
		return "", p.problem(open + " has no " + shut)
	}
	inner := strings.TrimSpace(p.rest[len(open):i])
	p.rest = p.rest[i+len(shut):]
	return inner, nil
}

// block reads a tag in percent signs and, if it is an if or each, what it holds. For one that
// closes it returns its word.
func (p *templateParser) block(depth int) (n templateNode, end string, err error) {
	inner, err := p.tag("{%", "%}")
	if err != nil {
		return n, "", err
	}
	p.rest = strings.TrimPrefix(p.rest, "\n")
	word, path, _ := strings.Cut(inner, " ")
	n.kind = word
	switch {
	case inner == "end" || inner == "else":
		return n, inner, nil
	case word != "if" && word != "each":
		return n, "", p.problem(fmt.Sprintf("%q is not a statement", word))
	}
	if n.path, err = p.selector(strings.TrimSpace(path)); err != nil {
		return n, "", err
	}
	if n.body, end, err = p.nodes(depth + 1); err == nil && end == "else" && word == "if" {
		n.elseBody, end, err = p.nodes(depth + 1)
	}
	if err == nil && end != "end" {
		err = p.problem("{% " + word + " %} has no {% end %}")
	}
	return n, "", err
}

// selector reads the path of a value: names and numbers with dots between them.
func (p *templateParser) selector(text string) ([]string, error) {
	path := strings.Split(text, ".")
	for _, step := range path {
		name := strings.Trim(strings.ToLower(step), "abcdefghijklmnopqrstuvwxyz_") == ""
		if step == "" || !name && (len(step) > 10 || strings.Trim(step, "0123456789") != "") {
			return nil, p.problem(fmt.Sprintf("%q is not the name of a value", text))
		}
	}
	return path, nil
}

// templateOutput is what a template writes.
type templateOutput struct {
	strings.Builder
	loops int
}

// render writes nodes for a value.
func (o *templateOutput) render(nodes []templateNode, data any) error {
	for _, n := range nodes {
		value := data
		for _, step := range n.path {
			value = templateStep(value, step)
		}
		var err error
		switch n.kind {
		case "":
			o.WriteString(n.text)
		case "show":
			o.WriteString(templateText(value))
		case "if":
			body := n.elseBody
			if isTrue(value) {
				body = n.body
			}
			err = o.render(body, data)
		case "each":
			err = o.renderEach(n.body, value)
		}
		if err == nil && o.Len() > maxRendered {
			err = changelogProblem("the changelog is longer than 10 MiB")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (o *templateOutput) renderEach(body []templateNode, value any) error {
	if o.loops++; o.loops > maxLoops {
		return changelogProblem(fmt.Sprintf("You can only nest up to %d loops", maxLoops))
	}
	list, _ := value.([]any)
	for _, element := range list {
		if err := o.render(body, element); err != nil {
			return err
		}
	}
	o.loops--
	return nil
}

// templateStep returns the value of a name or number in a value, nil if it has none.
func templateStep(value any, step string) any {
	if step == "it" {
		return value
	}
	switch v := value.(type) {
	case map[string]any:
		return v[step]
	case []any:
		if i, err := strconv.Atoi(step); err == nil && i < len(v) {
			return v[i]
		}
	}
	return nil
}

// templateText returns a value as it is shown. Maps and lists are not.
func templateText(value any) string {
	switch value.(type) {
	case string, int, bool:
		return fmt.Sprint(value)
	}
	return ""
}

// isTrue reports whether an if shows its body for a value: not for nil, false and what is empty.
func isTrue(value any) bool {
	switch v := value.(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return v != ""
	case []any:
		return len(v) > 0
	case map[string]any:
		return len(v) > 0
	}
	return true
}

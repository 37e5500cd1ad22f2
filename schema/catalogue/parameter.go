package catalogue

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// Parameter is a property of an integration.
type Parameter struct {
	Name     string
	Alias    string // its neutral name, if it has one
	Type     Type   // Boolean, Integer, Text or Texts
	Required bool
	Secret   bool // reading does not show it
	Base     bool // where secrets are sent: changing it requires them
	Default  any  // in normal form; nil: nothing is set
	Enum     []string
	Doc      string // what it is, in one sentence

	rule string
}

// Spelled is its name, or the neutral one if there is one.
func (p Parameter) Spelled(neutral bool) string { return spelled(p.Name, p.Alias, neutral) }

// IsAddress says whether its value is where the host sends something, or leads people: an http or
// https URL.
func (p Parameter) IsAddress() bool { return p.rule == "url" }

// Normal brings a value to the form in which it is compared and kept, as [Setting.Normal] does.
func (p Parameter) Normal(value any) (any, error) { return p.form().Normal(value) }

// Check says what is wrong with a value, without its name. Nil and a blank text are right: they are
// how it is taken away.
func (p Parameter) Check(value any) error { return p.form().Check(value) }

func (p Parameter) form() Setting {
	return Setting{Key: p.Name, Type: p.Type, Enum: p.Enum, rule: p.rule}
}

// Read makes a value of a text, as configurations and forms have it: true, 8080, or a list with
// commas.
func (p Parameter) Read(text string) (any, error) {
	switch {
	case p.Type == Texts:
		list := []any{}
		for item := range strings.SplitSeq(text, ",") {
			if item = strings.TrimSpace(item); item != "" {
				list = append(list, item)
			}
		}
		return list, nil
	case p.Type == Text:
		return text, nil
	case text == "":
		return nil, nil
	case p.Type == Boolean && (text == "true" || text == "false"):
		return text == "true", nil
	case p.Type == Integer:
		return p.Normal(json.Number(text))
	}
	return p.Normal(text)
}

//go:embed integration_parameters.tsv
var parametersTable string

var parameters = sync.OnceValue(func() map[string]Parameter {
	m := map[string]Parameter{}
	for row := range rows(parametersTable) {
		p := Parameter{
			Name: row.at("name"), Alias: row.at("alias"), Type: Type(row.at("type")), Doc: row.at("doc"),
			rule:   row.at("rule"),
			Secret: row.at("secret") == "yes", Base: row.at("base") == "yes", Enum: strings.Fields(row.at("enum")),
		}
		if _, known := rules[p.rule]; p.rule != "" && !known {
			panic(fmt.Sprintf("catalogue: %s has an unknown rule %q", p.Name, p.rule))
		}
		if text := row.at("default"); text != "" {
			err := json.Unmarshal([]byte(text), &p.Default)
			if err == nil {
				p.Default, err = p.Normal(p.Default)
			}
			if err != nil {
				panic(fmt.Sprintf("catalogue: the default of %s: %v", p.Name, err))
			}
		}
		of := strings.Fields(row.at("of"))
		if len(of) == 0 {
			of = []string{""}
		}
		for _, slug := range of {
			m[slug+" "+p.Name] = p
		}
	}
	return m
})

// parameterOf is what a name means to an integration: its own row in the table, else that of all.
func parameterOf(slug, name string, required bool) Parameter {
	m := parameters()
	p, ok := m[slug+" "+name]
	if !ok {
		p, ok = m[" "+name]
	}
	if !ok {
		panic(fmt.Sprintf("catalogue: %s has an unknown parameter %q", slug, name))
	}
	p.Required = required
	return p
}

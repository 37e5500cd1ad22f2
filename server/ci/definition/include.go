package definition

import (
	"context"

	"hew/server/ci/document"
)

// Includes evaluates the rules of an include, and reports whether the file is included. The context
// has the variables that exist before a pipeline. The error is an *Error, that of ctx, or what a
// function of the context returns.
func (of Context) Includes(ctx context.Context, rules *document.Node) (bool, error) {
	c := &checker{config: &Config{}}
	list := entry{c, "include:rules", "config", rules, nil}.rules(ruleSet{
		keys: []string{"if", "exists", "changes", "when"},
		when: []string{"always", "never"},
	})
	if len(c.errors) > 0 {
		return false, c.errors[0]
	}
	if list == nil {
		return true, nil
	}
	s := newSelection(ctx, c.config, of)
	rule, err := s.first(list, s.scope(nil, nil, nil, ""), "include")
	return rule != nil && rule.When != Never, err
}

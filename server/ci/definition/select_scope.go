package definition

import (
	"slices"
	"strconv"
	"strings"

	"hew/server/ci/expression"
)

// scope are the variables that one job, or workflow, sees (ci §2.4).
type scope struct {
	s      *selection
	of     []expression.Variable // predefined ones of the job
	own    []expression.Variable // of the job in the file
	top    *inheritance          // of those at the top; nil: own are all
	stored storedVariables

	lookup   expression.Lookup // values as they are
	expanded expression.Lookup // nil until it is needed
}

// scope returns the variables of a job with an environment.
func (s *selection) scope(of, own []expression.Variable, top *inheritance, environment string) *scope {
	stored, ok := s.stored[environment]
	if !ok {
		if s.of.Stored != nil {
			stored.list = s.of.Stored(environment)
		}
		stored.lookup = expression.Values(stored.list)
		s.stored[environment] = stored
	}
	c := &scope{s: s, of: of, own: own, top: top, stored: stored}
	levels := []expression.Lookup{
		s.pipeline, stored.lookup, expression.Values(own), c.fromTop, expression.Values(of), s.predefined,
	}
	c.lookup = func(name string) (string, bool) {
		for _, level := range levels {
			if value, ok := level(name); ok {
				return value, true
			}
		}
		return "", false
	}
	return c
}

// fromTop looks up a variable at the top that the job inherits.
func (c *scope) fromTop(name string) (string, bool) {
	if c.top == nil || !c.top.variables.has(name) {
		return "", false
	}
	return c.s.topLookup(name)
}

// yaml returns the variables of the file, each name once. Jobs that have none of their own share
// them.
func (c *scope) yaml() []expression.Variable {
	if c.top == nil {
		return c.own
	}
	top := c.s.top
	if c.top.variables != nil {
		top = c.s.chosenTop(c.top.variables)
	}
	if len(c.own) == 0 {
		return top
	}
	return merge(c.own, top)
}

// chosenTop returns the variables at the top that are in a choice. Instances of a job ask for the
// same one.
func (s *selection) chosenTop(c *choice) []expression.Variable {
	list, ok := s.chosen[c]
	if !ok {
		for _, v := range s.top {
			if c.has(v.Key) {
				list = append(list, v)
			}
		}
		list = slices.Clip(list)
		s.chosen[c] = list
	}
	return list
}

// sharesTop reports whether yaml returns the variables at the top themselves.
func (c *scope) sharesTop() bool { return len(c.own) == 0 && c.top.variables == nil }

// jobScope returns the variables of a job, those of its environment among them.
func (s *selection) jobScope(j *Job) (*scope, error) {
	of := j.Predefined()
	c := s.scope(of, j.own, &j.inherits, "")
	if j.Environment == nil || s.of.Stored == nil {
		return c, nil
	}
	if len(expression.References(j.Environment.Name)) == 0 {
		return s.scope(of, j.own, &j.inherits, j.Environment.Name), nil
	}
	lookup, err := c.resolved()
	if err != nil {
		return nil, located(j.at, j.Name+": "+err.Error())
	}
	return s.scope(of, j.own, &j.inherits, expression.Expand(j.Environment.Name, lookup)), nil
}

// resolved returns the variables with the references in their values replaced.
func (c *scope) resolved() (expression.Lookup, error) {
	if c.expanded == nil {
		var list []expression.Variable
		for _, level := range [][]expression.Variable{
			c.s.of.Predefined, c.of, c.yaml(), c.stored.list, c.s.of.Pipeline,
		} {
			list = append(list, level...)
		}
		list, err := expression.Resolve(list, expression.ForServer)
		if err != nil {
			return nil, err
		}
		c.expanded = expression.Values(list)
	}
	return c.expanded, nil
}

// expand replaces the references in paths or refs. Unknown ones, and those that cannot be resolved,
// stay.
func (c *scope) expand(texts []string) ([]string, error) {
	if !strings.ContainsAny(strings.Join(texts, ""), "$%") {
		return texts, nil
	}
	lookup, err := c.resolved()
	if err != nil {
		return nil, &Error{Text: err.Error()}
	}
	expanded := make([]string, len(texts))
	for i, text := range texts {
		expanded[i] = expression.ExpandKnown(text, lookup)
	}
	return expanded, nil
}

// Predefined returns the predefined variables that the job itself decides about, to be used after
// those of the pipeline (ci §3, phase L).
func (j *Job) Predefined() []expression.Variable {
	list := []expression.Variable{
		{Key: "CI_JOB_NAME", Value: j.Name, Raw: true},
		{Key: "CI_JOB_NAME_SLUG", Value: Slug(j.Name)},
		{Key: "CI_JOB_STAGE", Value: j.Stage, Raw: true},
		{Key: "CI_JOB_GROUP_NAME", Value: j.Group(), Raw: true},
		{Key: "CI_NODE_TOTAL", Value: strconv.Itoa(max(j.Total, 1))},
	}
	if j.Index > 0 {
		list = append(list, expression.Variable{Key: "CI_NODE_INDEX", Value: strconv.Itoa(j.Index)})
	}
	if j.When == Manual || j.When == Delayed {
		list = append(list, expression.Variable{Key: "CI_JOB_MANUAL", Value: "true"})
	}
	if j.Environment != nil {
		list = append(list,
			expression.Variable{Key: "CI_ENVIRONMENT_NAME", Value: j.Environment.Name},
			expression.Variable{Key: "CI_ENVIRONMENT_ACTION", Value: j.Environment.Action},
			expression.Variable{Key: "CI_ENVIRONMENT_TIER", Value: j.Environment.tier()})
		if j.Environment.URL != "" {
			list = append(list, expression.Variable{Key: "CI_ENVIRONMENT_URL", Value: j.Environment.URL})
		}
	}
	return list
}

// Slug returns a text in lower case with every character outside a-z and 0-9 replaced by a hyphen,
// at most 63 characters without hyphens at the ends.
func Slug(text string) string {
	slug := []byte(strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(text)))
	return strings.Trim(string(slug[:min(len(slug), 63)]), "-")
}

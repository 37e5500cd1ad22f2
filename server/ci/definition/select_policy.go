package definition

import (
	"slices"
	"strings"

	"hew/server/ci/expression"
)

// policies evaluates only and except.
func (s *selection) policies(j *Job, scope *scope) (bool, error) {
	for _, kind := range policyKinds {
		if j.Only != nil && kind.given(j.Only) {
			if holds, err := kind.holds(s, j.Only, scope); err != nil || !holds {
				return false, failed(j.Name, err)
			}
		}
		if j.Except != nil && kind.given(j.Except) {
			if holds, err := kind.holds(s, j.Except, scope); err != nil || holds {
				return false, failed(j.Name, err)
			}
		}
	}
	return true, nil
}

// policyKinds are the keys of only and except. All of only's must hold, and none of except's.
var policyKinds = []struct {
	given func(*Policy) bool
	holds func(*selection, *Policy, *scope) (bool, error)
}{
	{func(p *Policy) bool { return p.Refs != nil }, (*selection).refs},
	{func(p *Policy) bool { return p.Kubernetes != "" },
		func(*selection, *Policy, *scope) (bool, error) { return false, nil }},
	{func(p *Policy) bool { return p.Variables != nil }, (*selection).conditions},
	{func(p *Policy) bool { return p.Changes != nil }, (*selection).policyChanges},
}

func (s *selection) conditions(p *Policy, scope *scope) (bool, error) {
	for _, condition := range p.conditions {
		if holds, err := s.evaluator.Evaluate(condition, scope.lookup); err != nil || holds {
			return holds, err
		}
	}
	return false, nil
}

func (s *selection) policyChanges(p *Policy, scope *scope) (bool, error) {
	return s.changes(&Changes{Paths: p.Changes}, scope, "")
}

// refs reports whether the pipeline is for one of the refs, or from one of the sources.
func (s *selection) refs(p *Policy, _ *scope) (bool, error) {
	for _, ref := range p.Refs {
		if holds, err := s.ref(ref); err != nil || holds {
			return holds, err
		}
	}
	return false, nil
}

func (s *selection) ref(text string) (bool, error) {
	// A pattern may contain an @; what is after its last one is a path only without a slash and
	// flags at the end, so that the pattern as a whole is tried first.
	if !expression.ValidPattern(text) {
		ref, project, found := strings.Cut(text, "@")
		if found && !strings.EqualFold(project, s.of.ProjectPath) {
			return false, nil
		}
		text = ref
	}
	source := strings.TrimSuffix(s.of.Source, "_event")
	names := []string{source, plural(source)}
	switch s.of.Kind {
	case Tag:
		names = append(names, "tags")
	case Branch:
		names = append(names, "branches")
	}
	if slices.Contains(names, text) {
		return true, nil
	}
	if s.of.Kind == MergeRequest {
		return false, nil
	}
	matched, isPattern, err := s.evaluator.Match(text, s.of.Ref)
	if isPattern {
		return matched, err
	}
	return text == s.of.Ref, nil
}

// plural returns the plural of a source, as in "pushes".
func plural(source string) string {
	if strings.HasSuffix(source, "sh") {
		return source + "es"
	}
	return source + "s"
}

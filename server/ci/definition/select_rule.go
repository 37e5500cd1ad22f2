package definition

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"hew/server/ci/expression"
)

// selection is one run of Select. It keeps what rules of several jobs ask for.
type selection struct {
	ctx    context.Context
	config *Config
	of     Context

	evaluator  expression.Evaluator
	pipeline   expression.Lookup
	predefined expression.Lookup
	stored     map[string]storedVariables // by environment
	changed    map[string]changedFiles    // by the ref to compare with
	files      map[[2]string][]string     // by project and ref
	answers    map[string]bool            // of changes and exists, by their patterns

	top       []expression.Variable // of the file, with those of workflow's rule
	topLookup expression.Lookup
	chosen    map[*choice][]expression.Variable
	variables int // of the jobs so far
}

type storedVariables struct {
	list   []expression.Variable
	lookup expression.Lookup
}

type changedFiles struct {
	paths []string
	known bool
}

func newSelection(ctx context.Context, c *Config, of Context) *selection {
	return &selection{
		ctx: ctx, config: c, of: of,
		pipeline: expression.Values(of.Pipeline), predefined: expression.Values(of.Predefined),
		stored: map[string]storedVariables{}, changed: map[string]changedFiles{},
		files: map[[2]string][]string{}, answers: map[string]bool{},
		chosen: map[*choice][]expression.Variable{},
	}
}

// first returns the first rule of which all clauses hold, nil if there is none.
func (s *selection) first(rules []Rule, scope *scope, name string) (*Rule, error) {
	for i := range rules {
		holds, err := s.holds(&rules[i], scope, name)
		if err != nil {
			return nil, failed(name, err)
		}
		if holds {
			return &rules[i], nil
		}
	}
	return nil, nil
}

func (s *selection) holds(r *Rule, scope *scope, name string) (bool, error) {
	if err := s.ctx.Err(); err != nil {
		return false, err
	}
	if r.condition != nil {
		if holds, err := s.evaluator.Evaluate(r.condition, scope.lookup); err != nil || !holds {
			return false, err
		}
	}
	if r.Changes != nil {
		if holds, err := s.changes(r.Changes, scope, name); err != nil || !holds {
			return false, err
		}
	}
	if r.Exists != nil {
		return s.exists(r.Exists, scope)
	}
	return true, nil
}

// changes evaluates a clause. Files that cannot be known make it hold.
func (s *selection) changes(c *Changes, scope *scope, name string) (bool, error) {
	paths, err := scope.expand(c.Paths)
	if err != nil {
		return false, err
	}
	to, err := scope.expand([]string{c.CompareTo})
	if err != nil {
		return false, err
	}
	files, ok := s.changed[to[0]]
	if !ok && s.of.Changed != nil {
		files.paths, files.known, err = s.of.Changed(s.ctx, to[0])
		if errors.Is(err, ErrBadRef) {
			return false, &Error{Text: fmt.Sprintf(
				"Failed to parse rule for %s: rules:changes:compare_to is not a valid ref", name)}
		}
		if err != nil {
			return false, err
		}
		s.changed[to[0]] = files
	}
	if !files.known {
		return true, nil
	}
	return s.answer("changes", append(to, paths...), func() (bool, error) {
		return expression.AnyMatch(s.ctx, paths, files.paths)
	})
}

// exists evaluates a clause.
func (s *selection) exists(x *Exists, scope *scope) (bool, error) {
	paths, err := scope.expand(x.Paths)
	if err != nil {
		return false, err
	}
	at, err := scope.expand([]string{x.Project, x.Ref})
	if err != nil {
		return false, err
	}
	key := [2]string{at[0], at[1]}
	files, ok := s.files[key]
	if !ok && s.of.Files != nil {
		if files, err = s.of.Files(s.ctx, key[0], key[1]); err != nil {
			return false, err
		}
		s.files[key] = files
	}
	return s.answer("exists", append(at, paths...), func() (bool, error) {
		return expression.AnyExists(s.ctx, paths, files)
	})
}

// answer keeps the answer to a question that many jobs ask.
func (s *selection) answer(clause string, about []string, ask func() (bool, error)) (bool, error) {
	key := clause + "\x00" + strings.Join(about, "\x00")
	if known, ok := s.answers[key]; ok {
		return known, nil
	}
	holds, err := ask()
	if err == nil {
		s.answers[key] = holds
	}
	return holds, err
}

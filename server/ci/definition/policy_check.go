package definition

import (
	"strings"

	"hew/server/ci/document"
	"hew/server/ci/expression"
)

// defaultRefs are those of only, if a job has neither rules nor refs of its own.
var defaultRefs = []string{"branches", "tags"}

func readOnly(j *Job, e entry) {
	j.Only = e.policy()
	if j.Only != nil && j.Only.Refs == nil {
		j.Only.Refs = defaultRefs
	}
}

func readExcept(j *Job, e entry) { j.Except = e.policy() }

// policy reads only or except, nil if it is not valid.
func (e entry) policy() *Policy {
	if e.is(document.List) {
		return &Policy{Refs: e.refs()}
	}
	if !e.is(document.Map) {
		e.attribute = "has"
		e.fail("to be either an array of conditions or a hash")
		return nil
	}
	if len(e.node.Entries) == 0 {
		e.fail("can't be blank")
	}
	e.keys("refs", "kubernetes", "variables", "changes")
	p := &Policy{Changes: e.field("changes").strings(), Variables: e.field("variables").strings()}
	if refs := e.field("refs"); refs.given() {
		p.Refs = refs.refs()
	}
	if len(p.Changes) > maxRulePaths {
		e.field("changes").fail("is too long (maximum is %d)", maxRulePaths)
	}
	if kubernetes := e.field("kubernetes"); kubernetes.given() {
		p.Kubernetes = "active"
		if text, _ := scalar(kubernetes.node); text != "active" {
			kubernetes.fail("unknown value: %s", text)
		}
	}
	for _, text := range p.Variables {
		condition, err := expression.Parse(text)
		if err != nil {
			e.field("variables").fail("invalid expression syntax")
			continue
		}
		p.conditions = append(p.conditions, condition)
	}
	return p
}

// refs reads names and patterns of refs.
func (e entry) refs() []string {
	refs, ok := stringsOf(e.node)
	for _, ref := range refs {
		looksLikePattern := len(ref) > 1 && strings.HasPrefix(ref, "/") && strings.HasSuffix(ref, "/")
		ok = ok && (!looksLikePattern || expression.ValidPattern(ref))
	}
	if !ok {
		e.fail("should be an array of strings or regular expressions using re2 syntax")
	}
	return refs
}

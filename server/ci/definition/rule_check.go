package definition

import (
	"slices"
	"strings"

	"hew/server/ci/document"
	"hew/server/ci/expression"
)

// ruleSet says what the rules of jobs, or those of workflow, may have.
type ruleSet struct {
	keys, when []string
}

var jobRules = ruleSet{
	keys: []string{"if", "changes", "exists", "when", "start_in", "allow_failure", "variables", "needs",
		"interruptible"},
	when: []string{"on_success", "on_failure", "always", "never", "manual", "delayed"},
}

func readRules(j *Job, e entry) {
	j.Rules = e.rules(jobRules)
	if items, _ := flatten(e.node); len(items) > 0 {
		last := items[len(items)-1]
		j.warnRules = last != nil && len(last.Entries) == 1 && last.Entries[0].Key == "when" &&
			j.Rules[len(j.Rules)-1].When != Never
	}
}

// rules reads a nested list of rules, nil if none is given.
func (e entry) rules(set ruleSet) []Rule {
	if !e.given() {
		return nil
	}
	rules := []Rule{}
	if !e.is(document.List) {
		e.fail("should be an array containing hashes and arrays of hashes")
		return rules
	}
	if len(e.node.Items) == 0 {
		e.fail("can't be blank")
	}
	items, ok := flatten(e.node)
	if !ok {
		e.fail("should be an array containing hashes and arrays of hashes")
	}
	for _, item := range items {
		rules = append(rules, e.item(e.location+":rule", item).rule(set))
	}
	return rules
}

// rule reads one rule.
func (e entry) rule(set ruleSet) (r Rule) {
	if !e.is(document.Map) {
		e.fail("should be a hash")
		return r
	}
	if len(e.node.Entries) == 0 {
		e.fail("can't be blank")
	}
	e.keys(set.keys...)
	r.If, r.condition = e.field("if").condition()
	if when := e.field("when"); when.given() {
		text, _ := scalar(when.node)
		if r.When = When(text); !slices.Contains(set.when, text) {
			when.fail("unknown value: %s", text)
		}
	}
	startIn := e.field("start_in")
	switch {
	case r.When == Delayed && !startIn.given():
		startIn.fail("should be a duration")
	case r.When == Delayed:
		r.StartIn = startIn.seconds(week)
	case startIn.given() && slices.Contains(set.when, "delayed"):
		e.fail("contains disallowed keys: start_in")
	}
	r.Changes, r.Exists = e.sub("changes").changes(), e.sub("exists").exists()
	if allowed := e.field("allow_failure").optionalBoolean(); allowed != nil {
		r.AllowFailure = &AllowFailure{Allowed: *allowed}
	}
	r.Variables = plainVariables(e.sub("variables").variables())
	r.Interruptible = e.field("interruptible").optionalBoolean()
	r.AutoCancel = e.sub("auto_cancel").autoCancel()
	if needs := e.sub("needs"); needs.given() {
		var of Job
		readNeeds(&of, needs)
		r.needs = of.needs
	}
	return r
}

// condition reads the expression of a rule.
func (e entry) condition() (string, *expression.Expression) {
	if !e.given() {
		return "", nil
	}
	if !e.is(document.String) {
		e.fail("invalid expression syntax")
		return "", nil
	}
	parsed, err := expression.Parse(e.node.Text)
	if err != nil {
		e.fail("invalid expression syntax")
		return "", nil
	}
	return e.node.Text, parsed
}

// changes reads a list of patterns, or a map with one.
func (e entry) changes() *Changes {
	if !e.given() {
		return nil
	}
	if !e.is(document.Map) {
		return &Changes{Paths: e.rulePaths()}
	}
	e.keys("paths", "compare_to")
	paths := e.sub("paths")
	if !paths.given() {
		e.fail("missing required keys: paths")
	}
	return &Changes{paths.rulePaths(), e.field("compare_to").text()}
}

// exists reads a pattern, a list of patterns, or a map with one.
func (e entry) exists() *Exists {
	if !e.given() {
		return nil
	}
	if !e.is(document.Map) {
		return &Exists{Paths: e.rulePaths()}
	}
	e.keys("paths", "project", "ref")
	paths := e.sub("paths")
	x := &Exists{paths.rulePaths(), e.field("project").text(), e.field("ref").text()}
	switch {
	case !paths.given():
		e.fail("missing required keys: paths")
	case x.Ref != "" && x.Project == "":
		e.fail("missing required keys: project")
	}
	return x
}

// rulePaths reads at most 50 patterns.
func (e entry) rulePaths() []string {
	if e.is(document.String) && strings.Contains(e.location, ":exists") {
		return []string{e.node.Text}
	}
	paths := e.strings()
	if len(paths) > maxRulePaths {
		e.fail("has too many entries (maximum %d)", maxRulePaths)
	}
	return paths
}

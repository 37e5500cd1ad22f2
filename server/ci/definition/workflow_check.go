package definition

import (
	"slices"
	"strings"

	"hew/server/ci/document"
)

// The stages that every pipeline has, and those that it has if the file names none.
const firstStage, lastStage = ".pre", ".post"

var defaultStages = []string{"build", "test", "deploy"}

// checkStages reads stages.
func (c *checker) checkStages() {
	e := c.root("stages")
	names := defaultStages
	if e.given() {
		names = e.stages()
	}
	c.config.Stages = []string{firstStage}
	seen := map[string]bool{firstStage: true, lastStage: true}
	for _, name := range names {
		if !seen[name] {
			seen[name] = true
			c.config.Stages = append(c.config.Stages, name)
		}
	}
	c.config.Stages = append(c.config.Stages, lastStage)
}

// stages returns the names in a nested list.
func (e entry) stages() (names []string) {
	var items []*document.Node
	ok := e.is(document.List)
	if ok {
		items, ok = flatten(e.node)
	}
	for _, item := range items {
		ok = ok && item != nil && item.Kind == document.String
		if ok {
			names = append(names, item.Text)
		}
	}
	if !ok {
		e.fail("should be an array of strings or a nested array of strings up to 10 levels deep")
	}
	return names
}

// checkWorkflow reads workflow.
func (c *checker) checkWorkflow() {
	e := c.root("workflow")
	if !e.given() || isJob(e.node) {
		return
	}
	if !e.is(document.Map) {
		e.fail("should be a hash")
		return
	}
	e.keys("rules", "name", "auto_cancel")
	w := &c.config.Workflow
	w.Name = e.field("name").atMost(strings.TrimSpace(e.field("name").text()), maxName)
	w.AutoCancel = e.sub("auto_cancel").autoCancel()
	w.Rules = e.sub("rules").rules(ruleSet{
		keys: []string{"if", "changes", "exists", "when", "start_in", "allow_failure", "variables", "needs",
			"auto_cancel"},
		when: []string{"always", "never"},
	})
}

// autoCancel reads auto_cancel of workflow or one of its rules.
func (e entry) autoCancel() (a AutoCancel) {
	if !e.given() {
		return a
	}
	if !e.is(document.Map) {
		e.fail("should be a hash")
		return a
	}
	e.keys("on_new_commit", "on_job_failure")
	a.OnNewCommit = e.field("on_new_commit").mustBeOneOf("conservative", "interruptible", "none")
	a.OnJobFailure = e.field("on_job_failure").mustBeOneOf("none", "all")
	return a
}

func (e entry) mustBeOneOf(values ...string) string {
	return e.oneOf("must be one of: "+strings.Join(values, ", "), values...)
}

func readStage(j *Job, e entry) { j.Stage = e.text() }

func readWhen(j *Job, e entry) {
	values := []string{"on_success", "on_failure", "always", "manual", "delayed"}
	if j.Kind == Bridge {
		values = values[:len(values)-1]
	}
	j.When = When(e.oneOf(shouldBeOneOf(values...), values...))
	j.AllowFailure = j.When == Manual
}

// readStartIn stores a duration; finishJob says whether there may be one.
func readStartIn(j *Job, e entry) {
	if j.When == Delayed {
		j.StartIn = e.seconds(week)
	}
}

// Seconds of the limits of durations.
const (
	week  = 7 * 24 * 3600
	month = 30 * 24 * 3600
)

func readAllowFailure(j *Job, e entry) {
	switch {
	case e.is(document.Bool):
		j.AllowFailure = e.node.Bool
	case e.is(document.Map) && j.Kind == Build:
		of := e
		of.location, of.attribute = e.location+":allow_failure", "config"
		of.keys("exit_codes")
		j.AllowFailure = false
		j.AllowExitCodes = of.field("exit_codes").exitCodes()
	case j.Kind == Build:
		e.fail("should be a hash or a boolean value")
	default:
		e.fail("should be a boolean value")
	}
}

// exitCodes reads one number or a list of numbers.
func (e entry) exitCodes() (codes []int) {
	items := []*document.Node{e.node}
	if e.is(document.List) {
		items = e.node.Items
	}
	for _, item := range items {
		if item == nil || item.Kind != document.Int || item.Int != int64(int32(item.Int)) {
			e.fail("should be an array of integers or an integer")
			return nil
		}
		if code := int(item.Int); !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
		if len(codes) > maxExitCodes {
			e.fail("is too long (maximum is %d)", maxExitCodes)
			return nil
		}
	}
	return codes
}

// maxExitCodes is the number of different codes of processes.
const maxExitCodes = 256

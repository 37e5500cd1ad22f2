package definition

import (
	"slices"
	"strings"

	"hew/server/ci/document"
)

// reserved are the keys at the top that are never jobs. default and workflow are jobs if they have
// a script.
var reserved = []string{"image", "services", "stages", "before_script", "after_script", "variables", "cache",
	"include"}

// isJob reports whether a value is that of a job.
func isJob(n *document.Node) bool {
	return n != nil && n.Kind == document.Map && kindOf(n) != ""
}

// kindOf returns the kind of job that a map is, "" if it is none.
func kindOf(n *document.Node) Kind {
	has := func(key string) bool {
		return slices.ContainsFunc(n.Entries, func(e document.Entry) bool { return e.Key == key })
	}
	switch {
	case has("script"), has("run"):
		return Build
	case has("trigger"), has("needs"):
		return Bridge
	}
	return ""
}

// checkJobs reads all jobs.
func (c *checker) checkJobs() {
	visible := false
	for _, e := range c.top.Entries {
		special := e.Key == "default" || e.Key == "workflow" || e.Key == "spec"
		if slices.Contains(reserved, e.Key) || special && !isJob(e.Value) {
			continue
		}
		visible = visible || !strings.HasPrefix(e.Key, ".")
		c.checkJob(e)
	}
	if !visible {
		c.fail(c.top, "jobs config should contain at least one visible job")
	}
}

// checkJob reads a job. Hidden ones must not be empty.
func (c *checker) checkJob(given document.Entry) {
	e := entry{c, "jobs:" + given.Key, "config", given.Value, &document.Node{File: c.top.File, Line: given.Line}}
	if strings.HasPrefix(given.Key, ".") {
		if n := given.Value; n == nil || n.Kind == document.Null || isEmpty(n) {
			e.fail("can't be blank")
		}
		return
	}
	if !isJob(given.Value) {
		e.location = "jobs " + given.Key
		e.fail("should implement the script:, run:, or trigger: keyword")
		return
	}
	name := e
	name.attribute = "name"
	switch {
	case !given.Plain:
		name.fail("should be a symbol")
	case strings.TrimSpace(given.Key) == "":
		name.fail("can't be blank")
	}
	name.atMost(given.Key, maxName)
	j := &Job{Name: given.Key, Base: given.Key, Kind: kindOf(given.Value), at: given.Value}
	c.readJob(j, e)
	c.list = append(c.list, j)
}

func isEmpty(n *document.Node) bool {
	return n.Kind == document.Map && len(n.Entries) == 0 || n.Kind == document.List && len(n.Items) == 0 ||
		n.Kind == document.String && strings.TrimSpace(n.Text) == ""
}

// readJob reads the keywords of a job, and what default gives it for those that it does not have.
func (c *checker) readJob(j *Job, e entry) {
	e.exclusive("script", "trigger")
	e.exclusive("run", "trigger")
	e.exclusive("run", "script")
	e.keys(keywordNames(j.Kind)...)
	if e.sub("rules").given() {
		for _, key := range []string{"only", "except", "start_in"} {
			if e.field(key).given() {
				e.fail("key may not be used with `rules`: %s", key)
			}
		}
	}
	for _, k := range keywords {
		if !k.allows(j.Kind) {
			continue
		}
		value := k.entry(e)
		switch {
		case value.given():
			k.read(j, value)
		case k.inherit != nil && c.given[k.name] && j.inherits.defaults.has(k.name):
			k.inherit(j, c.defaults)
		}
	}
	c.finishJob(j, e)
}

// finishJob checks and completes what several keywords have to do with.
func (c *checker) finishJob(j *Job, e entry) {
	if j.Stage == "" {
		j.Stage = "test"
	}
	if j.Kind == Build && j.Options.Run == nil && len(j.Options.Script) == 0 {
		e.field("script").fail("can't be blank")
	}
	if j.Kind == Bridge && j.Options.Trigger == nil && j.Options.UpstreamPipeline == "" && !e.sub("trigger").given() {
		e.fail("should contain either a trigger or a needs:pipeline")
	}
	startIn := e.field("start_in")
	switch delayed := j.When == Delayed; {
	case delayed && !startIn.given():
		startIn.fail("should be a duration")
	case !delayed && startIn.given():
		startIn.fail("must be blank")
	}
	if j.When == "" {
		j.When = OnSuccess
	}
	hasRules := e.sub("rules").given()
	if !hasRules && j.Only == nil && len(c.config.Workflow.Rules) == 0 {
		j.Only = &Policy{Refs: defaultRefs}
	}
	if last := len(j.Rules) - 1; last >= 0 && j.warnRules && len(c.config.Workflow.Rules) == 0 {
		c.warn(j.at, strings.ToLower(e.location)+" may allow multiple pipelines to run for a single action due to "+
			"`rules:when` clause with no `workflow:rules`")
	}
	c.finishPages(j, e)
	if j.needs == nil || len(j.deps) == 0 || j.Kind == Bridge {
		return
	}
	var missing []string
	for _, name := range j.deps {
		if !slices.ContainsFunc(j.needs, func(n need) bool { return n.job == name }) {
			missing = append(missing, name)
		}
	}
	if missing != nil {
		e.field("dependencies").fail("the %s should be part of needs", strings.Join(missing, ", "))
	}
}

// exclusive reports two keys of which only one may be given.
func (e entry) exclusive(a, b string) {
	if e.field(a).given() && e.field(b).given() {
		e.fail("these keys cannot be used together: %s, %s", a, b)
	}
}

package definition

import (
	"hew/schema/pattern"
	"hew/server/ci/document"
)

// maxURL bounds the URL of an environment, in characters.
const maxURL = 255

var environmentName = pattern.Lazy(`\A[a-zA-Z0-9_\\/${}. -]+\z`)

const environmentNameText = "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces"

// readEnvironment reads a name, or a map with one.
func readEnvironment(j *Job, e entry) {
	x := &Environment{Action: "start", at: e.node}
	j.Environment = x
	switch {
	case e.is(document.String):
		x.Name = e.node.Text
		if name := (entry{e.c, e.location, "name", e.node, e.parent}); x.Name == "" {
			name.fail("can't be blank")
		} else if !environmentName().MatchString(x.Name) {
			name.fail(environmentNameText)
		}
		return
	case !e.is(document.Map):
		e.fail("should be a hash or a string")
		return
	}
	e.keys("name", "url", "action", "on_stop", "kubernetes", "auto_stop_in", "deployment_tier")
	name := e.field("name")
	if x.Name = name.requiredText(); !matches(x.Name, environmentName) {
		name.fail(environmentNameText)
	}
	x.URL = e.field("url").atMost(e.field("url").text(), maxURL)
	actions := []string{"start", "stop", "prepare", "verify", "access"}
	message := "should be start, stop, prepare, verify, or access"
	if action := e.field("action").oneOf(message, actions...); action != "" {
		x.Action = action
	}
	x.OnStop = e.field("on_stop").text()
	if stop := e.field("auto_stop_in"); stop.is(document.String) && len(expressionNames(stop.node.Text)) > 0 {
		x.AutoStopIn = stop.node.Text
	} else {
		x.AutoStopIn = stop.expiry()
	}
	tiers := []string{"production", "staging", "testing", "development", "other"}
	x.DeploymentTier = e.field("deployment_tier").mustBeOneOf(tiers...)
	x.Kubernetes = encode(e.node.Get("kubernetes"))
}

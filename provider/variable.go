package provider

import (
	"fmt"
	"regexp"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// Variables for jobs: of a group, for all projects in it, of a project, and of
// the instance, for all there is. In groups and projects one key may have several
// values, each for the environments that its scope names.
var (
	groupVariable    = variable(inGroup)
	projectVariable  = variable(inProject)
	instanceVariable = variableOf(schema.Kind{
		Name:       "instance_variable",
		Doc:        "A variable that the jobs of all projects are given.",
		Collection: "admin/ci/variables",
		Match:      schema.ByKey("key"),
		Need:       theInstance.need,
	}, rest{ID: "key", Item: "admin/ci/variables/{key}"})
)

func variable(in holder) kind {
	items := in.path("variables")
	return variableOf(schema.Kind{
		Name: in.name + "_variable",
		Doc: "A variable that the jobs of a " + in.name + " are given. " +
			"One key may have several values, each for the environments that its scope names.",
		Collection: items,
		Match:      schema.ByKey("key").And("environment_scope"),
		Check:      hiddenIsMasked,
		Need:       in.need,
	}, rest{ID: "key,environment_scope", Item: items + "/{key}?filter[environment_scope]={environment_scope}"},
		in.ref(),
		text("environment_scope", "The environments that it is for, as a name or a pattern such as `review/*`.",
			fixed, def("*"), check(notEmpty), atMost(255)),
		boolean("hidden", "Its value is masked, and shown to nobody once it is set. That is decided when it is made.",
			fixed, def(false), wire("masked_and_hidden"), column("hidden")),
	)
}

// variableOf is a kind of variables, with the attributes that it has beside those of all.
func variableOf(k schema.Kind, api rest, own ...attr) kind {
	return kind{Kind: k, API: api, Table: join(own, []attr{
		text("key", "Its name.", required, fixed, atMost(255), check(variableKey)),
		text("value", "What it holds.", required, secret, readable, atMost(10_000)),
		text("variable_type", "A value, or the name of a file that holds it.", oneOf("env_var", "file"), def("env_var")),
		boolean("protected", "Only jobs of protected branches and tags are given it.", def(false)),
		boolean("masked", "It is hidden in the logs of jobs. Such a value is one word of eight characters or more.", maskedIfHidden),
		boolean("raw", "A dollar sign in it stands for itself.", def(false)),
		text("description", "What it is for.", atMost(255), def("")),
	})}
}

// maskedIfHidden is the default of masked: what is hidden is masked too.
func maskedIfHidden(a *attr) {
	a.Default = func(o schema.Object) cty.Value { return cty.BoolVal(isTrue(o.Get("hidden"))) }
}

func hiddenIsMasked(o schema.Object) []schema.Problem {
	if masked := o.Get("masked"); isTrue(o.Get("hidden")) && masked.IsKnown() && !masked.IsNull() && masked.False() {
		return []schema.Problem{{Attr: "masked", Text: "a variable with hidden = true is always masked: leave out masked"}}
	}
	return nil
}

var variableName = regexp.MustCompile(`^[a-zA-Z0-9_]+$`)

func variableKey(v cty.Value) error {
	if !variableName.MatchString(v.AsString()) {
		return fmt.Errorf("%s is no name of a variable: letters, digits and _ are accepted", schema.Encode(v))
	}
	return nil
}

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
	}, REST{ID: "key", Item: "admin/ci/variables/{key}"})
)

func variable(in holder) Kind {
	items := in.path("variables")
	return variableOf(schema.Kind{
		Name: in.name + "_variable",
		Doc: "A variable that the jobs of a " + in.name + " are given. " +
			"One key may have several values, each for the environments that its scope names.",
		Collection: items,
		Match:      schema.ByKey("key").And("environment_scope"),
		Check:      hiddenIsMasked,
		Need:       in.need,
	}, REST{ID: "key,environment_scope", Item: items + "/{key}?filter[environment_scope]={environment_scope}"},
		in.ref(),
		String("environment_scope", "The environments that it is for, as a name or a pattern such as `review/*`.",
			ForceNew, Default("*"), Check(NotEmpty), MaxLength(255)),
		Bool("hidden", "Its value is masked, and shown to nobody once it is set. That is decided when it is made.",
			ForceNew, Default(false), Parameter("masked_and_hidden"), Field("hidden")),
	)
}

// variableOf is a kind of variables, with the attributes that it has beside those of all.
func variableOf(k schema.Kind, api REST, own ...Attr) Kind {
	return Kind{Kind: k, API: api, Table: Join(own, []Attr{
		String("key", "Its name.", Required, ForceNew, MaxLength(255), Check(variableKey)),
		String("value", "What it holds.", Required, ReadableSecret, MaxLength(10_000)),
		String("variable_type", "A value, or the name of a file that holds it.", OneOf("env_var", "file"), Default("env_var")),
		Bool("protected", "Only jobs of protected branches and tags are given it.", Default(false)),
		Bool("masked", "It is hidden in the logs of jobs. Such a value is one word of eight characters or more.", maskedIfHidden),
		Bool("raw", "A dollar sign in it stands for itself.", Default(false)),
		String("description", "What it is for.", MaxLength(255), Default("")),
	})}
}

// maskedIfHidden is the default of masked: what is hidden is masked too.
func maskedIfHidden(a *Attr) {
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

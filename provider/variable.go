package provider

import (
	"fmt"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
	"hew/schema/catalogue"
)

// CI/CD variables of a group (for all its projects), of a project, and of the instance.
// In groups and projects a key can have several values, each for the environments in
// its scope.
func groupVariable() Kind   { return variable(inGroup) }
func projectVariable() Kind { return variable(inProject) }
func instanceVariable() Kind {
	return variableOf(schema.Kind{
		Name:       "instance_variable",
		Doc:        "A CI/CD variable of all projects.",
		Collection: "admin/ci/variables",
		Match:      schema.ByKey("key"),
		Unique:     []schema.Unique{{Attrs: []string{"key"}}},
		Need:       theInstance.need,
	}, REST{ID: "key", Item: "admin/ci/variables/{key}"})
}

func variable(in holder) Kind {
	items := in.path("variables")
	return variableOf(schema.Kind{
		Name: in.name + "_variable",
		Doc: "A CI/CD variable of a " + in.name + ". " +
			"A key may have several values, one for each environment scope.",
		Collection: items,
		Match:      schema.ByKey("key").And("environment_scope"),
		Unique:     []schema.Unique{{Attrs: []string{"key", "environment_scope"}}},
		Need:       in.need,
	}, REST{ID: "key,environment_scope", Item: items + "/{key}?filter[environment_scope]={environment_scope}"},
		in.ref(),
		String("environment_scope",
			"The environments that get the variable, as a name or a pattern such as `review/*`.",
			ForceNew, Default("*"), Check(NotEmpty), MaxLength(255), Check(checkEnvironmentScope)),
		Bool("hidden", "Whether the value is masked and cannot be read after creation.",
			ForceNew, Default(false), Parameter("masked_and_hidden"), Field("hidden"), OpensIf(false)),
	)
}

// variableOf returns a kind of variables that has its own attributes beside the common
// ones.
func variableOf(k schema.Kind, api REST, own ...Attr) Kind {
	k.Check = checkVariable
	return Kind{Kind: k, API: api, Table: Join(own, []Attr{
		String("key", "The name of the variable.", Required, ForceNew, MaxLength(255), Check(checkVariableKey)),
		String("value", "The value.", Required, ReadableSecret, MaxLength(10_000)),
		String("variable_type", "The type: env_var is a value, file the path of a file with the value.",
			OneOf("env_var", "file"), Default("env_var")),
		Bool("protected", "Whether only jobs of protected branches and tags get the variable.", Default(false),
			OpensIf(false)),
		Bool("masked", "Whether the value is masked in job logs. A masked value must be a single word of at "+
			"least eight characters.", maskedIfHidden, OpensIf(false)),
		Bool("raw", "Whether a dollar sign in the value is literal.", Default(false)),
		String("description", "A description of the variable.", MaxLength(255), Default("")),
	})}
}

// maskedIfHidden makes the default of masked the value of hidden.
func maskedIfHidden(a *Attr) {
	a.Default = func(o schema.Object) cty.Value { return cty.BoolVal(isTrue(o.Get("hidden"))) }
}

// checkVariable rejects a masked variable whose value cannot be masked, and a hidden one that is
// not masked.
func checkVariable(o schema.Object) []schema.Problem {
	wrong := checkHiddenVariable(o)
	value, _ := o.Get("value").Unmark()
	if !isTrue(o.Get("masked")) && !isTrue(o.Get("hidden")) || value.IsNull() || !value.IsKnown() {
		return wrong
	}
	raw, _ := o.Get("raw").Unmark()
	switch text := value.AsString(); {
	case !raw.IsNull() && !raw.IsKnown():
		return wrong
	case isTrue(raw):
		if !catalogue.IsRawMaskable(text) {
			wrong = append(wrong, schema.Problem{Attr: "value",
				Text: "the value cannot be masked; use at least eight " +
					"characters without spaces or line breaks, or remove masked"})
		}
	case !catalogue.IsMaskable(text):
		wrong = append(wrong, schema.Problem{Attr: "value", Text: "the value cannot be masked; use at least eight " +
			"letters, digits and _+=/@:.~- only, set raw = true, or remove masked"})
	}
	return wrong
}

func checkHiddenVariable(o schema.Object) []schema.Problem {
	if masked := o.Get("masked"); isTrue(o.Get("hidden")) && masked.IsKnown() && !masked.IsNull() && masked.False() {
		return []schema.Problem{{Attr: "masked", Text: "a hidden variable is always masked; remove masked"}}
	}
	return nil
}

func checkVariableKey(v cty.Value) error {
	if !catalogue.IsVariableKey(v.AsString()) {
		return fmt.Errorf("%s is not a valid variable name; use letters, digits and _", schema.Encode(v))
	}
	return nil
}

func checkEnvironmentScope(v cty.Value) error {
	if !catalogue.IsEnvironmentScope(v.AsString()) {
		return fmt.Errorf("%s is not a valid environment scope; use letters, digits, spaces and -_/${}.*\\, and do "+
			"not begin or end with a slash", schema.Encode(v))
	}
	return nil
}

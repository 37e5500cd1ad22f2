package provider

import (
	"errors"
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
	"hew/schema/catalogue"
)

// Labels of groups and projects (gaps §6.3). Their lists include the labels of the
// groups above, unless the query excludes those.
func groupLabel() Kind {
	return label(inGroup.as("Planner"),
		"A label of a group, for issues and merge requests of all its projects.")
}

func projectLabel() Kind {
	return label(inProject.as("Planner"), "A label of a project, for its issues and merge requests.",
		Number("priority", "The priority of the label, where 0 is the highest. Without it, the label has none.",
			Between(0, Unbounded)),
		Bool("is_project_label", "Whether the label belongs to the project, not to a group.", Computed))
}

func label(in holder, doc string, more ...Attr) Kind {
	return Kind{
		Kind: schema.Kind{
			Name:       in.name + "_label",
			Doc:        doc + " It is identified by its name.",
			Collection: in.path("labels?include_ancestor_groups=false"),
			Match:      schema.ByKey("name"),
			Unique: []schema.Unique{{Attrs: []string{"name"}, InAncestry: "label", AboveOnly: true,
				FreeRename: in.name == inGroup.name}},
			Need: in.need,
		},
		Table: Join([]Attr{
			in.ref(),
			String("name", "The name of the label, without commas and surrounding spaces. Case matters.",
				Required, UpdateParameter("new_name"), Check(NotEmpty), Check(checkNoComma), Check(checkNotPadded),
				MaxLength(255)),
			String("color", "The color: `#` and three or six digits, or a CSS color name such as `red`.",
				Required, Norm(normString(catalogue.SameColour),
					"You can write the name or the digits of a color. Case does not matter."), Check(checkColor)),
			String("description", "A description of the label.", Default("")),
		}, more, []Attr{
			ID(),
			String("text_color", "The color of the text.", Computed),
		}),
	}
}

func checkNoComma(v cty.Value) error {
	if name := v.AsString(); strings.Contains(name, ",") {
		return fmt.Errorf("%q must not contain a comma, as commas separate labels in lists", name)
	}
	return nil
}

// checkNotPadded rejects surrounding spaces: hosts drop them, so that the name would
// not be found again.
func checkNotPadded(v cty.Value) error {
	if name := v.AsString(); strings.TrimSpace(name) != name {
		return errors.New("must not have surrounding spaces, as hosts remove them")
	}
	return nil
}

func checkColor(v cty.Value) error {
	if _, ok := catalogue.Colour(v.AsString()); ok {
		return nil
	}
	return fmt.Errorf("%q is not a color; use # and three or six hexadecimal digits, or a CSS color name", v.AsString())
}

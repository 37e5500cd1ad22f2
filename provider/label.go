package provider

import (
	"errors"
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
	"hew/schema/catalogue"
)

// Labels of groups and projects (gaps §6.3). A list of them tells of those above,
// too, unless it is asked not to.
var (
	groupLabel   = label(inGroup.as("Planner"), "A label of a group, for the issues and merge requests of all projects below it.")
	projectLabel = label(inProject.as("Planner"), "A label of a project, for its issues and merge requests.",
		Number("priority", "How urgent it is, 0 being the most urgent. Without it the label has no priority.", Between(0, Unbounded)),
		Bool("is_project_label", "It is the project's own, and not one of a group above.", Computed))
)

func label(in holder, doc string, more ...Attr) Kind {
	return Kind{
		Kind: schema.Kind{
			Name:       in.name + "_label",
			Doc:        doc + " It is recognised by its name.",
			Collection: in.path("labels?include_ancestor_groups=false"),
			Match:      schema.ByKey("name"),
			Need:       in.need,
		},
		Table: Join([]Attr{
			in.ref(),
			String("name", "What the label is called: no commas, and no blanks around it. Upper and lower case are two.",
				Required, UpdateParameter("new_name"), Check(NotEmpty), Check(noComma), Check(notPadded), MaxLength(255)),
			String("color", "Its color: `#` and three or six digits, or a name that CSS knows, such as `red`.",
				Required, Norm(texts(catalogue.SameColour), "A color's name and its digits are one, in upper or lower case."), Check(knownColour)),
			String("description", "What it is for.", Default("")),
		}, more, []Attr{
			ID(),
			String("text_color", "The color of the text on it.", Computed),
		}),
	}
}

func noComma(v cty.Value) error {
	if name := v.AsString(); strings.Contains(name, ",") {
		return fmt.Errorf("%q has a comma, and lists of labels have those between them: name it without one", name)
	}
	return nil
}

// notPadded refuses what hosts would store without the blanks around it, and what
// is written would never be found again.
func notPadded(v cty.Value) error {
	if name := v.AsString(); strings.TrimSpace(name) != name {
		return errors.New("it has blanks around it, which hosts take off: write it without them")
	}
	return nil
}

func knownColour(v cty.Value) error {
	if _, ok := catalogue.Colour(v.AsString()); ok {
		return nil
	}
	return fmt.Errorf("%q is no color: # and three or six hexadecimal digits are accepted, or a name that CSS knows", v.AsString())
}

package provider

import (
	"fmt"
	"strings"
	"sync"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
	"hew/schema/catalogue"
)

// checkIntegration checks the arguments of an integration against the catalogue.
// Unknown values pass.
func checkIntegration(o schema.Object) []schema.Problem {
	slug, _ := o.Get("slug").Unmark()
	if slug.IsNull() || !slug.IsKnown() {
		return nil
	}
	of, ok := catalogue.IntegrationBySlug(slug.AsString())
	if !ok {
		return nil // the check of slug reports it
	}
	inherits, _ := o.Get("use_inherited_settings").Unmark()
	if !inherits.IsNull() && (!inherits.IsKnown() || inherits.True()) {
		return checkInherited(o, inherits)
	}
	return append(checkProperties(o, of), checkFlags(o, of)...)
}

// checkInherited rejects properties and flags beside use_inherited_settings, as they
// come from the group or instance then.
func checkInherited(o schema.Object, inherits cty.Value) (wrong []schema.Problem) {
	for a, v := range o.Value.All() {
		_, flag := flagByName()[a.Name]
		if inherits.IsKnown() && (flag || a.Name == "properties") && !v.IsNull() {
			wrong = append(wrong, schema.Problem{Attr: a.Name, Moot: true, Text: a.Name +
				" is inherited from the group if use_inherited_settings is true; remove one of the two"})
		}
	}
	return wrong
}

// checkProperties returns the properties that the service does not have, the values
// that it does not accept, and the required properties that are missing.
func checkProperties(o schema.Object, of catalogue.Integration) (wrong []schema.Problem) {
	stated, marks := o.Get("properties").Unmark()
	if !stated.IsKnown() {
		return nil
	}
	values, misspelt := map[string]any{}, false
	if !stated.IsNull() && stated.LengthInt() > 0 {
		for _, name := range keys(stated.AsValueMap()) {
			item := stated.Index(cty.StringVal(name)).WithMarks(marks)
			p, ok := of.Parameter(name)
			if !ok {
				wrong, misspelt = append(wrong, unknownProperty(of, name)), true // it may be the missing one
				continue
			}
			if err := checkProperty(p, item); err != nil {
				wrong = append(wrong, schema.Problem{Attr: at(name),
					Text: fmt.Sprintf("%s of %s %v", name, of.Slug, err)})
			}
			if bare, _ := item.Unmark(); !bare.IsKnown() || bare.AsString() != "" {
				values[p.Name] = true
			}
		}
	}
	if missing := of.Missing(values); missing != nil && !misspelt {
		wrong = append(wrong, schema.Problem{Attr: "properties", Text: fmt.Sprintf(
			"%s requires %s; set it in properties", of.Slug, strings.Join(missing, ", "))})
	}
	return wrong
}

// checkProperty returns what is wrong with a value. It does not quote a secret.
func checkProperty(p catalogue.Parameter, item cty.Value) error {
	bare, _ := item.Unmark()
	if !bare.IsKnown() || bare.IsNull() {
		return nil
	}
	v, err := p.Read(bare.AsString())
	if err == nil {
		err = p.Check(v)
	}
	switch {
	case err != nil && len(p.Enum) > 0:
		return fmt.Errorf("%w: %s", err, strings.Join(p.Enum, ", "))
	case err != nil && !p.Secret && !schema.IsSecret(item):
		return fmt.Errorf("%w; it is %s", err, schema.Encode(bare))
	}
	return err
}

// unknownProperty returns a problem that lists the service's properties.
func unknownProperty(of catalogue.Integration, name string) schema.Problem {
	known := make([]string, len(of.Parameters))
	for i, p := range of.Parameters {
		known[i] = p.Name
	}
	if of.Has(name) {
		return schema.Problem{Attr: at(name), Text: name +
			" is an argument of the block, not a property; move it out of the braces"}
	}
	return schema.Problem{
		Attr: at(name), Text: fmt.Sprintf("%s has no property %q.", of.Slug, name), Word: name, Known: known,
	}
}

// at returns the path of a property.
func at(name string) string { return fmt.Sprintf("properties[%q]", name) }

// flagByName returns the flag of the catalogue with that name.
var flagByName = sync.OnceValue(func() map[string]catalogue.Flag {
	all := map[string]catalogue.Flag{}
	for _, f := range catalogue.Flags() {
		all[f.Name] = f
	}
	return all
})

// checkFlags returns the flags that the service does not have: hosts ignore them.
func checkFlags(o schema.Object, of catalogue.Integration) (wrong []schema.Problem) {
	has := "It has no events."
	if len(of.Flags) > 0 {
		names := make([]string, len(of.Flags))
		for i, f := range of.Flags {
			names[i] = f.Name
		}
		has = "Its events are " + strings.Join(names, ", ") + "."
	}
	for a, v := range o.Value.All() {
		if _, flag := flagByName()[a.Name]; flag && !v.IsNull() && !of.Has(a.Name) {
			wrong = append(wrong, schema.Problem{Attr: a.Name,
				Text: fmt.Sprintf("%s does not support %s. %s", of.Slug, a.Name, has)})
		}
	}
	return wrong
}

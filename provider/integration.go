package provider

import (
	"strings"
	"sync"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
	"hew/schema/catalogue"
)

// Integrations of projects and groups with other services (spec 3 §4.1, gaps §13.1).
// The catalogue's table lists the services and their properties.
func groupIntegration() Kind   { return integration("group_integration", inGroup) }
func projectIntegration() Kind { return integration("integration", inProject) }

func integration(name string, in holder) Kind {
	return Kind{
		Kind: schema.Kind{
			Name: name,
			Doc: "An integration of a " + in.name + " with a service such as a chat or an issue tracker. " +
				"Removing the block disables it, and the host discards its settings.",
			Collection: in.path("integrations"),
			Match:      schema.ByKey("slug"),
			Unique:     []schema.Unique{{Attrs: []string{"slug"}}},
			Need:       in.need,
			Gated:      in == inGroup, // older versions lack it
			Check:      checkIntegration,
		},
		Table: Join([]Attr{
			in.ref(),
			String("slug", "The slug of the service.", Required, ForceNew, OneOf(catalogue.Slugs()...),
				Norm(normSlug, "Either name of a service with two names can be used.")),
			PartialMap("properties", "The properties of the service, as listed on the page of integrations. hew "+
				"sends all properties with every change, including secrets, because hosts require it.",
				schema.SecretKeys{Hidden: secretParameters(), Open: isChannelName, Required: requiredProperties},
				Detail, AlwaysSent,
				Norm(normProperties, "Either name of a property can be used. The order of lists does not matter."),
				Encode(encodeProperties)),
			Bool("use_inherited_settings",
				"Whether to inherit the settings of the nearest parent group. Omit all other settings if this is true.",
				Field("inherited"), Default(false)),
		}, flagRows(), []Attr{
			ID(),
			String("title", "The name of the service on the host.", Computed),
			String("created_at", "The time of creation.", Computed),
		}),
		API: REST{
			ID: "slug", Create: "PUT",
			Items: in.path("integrations/{slug}"), Item: in.path("integrations/{id}"),
			Reads: []string{"active"}, Decode: decodeIntegration,
		},
	}
}

// flagRows returns the rows of the events that integrations can receive.
func flagRows() (rows []Attr) {
	for _, f := range catalogue.Flags() {
		row := Bool(f.Name, f.Doc, Default(f.Default))
		if f.Alias != "" {
			row.Parameter, row.Field = f.Alias, f.Name
		}
		rows = append(rows, row)
	}
	return rows
}

// decodeIntegration sets the slug to the vendor's name. A disabled integration is
// Absent: the host keeps nothing of it.
func decodeIntegration(_ *Decoder, r Record, o *schema.Object) error {
	o.ID = normSlug(cty.StringVal(o.ID)).AsString()
	if string(r["active"]) == "false" {
		o.State = schema.Absent
	}
	return nil
}

// normSlug returns the name that hosts have for a service.
var normSlug = normString(func(s string) string {
	if of, ok := catalogue.IntegrationBySlug(s); ok {
		return of.Slug
	}
	return s
})

// parametersByName maps each name of a parameter, in any integration, to the parameter.
// A name has the same type in all of them.
var parametersByName = sync.OnceValue(func() map[string]catalogue.Parameter {
	all := map[string]catalogue.Parameter{}
	for _, of := range catalogue.Integrations() {
		for _, p := range of.Parameters {
			all[p.Name], all[p.Spelled(true)] = p, p
		}
	}
	return all
})

// secretParameters returns the names of the parameters that are secret in any service.
func secretParameters() []string {
	names := map[string]bool{}
	for _, of := range catalogue.Integrations() {
		for _, p := range of.Parameters {
			if p.Secret {
				names[p.Name], names[p.Spelled(true)] = true, true
			}
		}
	}
	return keys(names)
}

// requiredProperties returns the properties that a service requires, unless it inherits
// its settings.
func requiredProperties(o schema.Object) []string {
	of, ok := catalogue.IntegrationBySlug(stringOf(o, "slug"))
	if !ok || isTrue(o.Get("use_inherited_settings")) {
		return nil
	}
	return of.Missing(nil)
}

// isChannelName reports whether a value of a channel is a name. Where channels are
// webhooks they are secret, and a name is not.
func isChannelName(name string, v cty.Value) bool {
	return strings.HasSuffix(name, "_channel") && v.IsKnown() && !v.IsNull() && AbsoluteURL(v) != nil
}

// normProperties replaces names by those that hosts use, and sorts lists.
func normProperties(v cty.Value) cty.Value {
	if v.IsNull() || v.LengthInt() == 0 {
		return v
	}
	items := map[string]cty.Value{}
	for name, item := range v.AsValueMap() {
		if p, ok := parametersByName()[name]; ok {
			name = p.Name
			if p.Type == catalogue.Texts {
				item = sortedList(item)
			}
		}
		items[name] = item
	}
	if v.Type().IsMapType() {
		return cty.MapVal(items)
	}
	return cty.ObjectVal(items)
}

// encodeProperties returns the values with their JSON types.
func encodeProperties(v cty.Value) any {
	body := map[string]any{}
	if v.IsNull() {
		return body
	}
	for name, item := range normProperties(v).Elements() {
		body[name.AsString()] = toJSON(item)
		if p, ok := parametersByName()[name.AsString()]; ok && !item.IsNull() {
			if value, err := p.Read(item.AsString()); err == nil {
				body[name.AsString()] = value
			}
		}
	}
	return body
}

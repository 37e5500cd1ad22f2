package provider

import (
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
	"hew/schema/catalogue"
)

// Services that a project or group is tied to (spec 3 §4.1, gaps §13.1). What
// there can be, and what can be said of each, is the table of the catalogue.
var (
	groupIntegration   = integration("group_integration", inGroup)
	projectIntegration = integration("integration", inProject)
)

func integration(name string, in holder) Kind {
	return Kind{
		Kind: schema.Kind{
			Name: name,
			Doc: "An integration of a " + in.name + " with a service such as a chat or an issue tracker. " +
				"Removing the block disables it, and the host discards its settings.",
			Collection: in.path("integrations"),
			Match:      schema.ByKey("slug"),
			Need:       in.need,
			Gated:      in == inGroup, // by the version
			Check:      checkIntegration,
		},
		Table: Join([]Attr{
			in.ref(),
			String("slug", "The slug of the service.", Required, ForceNew, OneOf(catalogue.Slugs()...),
				Norm(normSlug, "Some services have two names, which are equal.")),
			PartialMap("properties", "The properties of the service, as listed on the page of integrations. All that are set are sent with every change, "+
				"secrets included, as hosts require.", schema.SecretKeys{Hidden: secretParameters(), Open: isChannelName, Required: requiredProperties},
				Detail, AlwaysSent,
				Norm(normProperties, "The two names of a property are equal, and the order in a list does not matter."), Encode(encodeProperties)),
			Bool("use_inherited_settings", "Whether to use the settings of the nearest parent group. Nothing else is set then.",
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

// flagRows are the events that integrations are told of.
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

// decodeIntegration knows it by the vendor's name. One that is disabled is there
// no more: the host keeps nothing of it.
func decodeIntegration(_ *Decoder, r Record, o *schema.Object) error {
	o.ID = normSlug(cty.StringVal(o.ID)).AsString()
	if string(r["active"]) == "false" {
		o.State = schema.Absent
	}
	return nil
}

// normSlug is the name that hosts know a service by.
var normSlug = normString(func(s string) string {
	if of, ok := catalogue.IntegrationBySlug(s); ok {
		return of.Slug
	}
	return s
})

// parametersByName are the parameters of all integrations, under all of their
// names: a name means the same sort of value to each.
var parametersByName = func() map[string]catalogue.Parameter {
	all := map[string]catalogue.Parameter{}
	for _, of := range catalogue.Integrations() {
		for _, p := range of.Parameters {
			all[p.Name], all[p.Spelled(true)] = p, p
		}
	}
	return all
}()

// secretParameters are the names of those that hold a secret of some service.
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

// requiredProperties are those that a service cannot be without, but for one that
// has them from above.
func requiredProperties(o schema.Object) []string {
	of, ok := catalogue.IntegrationBySlug(stringOf(o, "slug"))
	if !ok || isTrue(o.Get("use_inherited_settings")) {
		return nil
	}
	return of.Missing(nil)
}

// isChannelName: where channels are webhooks of their own, they are secret. A
// name is none.
func isChannelName(name string, v cty.Value) bool {
	return strings.HasSuffix(name, "_channel") && v.IsKnown() && !v.IsNull() && AbsoluteURL(v) != nil
}

// normProperties puts values under the names that hosts have for them, and lists in
// order.
func normProperties(v cty.Value) cty.Value {
	if v.IsNull() || v.LengthInt() == 0 {
		return v
	}
	items := map[string]cty.Value{}
	for name, item := range v.AsValueMap() {
		if p, ok := parametersByName[name]; ok {
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

// encodeProperties are the values as JSON has them.
func encodeProperties(v cty.Value) any {
	body := map[string]any{}
	if v.IsNull() {
		return body
	}
	for name, item := range normProperties(v).Elements() {
		body[name.AsString()] = toJSON(item)
		if p, ok := parametersByName[name.AsString()]; ok && !item.IsNull() {
			if value, err := p.Read(item.AsString()); err == nil {
				body[name.AsString()] = value
			}
		}
	}
	return body
}

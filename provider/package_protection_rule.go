package provider

import (
	"net/http"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
	"hew/schema/catalogue"
)

// packageProtectionRule says who may publish and delete packages of a project (gaps §16.1).
func packageProtectionRule() Kind {
	return Kind{
		Kind: schema.Kind{
			Name: "package_protection_rule",
			Doc: "A rule that protects packages of a project, by their type and name. It raises the access levels " +
				"at which users can publish and delete them. Where several rules match, all of them apply.",
			Collection: inProject.path("packages/protection/rules"),
			Match:      schema.ByKey("package_name_pattern").And("package_type"),
			Unique:     []schema.Unique{{Attrs: []string{"package_type", "package_name_pattern"}}},
			Check:      checkProtectsPackages,
			Need:       inProject.need,
			Features:   []string{"packages_enabled", "package_registry_access_level"},
			Protects:   true,
			Gated:      true, // only newer hosts have it
		},
		Table: []Attr{
			inProject.ref(),
			String("package_name_pattern", "The name of the packages, or a pattern with * as a wildcard.", Required,
				Check(NotEmpty), MaxLength(255)),
			String("package_type", "The type of the packages.", Required, OneOf(catalogue.PackageTypes...)),
			packageLevel("minimum_access_level_for_push", "publish", "maintainer", "owner", "admin"),
			packageLevel("minimum_access_level_for_delete", "delete", "owner", "admin"),
			ID(),
		},
		API: REST{ListOnly: true, Update: http.MethodPatch},
	}
}

// packageLevel returns the row of a level that is required to do something with packages. The
// levels begin with the lowest.
func packageLevel(name, act string, levels ...string) Attr {
	along := append([]string{""}, levels...)
	slices.Reverse(along)
	lowered := func(a *Attr) {
		OpensAlong(along...)(a)
		a.Opens = ofExisting(a.Opens)
	}
	return String(name, "The lowest access level that can "+act+" the packages, if not that of all packages.",
		OneOf(levels...), orNone, Default(""), Encode(emptyAsNull), lowered)
}

// orNone accepts "" as well.
func orNone(a *Attr) {
	listed := a.Accepts.Check
	a.Accepts.Doc = "Or an empty string for none."
	a.Accepts.Check = func(v cty.Value) error {
		if v.AsString() == "" {
			return nil
		}
		return listed(v)
	}
}

// emptyAsNull returns a string, or null for "", which hosts reject.
func emptyAsNull(v cty.Value) any {
	if s := v.AsString(); s != "" {
		return s
	}
	return nil
}

// checkProtectsPackages rejects a rule that requires no level at all, as hosts do.
func checkProtectsPackages(o schema.Object) []schema.Problem {
	for _, name := range []string{"minimum_access_level_for_push", "minimum_access_level_for_delete"} {
		v, _ := o.Get(name).Unmark()
		if !v.IsKnown() || !v.IsNull() && v.AsString() != "" {
			return nil
		}
	}
	return []schema.Problem{{Attr: "minimum_access_level_for_push", Text: "the rule does nothing; set " +
		"minimum_access_level_for_push or minimum_access_level_for_delete"}}
}

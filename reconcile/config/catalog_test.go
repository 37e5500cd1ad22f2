package config_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// The tests bring a catalogue of their own, small and with every feature that
// this package has to do with.
func kinds() schema.Catalog {
	id := schema.Attr{Name: "id", Type: cty.Number, Mode: schema.Computed}
	fullPath := schema.Attr{Name: "full_path", Type: cty.String, Mode: schema.Computed}
	ref := func(name, kind string, m schema.Mode) schema.Attr {
		return schema.Attr{Name: name, Type: cty.DynamicPseudoType, Ref: &schema.RefRule{Kind: kind}, Mode: m}
	}
	level := schema.Attr{Name: "access_level", Type: cty.DynamicPseudoType, Mode: schema.Required,
		Accepts: schema.Accepts{Check: checkLevel}}
	group := &schema.Kind{Name: "group", Collection: "groups/{parent}/subgroups", Root: "groups",
		Tree: &schema.Tree{Owner: "parent", Segment: "path", Full: "full_path"},
		Attrs: []schema.Attr{
			{Name: "path", Type: cty.String, Mode: schema.Required, Accepts: schema.Accepts{Check: checkPath}},
			{Name: "name", Type: cty.String}, ref("parent", "group", schema.Optional),
			{Name: "description", Type: cty.String}, {Name: "visibility", Type: cty.String},
			{Name: "tags", Type: cty.Set(cty.String)},
			{Name: "limits", Type: cty.ObjectWithOptionalAttrs(
				map[string]cty.Type{"size": cty.Number, "burst": cty.Number}, []string{"burst"},
			)},
			{Name: "users", Type: cty.Set(cty.DynamicPseudoType), Ref: &schema.RefRule{Kind: "user", Many: true}},
			id, fullPath,
		}}
	project := &schema.Kind{Name: "project", Collection: "groups/{namespace}/projects",
		Attrs: []schema.Attr{
			{Name: "path", Type: cty.String, Mode: schema.Required}, ref("namespace", "group", schema.Required), id,
		}}
	member := &schema.Kind{Name: "group_member", Collection: "groups/{group}/members",
		Attrs: []schema.Attr{ref("group", "group", schema.Required), ref("user", "user", schema.Required), level,
			{Name: "expires_at", Type: cty.String}, id}}
	members := &schema.Kind{Name: "group_members", Collection: "groups/{group}/members",
		Set: &schema.Set{Attr: "members", Element: "group_member", Key: "user", Exclusive: "exclusive"},
		Attrs: []schema.Attr{ref("group", "group", schema.Required),
			{Name: "members", Mode: schema.Required, Type: cty.DynamicPseudoType}, {Name: "exclusive", Type: cty.Bool}}}
	hook := &schema.Kind{Name: "project_hook", Collection: "projects/{project}/hooks",
		Attrs: []schema.Attr{ref("project", "project", schema.Required),
			{Name: "url", Type: cty.String, Mode: schema.Required},
			{Name: "token", Type: cty.String, Mask: schema.SecretValue{}}, {Name: "push_events", Type: cty.Bool}, id}}
	rule := &schema.Kind{Name: "push_rule", Collection: "projects/{project}/push_rule", Holds: schema.OneOrNone,
		Check: checkRule,
		Attrs: []schema.Attr{ref("project", "project", schema.Required), {Name: "limited", Type: cty.Bool},
			{Name: "size", Type: cty.Number}, id}}
	branch := &schema.Kind{Name: "branch", Collection: "projects/{project}/branches", Match: schema.ByKey("name"),
		Blocks: []schema.Block{{Name: "allowed", Of: map[string]string{"user": "users", "group": "groups"}}},
		Attrs: []schema.Attr{ref("project", "project", schema.Required),
			{Name: "name", Type: cty.String, Mode: schema.Required},
			{Name: "users", Type: cty.Set(cty.DynamicPseudoType), Ref: &schema.RefRule{Kind: "user", Many: true}},
			{Name: "groups", Type: cty.Set(cty.DynamicPseudoType), Ref: &schema.RefRule{Kind: "group", Many: true}},
			id}}
	link := &schema.Kind{Name: "link", Collection: "projects/{project}/links", Match: schema.ByKey("slug"),
		Check: checkLink,
		Attrs: []schema.Attr{ref("project", "project", schema.Required),
			{Name: "slug", Type: cty.String, Mode: schema.Required, Named: true},
			{Name: "properties", Type: cty.Map(cty.String), Mask: schema.SecretKeys{Hidden: []string{"password"}}}, id}}
	site := &schema.Kind{
		Name: "site", Collection: "site", Holds: schema.One, Attrs: []schema.Attr{{Name: "title", Type: cty.String}},
	}
	user := &schema.Kind{Name: "user", Data: &schema.Data{Of: "user", Single: true, Keys: []string{"username"}},
		Attrs: []schema.Attr{{Name: "username", Type: cty.String}, id}}
	projects := &schema.Kind{Name: "projects", Data: &schema.Data{Of: "project", By: "by_path"},
		Attrs: []schema.Attr{
			ref("group", "group", schema.Required), {Name: "by_path", Type: cty.Map(cty.Number), Mode: schema.Computed},
		}}
	kinds, err := schema.NewCatalog(
		[]*schema.Kind{group, project, member, members, hook, rule, branch, link, site}, []*schema.Kind{user, projects},
	)
	if err != nil {
		panic(err)
	}
	return kinds
}

func checkPath(v cty.Value) error {
	if v.IsNull() || v.AsString() == "" || strings.ContainsAny(v.AsString(), "/ ") {
		return errors.New("a path is one segment, without slash or blank")
	}
	return nil
}

func checkRule(o schema.Object) []schema.Problem {
	limited, size := o.Get("limited"), o.Get("size")
	switch {
	case limited.IsKnown() && !limited.IsNull() && limited.True() && size.IsNull():
		return []schema.Problem{{Attr: "size", Text: "limited takes a size"}}
	case limited.IsNull() && !size.IsNull():
		return []schema.Problem{{Attr: "size", Text: "a size takes limited"}}
	}
	return nil
}

func checkLink(o schema.Object) (problems []schema.Problem) {
	properties, _ := o.Get("properties").UnmarkDeep()
	if properties.IsNull() || !properties.IsKnown() {
		return nil
	}
	for key := range properties.Elements() {
		if name := key.AsString(); name != "url" && name != "password" {
			problems = append(problems,
				schema.Problem{Attr: fmt.Sprintf("properties[%q]", name), Text: name + " is no property of it"})
		}
	}
	return problems
}

func checkLevel(v cty.Value) error {
	if v.Type() == cty.String && v.AsString() == "boss" {
		return errors.New("no such level; use owner, maintainer, developer")
	}
	return nil
}

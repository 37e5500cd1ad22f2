package config_test

import (
	"errors"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// catalog has the kinds under the names of another tool as well.
func catalog() schema.Catalog {
	all := kinds()
	return all.Called(func() []*schema.Alias { return aliases(all) })
}

// aliases are names of another tool, small and with every feature.
func aliases(c schema.Catalog) (all []*schema.Alias) {
	add := func(typ, kind, id string, names ...schema.Naming) *schema.Alias {
		k := c.Resources[kind]
		if strings.HasPrefix(typ, "data.") {
			k = c.Sources[kind]
		}
		a := schema.Alias{Type: typ, Kind: k, ID: id, Names: names}
		if typ == "gitlab_link_chat" {
			a.Fixed = map[string]cty.Value{"slug": cty.StringVal("chat")}
		}
		all = append(all, schema.NewAlias(a))
		return all[len(all)-1]
	}
	join := func(v cty.Value) (cty.Value, error) {
		var words []string
		for _, item := range v.AsValueSlice() {
			if item.Type() != cty.String {
				return v, errors.New("takes a list of texts")
			}
			words = append(words, item.AsString())
		}
		return cty.StringVal(strings.Join(words, ",")), nil
	}
	lower := func(v cty.Value) (cty.Value, error) { return cty.StringVal(strings.ToLower(v.AsString())), nil }
	add("gitlab_group", "group", "", schema.Naming{Name: "parent_id", Attr: "parent"},
		schema.Naming{Name: "visibility_level", Attr: "visibility", Default: cty.StringVal("private")},
		schema.Naming{Name: "notes", Attr: "description", In: join},
		schema.Naming{Name: "path", Attr: "path", Of: "name", In: lower},
		schema.Naming{Name: "limits", Attr: "limits", Shape: schema.Single,
			Fields: []schema.Naming{{Name: "most", Attr: "size"}, {Name: "next", Note: "the host decides it"}}},
		schema.Naming{Name: "topics", Attr: "tags", Old: true},
		schema.Naming{Name: "avatar", Note: "no pictures are uploaded"},
		schema.Naming{Name: "crm_enabled", Refused: true, Note: "it is not managed"})
	add("gitlab_project", "project", "",
		schema.Naming{Name: "namespace_id", Attr: "namespace", Note: "say where it shall be"},
		schema.Naming{Name: "push_rules", Attr: "push_rule", Shape: schema.Beside})
	add("gitlab_project_hook", "project_hook", "{project}:{url}", schema.Naming{Name: "hook_id", Attr: "id"},
		schema.Naming{Name: "project_id", Attr: "project", Shown: true})
	add("gitlab_push_rules", "push_rule", "{project}")
	add("gitlab_branch", "branch", "{project}:{name}", schema.Naming{Name: "branch", Attr: "name"},
		schema.Naming{Name: "allowed_to", Attr: "allowed", Shape: schema.Repeated,
			Fields: []schema.Naming{{Name: "user_id", Attr: "user"}, {Name: "group_id", Attr: "group"}}})
	add("gitlab_link_chat", "link", "{project}", schema.Naming{Name: "url", Attr: "properties", Part: "url"},
		schema.Naming{Name: "password", Attr: "properties", Part: "password"})
	add("data.gitlab_user", "user", "", schema.Naming{Name: "user_id", Attr: "id"}, schema.Naming{Name: "note"})
	add("data.gitlab_projects", "projects", "-", schema.Naming{Name: "group_id", Attr: "group"},
		schema.Naming{Name: "projects", Attr: "by_path", Shown: true, Out: func(v cty.Value) cty.Value {
			list := []cty.Value{}
			for key, id := range v.Elements() {
				list = append(list, cty.ObjectVal(map[string]cty.Value{"path_with_namespace": key, "id": id}))
			}
			return cty.TupleVal(list)
		}})
	cases := map[string]*schema.Alias{}
	for word, kind := range map[string]string{"hook": "project_hook", "rule": "push_rule"} {
		cases[word] = schema.NewAlias(schema.Alias{Type: "gitlab_thing", Kind: c.Resources[kind], By: "sort",
			Names: []schema.Naming{{Name: "project_id", Attr: "project"}}})
	}
	return append(all, schema.CaseOf("gitlab_thing", cases),
		&schema.Alias{Type: "gitlab_schedule", Note: "schedules are not managed"},
		&schema.Alias{Type: "data.gitlab_schedule"})
}

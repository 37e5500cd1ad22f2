package reconcile_test

import (
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// testKinds is a catalog small enough to read beside the cases.
func testKinds() schema.Catalog {
	str := func(name string) schema.Attr { return schema.Attr{Name: name, Type: cty.String} }
	id := schema.Attr{Name: "id", Type: cty.Number, Mode: schema.Computed}
	ref := func(name, kind string, mode schema.Mode, fixed bool) schema.Attr {
		return schema.Attr{
			Name: name, Type: cty.DynamicPseudoType, Ref: &schema.RefRule{Kind: kind}, Mode: mode, ForceNew: fixed,
		}
	}
	lower := func(v cty.Value) cty.Value {
		if v.IsNull() || v.Type() != cty.String {
			return v
		}
		return cty.StringVal(strings.ToLower(v.AsString()))
	}
	name := schema.Attr{Name: "name", Type: cty.String, Usual: func(o schema.Object) cty.Value { return o.Get("path") }}
	full := func(name string) schema.Attr {
		return schema.Attr{Name: name, Type: cty.String, Mode: schema.Computed, Form: schema.Form{Norm: lower}}
	}
	level := schema.Attr{Name: "access_level", Type: cty.DynamicPseudoType, Mode: schema.Required,
		Form: schema.Form{Norm: func(v cty.Value) cty.Value {
			if !v.IsNull() && v.Type() == cty.String {
				return cty.NumberIntVal(map[string]int64{"guest": 10, "reporter": 20, "developer": 30, "maintainer": 40,
					"owner": 50}[v.AsString()])
			}
			return v
		}}}
	group := &schema.Kind{
		Name: "group", Collection: "groups/{parent}/subgroups", Root: "groups", Match: schema.ByKey("full_path"),
		Tree: &schema.Tree{Owner: "parent", Segment: "path", Full: "full_path"}, Soft: true, Visible: "visibility",
		Unique: []schema.Unique{{Attrs: []string{"name"}, FoldCase: true}},
		Attrs: []schema.Attr{
			{Name: "path", Type: cty.String, Mode: schema.Required, Form: schema.Form{Norm: lower}},
			ref("parent", "group", schema.Optional, false), name,
			{Name: "visibility", Type: cty.String, Default: schema.Value(cty.StringVal("private"))},
			{Name: "description", Type: cty.String, Default: schema.Value(cty.StringVal(""))},
			{Name: "ranges", Type: cty.String, Detail: true}, full("full_path"), id,
		},
	}
	project := &schema.Kind{
		Name: "project", Collection: "groups/{namespace}/projects", Match: schema.ByKey("path_with_namespace"),
		Frozen: "archived", Unique: []schema.Unique{{Attrs: []string{"name"}, FoldCase: true}},
		Tree: &schema.Tree{Owner: "namespace", Segment: "path", Full: "path_with_namespace"}, Soft: true,
		Attrs: []schema.Attr{
			{Name: "path", Type: cty.String, Mode: schema.Required, Form: schema.Form{Norm: lower}},
			ref("namespace", "group", schema.Required, false), str("description"), name,
			{Name: "archived", Type: cty.Bool}, {Name: "initialize_with_readme", Type: cty.Bool, Sent: schema.SentOnce},
			full("path_with_namespace"), id,
		},
	}
	member := &schema.Kind{
		Name: "group_member", Collection: "groups/{group}/members", Match: schema.ByKey("user", "email"),
		Unique: []schema.Unique{{Attrs: []string{"user"}}},
		Need:   "Owner of the group",
		Attrs: []schema.Attr{
			ref("group", "group", schema.Required, true), ref("user", "user", schema.Optional, true), level,
			{Name: "email", Type: cty.String, ForceNew: true},
			{Name: "expires_at", Type: cty.String}, id,
		},
		Members: &schema.Membership{Who: "user", Email: "email", Level: "access_level", Least: 10, Owner: 50,
			Inherited: "groups/{group}/members/all", SparesNoted: true},
	}
	guest := &schema.Kind{
		Name: "project_member", Collection: "projects/{project}/members", Match: schema.ByKey("user"),
		Members: &schema.Membership{Who: "user", Level: "access_level", Least: 10},
		Attrs: []schema.Attr{
			ref("project", "project", schema.Required, true), ref("user", "user", schema.Required, true), level, id,
		},
	}
	share := func(owner string) *schema.Kind {
		return &schema.Kind{
			Name: owner + "_share", Collection: owner + "s/{" + owner + "}/shares", Match: schema.ByKey("with"),
			Members: &schema.Membership{Who: "with"},
			Attrs: []schema.Attr{
				ref(owner, owner, schema.Required, true), ref("with", "group", schema.Required, true), id,
			},
		}
	}
	members := &schema.Kind{
		Name: "group_members", Collection: "groups/{group}/members", Match: schema.ByKey("group"),
		Set: &schema.Set{Attr: "members", Element: "group_member", Key: "user", Mail: "email", Exclusive: "exclusive"},
		Attrs: []schema.Attr{
			ref("group", "group", schema.Required, true),
			{Name: "members", Mode: schema.Required, Type: cty.Map(cty.ObjectWithOptionalAttrs(
				map[string]cty.Type{"access_level": cty.DynamicPseudoType, "expires_at": cty.String},
				[]string{"expires_at"}))},
			{Name: "exclusive", Type: cty.Bool},
		},
	}
	hook := &schema.Kind{
		Name: "project_hook", Collection: "projects/{project}/hooks",
		Match: schema.ByKey("name", "url").OnTwins(schema.Lowest), Need: "Maintainer of the project",
		Attrs: []schema.Attr{
			ref("project", "project", schema.Required, true), str("name"),
			{Name: "url", Type: cty.String, Mode: schema.Required, Sent: schema.SentAlways},
			{Name: "token", Type: cty.String, Mask: schema.SecretValue{}, Sent: schema.SentWith("url")},
			{Name: "push_events", Type: cty.Bool, Default: schema.Value(cty.True)},
			{Name: "job_events", Type: cty.Bool, Default: schema.Value(cty.False)}, id,
		},
	}
	rule := &schema.Kind{
		Name: "push_rule", Collection: "projects/{project}/push_rule", Match: schema.ByKey("project"),
		Holds: schema.OneOrNone,
		Attrs: []schema.Attr{
			ref("project", "project", schema.Required, true),
			{Name: "branch_name_regex", Type: cty.String, Default: schema.Value(cty.StringVal(""))},
			{Name: "max_file_size", Type: cty.Number, Default: schema.Value(cty.Zero)},
			{Name: "prevent_secrets", Type: cty.Bool}, id,
		},
	}
	settings := &schema.Kind{
		Name: "settings", Collection: "application/settings", Holds: schema.One,
		Attrs: []schema.Attr{
			{Name: "signup_enabled", Type: cty.Bool, Default: schema.Value(cty.True)},
			{Name: "home_page_url", Type: cty.String, Default: schema.Value(cty.StringVal(""))},
			{Name: "api_key", Type: cty.String, Mask: schema.SecretValue{}}, id,
		},
	}
	token := &schema.Kind{
		Name: "access_token", Collection: "projects/{project}/access_tokens", Match: schema.ByKey("name"),
		Attrs: []schema.Attr{
			ref("project", "project", schema.Required, true),
			{Name: "name", Type: cty.String, Mode: schema.Required, ForceNew: true},
			{Name: "expires_at", Type: cty.String, ForceNew: true},
			{Name: "token", Type: cty.String, Mode: schema.Computed, Mask: schema.SecretValue{}}, id,
		},
	}
	several := func(name, kind string) schema.Attr {
		return schema.Attr{Name: name, Type: cty.Set(cty.DynamicPseudoType),
			Ref: &schema.RefRule{Kind: kind, Many: true}, Default: schema.Value(schema.RefsVal(nil))}
	}
	branch := &schema.Kind{
		Name: "branch", Collection: "projects/{project}/branches", Match: schema.ByKey("name"),
		Unique: []schema.Unique{{Attrs: []string{"name"}}},
		Attrs: []schema.Attr{
			ref("project", "project", schema.Required, true),
			{Name: "name", Type: cty.String, Mode: schema.Required, ForceNew: true},
			several("users", "user"), several("groups", "group"), several("keys", "deploy_key"), id,
		},
	}
	deployKey := &schema.Kind{
		Name: "deploy_key", Collection: "projects/{project}/deploy_keys", Match: schema.ByKey("key"), Called: "title",
		Attrs: []schema.Attr{
			ref("project", "project", schema.Required, true),
			{Name: "key", Type: cty.String, Mode: schema.Required, ForceNew: true},
			{Name: "title", Type: cty.String, Mode: schema.Required}, id,
		},
	}
	label := &schema.Kind{
		Name: "label", Collection: "projects/{project}/labels", Match: schema.ByKey("name"),
		Unique: []schema.Unique{{Attrs: []string{"name"}}},
		Attrs: []schema.Attr{
			ref("project", "project", schema.Required, true),
			{Name: "name", Type: cty.String, Mode: schema.Required}, str("color"), id,
		},
	}
	approvals := &schema.Kind{
		Strict: &schema.Strictness{Looser: fewer("needed")},
		Name:   "approvals", Collection: "projects/{project}/approvals",
		Match: schema.ByKey("name").OrSole("type", cty.StringVal("any")),
		Attrs: []schema.Attr{
			ref("project", "project", schema.Required, true), {Name: "name", Type: cty.String, Mode: schema.Required},
			{Name: "type", Type: cty.String, ForceNew: true, Default: schema.Value(cty.StringVal("regular"))},
			{Name: "needed", Type: cty.Number}, several("users", "user"), several("by", "account"),
			several("branches", "branch"),
			several("approvers", "user"), several("teams", "group"),
			{Name: "skip_missing", Type: cty.Bool, Sent: schema.SentNever}, id,
		},
	}
	approvals.Attr("branches").Ref.SkippedBy = "skip_missing"
	approvals.Attr("approvers").Ref.Outsiders = schema.OmitOutsiders
	approvals.Attr("teams").Ref.Outsiders = schema.RefuseOutsiders
	variable := &schema.Kind{
		Name: "variable", Collection: "projects/{project}/variables", Match: schema.ByKey("key").And("scope"),
		Attrs: []schema.Attr{
			ref("project", "project", schema.Required, true),
			{Name: "key", Type: cty.String, Mode: schema.Required, ForceNew: true},
			{Name: "scope", Type: cty.String, ForceNew: true, Default: schema.Value(cty.StringVal("*"))},
			{Name: "value", Type: cty.String, Mask: schema.SecretValue{Readable: true}}, id,
		},
	}
	mirror := &schema.Kind{
		Name: "mirror", Collection: "projects/{project}/mirrors", Match: schema.ByKey("url"),
		Attrs: []schema.Attr{
			ref("project", "project", schema.Required, true),
			{Name: "url", Type: cty.String, Mode: schema.Required, ForceNew: true, Form: schema.Form{Norm: bareURL},
				Mask: schema.SecretPart{Whole: func(v cty.Value) cty.Value { return v }}},
			{Name: "enabled", Type: cty.Bool}, id,
		},
	}
	link := &schema.Kind{
		Name: "link", Collection: "projects/{project}/links", Match: schema.ByKey("slug"),
		Attrs: []schema.Attr{
			ref("project", "project", schema.Required, true),
			{Name: "slug", Type: cty.String, Mode: schema.Required, ForceNew: true},
			{Name: "push_events", Type: cty.Bool},
			{Name: "properties", Type: cty.Map(cty.String), Mask: schema.SecretKeys{Hidden: []string{"password"}},
				Sent: schema.SentAlways}, id,
		},
	}
	page := &schema.Kind{
		Name: "page", Collection: "projects/{project}/pages", Match: schema.ByKey("title"),
		Attrs: []schema.Attr{
			ref("project", "project", schema.Required, true),
			{Name: "title", Type: cty.String, Mode: schema.Required}, id,
		},
	}
	key := &schema.Kind{
		Name: "client_key", Collection: "projects/{project}/keys", Match: schema.ByAge(),
		Attrs: []schema.Attr{ref("project", "project", schema.Required, true),
			{Name: "public", Type: cty.String, Mode: schema.Computed}, id},
	}
	topic := &schema.Kind{
		Name: "topic", Collection: "topics", Match: schema.ByKey("name"),
		Attrs: []schema.Attr{{Name: "name", Type: cty.String, Mode: schema.Required}, str("description"), id},
	}
	checks := &schema.Kind{
		Name: "checks", Collection: "projects/{project}/checks", Match: schema.ByKey("project"), Holds: schema.One,
		Attrs: []schema.Attr{ref("project", "project", schema.Required, true),
			{Name: "strict", Type: cty.Bool, Default: schema.Value(cty.False)}, id},
	}
	account := &schema.Kind{
		Name: "account", Collection: "accounts", Root: "accounts", Match: schema.ByKey("username"),
		Tree:  &schema.Tree{Segment: "username", Full: "username"},
		Attrs: []schema.Attr{{Name: "username", Type: cty.String, Mode: schema.Required}, str("name"), id},
	}
	user := &schema.Kind{Name: "user", Match: schema.ByKey("username"), Attrs: []schema.Attr{str("username"), id},
		Data: &schema.Data{Of: "user", Single: true, Keys: []string{"username", "id"}}}
	projects := &schema.Kind{
		Name: "projects",
		Attrs: []schema.Attr{
			ref("group", "group", schema.Required, false), {Name: "recursive", Type: cty.Bool}, str("search"),
			{Name: "ids", Type: cty.List(cty.Number), Mode: schema.Computed},
			{Name: "paths", Type: cty.List(cty.String), Mode: schema.Computed},
			{Name: "by_path", Type: cty.Map(cty.Number), Mode: schema.Computed},
		},
		Data: &schema.Data{
			Of: "project", Owner: "group", Names: "paths", By: "by_path", Recursive: "recursive",
			Deep: "groups/{group}/projects?include_subgroups=true",
			Filters: []schema.Filter{{Arg: "search", Reads: []string{"path"},
				Match: func(o schema.Object, arg cty.Value) bool {
					return strings.Contains(fmt.Sprint(plainValue(o.Get("path"))), arg.AsString())
				}}},
		},
	}
	one := &schema.Kind{Name: "group", Attrs: []schema.Attr{{Name: "path", Type: cty.String}, str("visibility"), id},
		Data: &schema.Data{Of: "group", Single: true, Keys: []string{"path", "id"}}}
	instance := &schema.Kind{
		Name: "settings", Attrs: []schema.Attr{{Name: "signup_enabled", Type: cty.Bool, Mode: schema.Computed},
			{Name: "home_page_url", Type: cty.String, Mode: schema.Computed}, id},
		Data: &schema.Data{Of: "settings", Single: true},
	}
	kinds, err := schema.NewCatalog([]*schema.Kind{group, project, member, members, guest, share("group"),
		share("project"), hook, rule, settings, token,
		branch, deployKey, label, approvals, variable, mirror, link, page, key, topic, account, checks}, []*schema.Kind{
		user, projects, one, instance,
	})
	if err != nil {
		panic(err)
	}
	return kinds
}

// bareURL returns a URL without its credentials.
func bareURL(v cty.Value) cty.Value {
	if v.IsNull() {
		return v
	}
	scheme, rest, _ := strings.Cut(v.AsString(), "://")
	return cty.StringVal(scheme + "://" + rest[strings.LastIndex(rest, "@")+1:])
}

// fewer returns a Looser function for an attribute whose lower numbers are less strict.
func fewer(name string) func(before, after schema.Object) []string {
	return func(before, after schema.Object) []string {
		was, will := before.Get(name), after.Get(name)
		if !was.IsNull() && was.IsKnown() && was.AsBigFloat().Sign() > 0 &&
			(will.IsNull() || will.IsKnown() && will.LessThan(was).True()) {
			return []string{name}
		}
		return nil
	}
}

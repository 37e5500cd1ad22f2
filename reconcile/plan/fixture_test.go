package plan_test

import (
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/reconcile/plan"
	"hew/schema"
)

// thing is a kind with one attribute of every sort that comparing knows.
var thing = &schema.Kind{
	Name: "thing", Collection: "groups/{group}/things", Match: schema.ByKey("name"),
	Attrs: []schema.Attr{
		{Name: "group", Type: cty.DynamicPseudoType, Ref: &schema.RefRule{Kind: "group"}, Mode: schema.Required,
			ForceNew: true},
		{Name: "name", Type: cty.String, Mode: schema.Required},
		{Name: "text", Type: cty.String, Default: schema.Value(cty.StringVal("none"))},
		{Name: "flag", Type: cty.Bool},
		{Name: "token", Type: cty.String, Mask: schema.SecretValue{}},
		{Name: "readme", Type: cty.Bool, Sent: schema.SentOnce},
		{Name: "hidden", Type: cty.String},
	},
}

var member = &schema.Kind{
	Name: "member", Collection: "groups/{group}/members", Match: schema.ByKey("user"),
	Members: &schema.Membership{Who: "user", Level: "level", Owner: 50},
	Attrs: []schema.Attr{
		{Name: "group", Type: cty.DynamicPseudoType, Ref: &schema.RefRule{Kind: "group"}, Mode: schema.Required,
			ForceNew: true},
		{Name: "user", Type: cty.DynamicPseudoType, Ref: &schema.RefRule{Kind: "user"}, Mode: schema.Required,
			ForceNew: true},
		{Name: "level", Type: cty.Number, Mode: schema.Required},
	},
}

var group = &schema.Kind{
	Name: "group", Collection: "groups/{parent}/subgroups", Root: "groups", Match: schema.ByKey("full_path"),
	Tree: &schema.Tree{Owner: "parent", Segment: "path", Full: "full_path"},
	Attrs: []schema.Attr{
		{Name: "path", Type: cty.String, Mode: schema.Required},
		{Name: "parent", Type: cty.DynamicPseudoType, Ref: &schema.RefRule{Kind: "group"}},
		{Name: "full_path", Type: cty.String, Mode: schema.Computed},
	},
}

func object(k *schema.Kind, id string, values map[string]cty.Value) schema.Object {
	o := schema.Object{Kind: k, ID: id}
	for i := range k.Attrs {
		if v, ok := values[k.Attrs[i].Name]; ok {
			o.Value.Set(&k.Attrs[i], v)
		}
	}
	return o
}

func at(kind, name string) addr.Instance {
	return addr.Instance{Block: addr.Block{Kind: kind, Name: name}}
}

func keyed(name, key string) addr.Instance {
	a := at("thing", name)
	a.Key = key
	return a
}

func desired(o schema.Object, ignore ...config.Ignore) *config.Desired {
	return &config.Desired{Addr: at(o.Kind.Name, "x"), Object: o,
		Block: &config.Block{Kind: o.Kind, Lifecycle: config.Lifecycle{IgnoreChanges: ignore}}}
}

// digester makes digests that can be read in a failing test.
type digester struct{}

func (digester) Plain(s string) ledger.Digest  { return ledger.Digest("p:" + s) }
func (digester) Secret(s string) ledger.Digest { return ledger.Digest("s:" + s) }

func (digester) Matches(old ledger.Digest, s string) bool {
	return old != "" && strings.TrimPrefix(strings.TrimPrefix(string(old), "p:"), "s:") == s
}

var differ = plan.Differ{Digester: digester{}}

type values = map[string]cty.Value

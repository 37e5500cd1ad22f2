package reporttest

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/plan"
	"hew/schema"
)

type attrs map[string]cty.Value

// object holds values in the order of the kind's table.
func object(k *schema.Kind, id string, values attrs) schema.Object {
	o := schema.Object{Kind: k, ID: id}
	for i := range k.Attrs {
		if v, ok := values[k.Attrs[i].Name]; ok {
			o.Value.Set(&k.Attrs[i], v)
		}
	}
	return o
}

// At returns the address of an object of a kind: its block, its key and its part of a set.
func At(k *schema.Kind, name, key, elem string) addr.Instance {
	kind := k.Name
	if k == MemberKind {
		kind = "group_members"
	}
	if key != "" {
		key = addr.StringKey(key)
	}
	return addr.Instance{Block: addr.Block{Kind: kind, Name: name}, Key: key, Elem: elem}
}

// foreign is the address of a group in Terraform's names.
func foreign(name string) addr.Instance {
	return addr.Instance{Block: addr.Block{Kind: "gitlab_group", Name: name}}
}

// Path returns the change of an attribute of a kind.
func Path(k *schema.Kind, name string, before, after cty.Value, cause plan.Cause, note string) plan.PathChange {
	return plan.PathChange{Attr: k.Attr(name), Before: before, After: after, Cause: cause, Note: note}
}

func created(a addr.Instance, o schema.Object, title string) plan.Change {
	c := plan.Change{Addr: a, Action: plan.Create, Kind: o.Kind, Title: title, After: o, Cause: plan.ByConfig}
	for at, v := range o.Value.All() {
		c.Paths = append(c.Paths, Path(o.Kind, at.Name, cty.NullVal(at.Type), v, plan.ByConfig, ""))
	}
	return c
}

// Declared returns a place in main.hcl.
func Declared(line int) *hcl.Range {
	return &hcl.Range{Filename: "main.hcl", Start: hcl.Pos{Line: line, Column: 1}, End: hcl.Pos{Line: line, Column: 20}}
}

func member(level int64) attrs { return attrs{"access_level": Num(level)} }

var acmeMembers = schema.Collection{Path: "groups/7/members"}

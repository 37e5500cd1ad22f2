package view

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/provider"
	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/match"
	"hew/reconcile/plan"
	"hew/reconcile/report"
	"hew/schema"
)

const (
	oldAddress = "https://bot:first-secret@h.example/path?token=second-secret&job=build"
	newAddress = "https://bot:third-secret@h.example/path?token=fourth-secret&job=build"
)

// TestSecretsOfURLsAreNotShown puts a URL with secrets into every argument that takes one, and
// searches every view of what a plan can do with the object.
func TestSecretsOfURLsAreNotShown(t *testing.T) {
	t.Parallel()
	found, keys := 0, 0
	for _, k := range provider.Kinds().Resources {
		for a := range k.Arguments() {
			before, ok := holding(k, a, oldAddress)
			if !ok {
				continue
			}
			after, _ := holding(k, a, newAddress)
			found++
			title := match.KeyTitle(after)
			require.Equal(t, title, match.KeyTitle(before), "nothing else than secrets differs")
			if strings.Contains(title, "h.example/path") {
				keys++
			}
			at := addr.Instance{Block: addr.Block{Kind: k.Name, Name: "it"}}
			p := &plan.Plan{Undeclared: []plan.Undeclared{{Object: before, Title: match.UndeclaredTitle(before)}}}
			for _, action := range []plan.Action{plan.Create, plan.Update, plan.Replace, plan.Delete, plan.Adopt} {
				c := plan.Change{Addr: at, Action: action, Kind: k, Title: title, Before: before, After: after,
					Cause: plan.ByBoth}
				switch action {
				case plan.Delete:
				case plan.Create:
					c.Paths = plan.Differ{}.Diff(&config.Desired{Object: after}, schema.Object{Kind: k}, nil)
					c.Before = schema.Object{}
				default:
					c.Paths = plan.Differ{}.Diff(&config.Desired{Object: after}, before, nil)
				}
				p.Changes = append(p.Changes, c)
			}
			d := recordedAs("plan", p)
			var json bytes.Buffer
			require.NoError(t, report.Write(&json, []report.Part{{Document: d}}))
			for name, text := range map[string]string{
				"JSON and saved plan": json.String(),
				"text":                shown(d, Text{Detail: report.Whole}),
				"Markdown":            markdownOf(d, Source{}),
				"HTML":                browsedAs(t, p, HTMLOptions{Detail: report.Whole}),
				"title of the ledger": title,
				"title of a stray":    match.UndeclaredTitle(before),
			} {
				require.NotContains(t, text, "-secret", "%s of %s.%s", name, k.Name, a.Name)
			}
		}
	}
	require.Greater(t, found, 20)
	require.GreaterOrEqual(t, keys, 3, "the hooks and the push mirror")
}

// holding returns an object of a kind with a URL in one of its arguments, and false if that
// argument takes none.
func holding(k *schema.Kind, a *schema.Attr, address string) (schema.Object, bool) {
	v := cty.StringVal(address)
	switch {
	case a.IsSecret(), len(a.Accepts.Words) > 0:
		return schema.Object{}, false
	case a.Type == cty.Set(cty.String):
		v = cty.SetVal([]cty.Value{v})
	case a.Type == cty.List(cty.String):
		v = cty.ListVal([]cty.Value{v})
	case a.Type == cty.Map(cty.String):
		v = cty.MapVal(map[string]cty.Value{"url": v})
	case a.Type != cty.String:
		return schema.Object{}, false
	}
	o := schema.Object{Kind: k, ID: "7"}
	o.Value.Set(a, v)
	return o, a.RefKind() == "" && (a.Accepts.Check == nil || a.Accepts.Check(v) == nil)
}

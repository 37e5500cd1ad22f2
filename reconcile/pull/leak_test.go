package pull

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"hew/provider"
	"hew/schema"
)

// leaks is a URL with a secret in each place where a URL can have one.
var leaks = []string{
	"https://hooks.slack.example/services/T0AB1/B0CD2/hunter2",
	"https://chat.example.com/hooks/k7hunter2q9x4m3z8w5p1b6r",
	"https://ci.example.com/x;jsessionid=hunter2",
	"https://ci.example.com/?token=hunter2",
	"https://me:hunter2@ci.example.com/#top",
}

// TestNoArgumentLeaks states such an address in every argument of every kind that a
// text can be in. Neither its block has the secret then, nor the name of that, nor the
// variable that stands for it; and nothing is left unsaid without a reason.
func TestNoArgumentLeaks(t *testing.T) {
	t.Parallel()
	stood := map[string]bool{}
	kinds := provider.Kinds()
	for _, name := range kinds.Names() {
		k := kinds.Resources[name]
		for a := range k.Arguments() {
			for _, leak := range leaks {
				v, takes := holding(a, leak)
				if !takes || k.Set != nil && k.Set.Attr == a.Name { // whose elements are a kind as well
					continue
				}
				o := schema.Object{Kind: k, ID: "1"}
				o.Value.Set(a, v)
				l, ok, why := newLine(o, a)
				if !ok {
					require.True(t, a.Local() || a.SentOnce() || why != "", "%s.%s says nothing", name, a.Name)
					require.NotContains(t, why, hunter2, "%s.%s", name, a.Name)
					continue
				}
				text := blockOf(t,
					kinds,
					&item{kind: k, obj: o, lines: []line{l}, notes: []note{{a.Name, l.note + l.summary()}}},
				)
				require.NotContains(t, text, hunter2, "%s.%s", name, a.Name)
				stood[name+"."+a.Name] = stood[name+"."+a.Name] || l.secret != notSecret
			}
		}
	}
	for _, argument := range []string{"project_hook.url", "group_hook.url", "system_hook.url", "push_mirror.url",
		"alert_integration.api_url", "application_settings.elasticsearch_url",
		"application_settings.home_page_url", "project_label.description", "group.description",
		"project_variable.value"} {
		require.True(t, stood[argument], "%s is a variable", argument)
	}
}

const hunter2 = "hunter2"

// holding returns a value of the argument that contains text, if it takes one.
func holding(a *schema.Attr, text string) (v cty.Value, takes bool) {
	v = cty.StringVal(text)
	switch {
	case a.RefKind() != "" || a.Named: // names of things, and no secret
		return v, false
	case a.Type == cty.String || a.Type == cty.DynamicPseudoType:
		return v, true
	case a.Type.Equals(cty.Set(cty.String)):
		return cty.SetVal([]cty.Value{cty.StringVal("plain"), v}), true
	case a.Type.Equals(cty.List(cty.String)):
		return cty.ListVal([]cty.Value{cty.StringVal("plain"), v}), true
	case a.Type.Equals(cty.Map(cty.String)):
		return cty.MapVal(map[string]cty.Value{"plain": cty.StringVal("plain"), "some_url": v}), true
	}
	return v, false
}

// blockOf returns all that is written for an item.
func blockOf(t *testing.T, kinds schema.Catalog, it *item) string {
	var files bytes.Buffer
	p := puller{kinds: kinds, names: names{}, index: newIndex(), out: output{
		create: func(string) (io.WriteCloser, error) { return kept{&files}, nil }, comments: map[*container][]string{},
	}}
	at := &container{}
	p.nameItem(at, it)
	var b strings.Builder
	p.writeBlock(&b, &page{container: at, local: newIndex()}, it)
	require.NoError(t, p.out.close())
	return files.String() + b.String() + it.address() + keyText(it.obj)
}

// kept is a file in memory.
type kept struct{ io.Writer }

func (kept) Close() error { return nil }

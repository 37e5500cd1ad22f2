package provider

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"hew/schema"
	"hew/schema/catalogue"
)

// Every line of the table leads to something that is there, and says no more
// than is needed.
func TestTerraformNames(t *testing.T) {
	t.Parallel()
	for i, line := range strings.Split(strings.TrimSpace(terraformTable), "\n")[1:] {
		row := append(strings.Split(line, "\t"), "", "", "", "", "")
		types, kind := strings.Split(row[0], "|"), row[2]
		typ, word, several := strings.Cut(types[0], "/")
		a := Kinds().AliasOf(typ)
		if several && a != nil {
			a = a.Cases[word]
		}
		require.NotNil(t, a, "line %d: %s", i+2, line)
		require.True(t, row[1] != "" || kind == "-" || a.Kind != nil, "%s: there is no kind %s", types[0], kind)
		if row[1] == "" || a.Kind == nil {
			continue
		}
		block, field, within := strings.Cut(row[1], ".")
		n := a.Naming(block)
		if within {
			named(t, a, n, field, row[2])
			continue
		}
		require.NotNil(t, n, line)
		switch {
		case n.Attr == "":
			require.Nil(t, a.Kind.Attr(n.Name), "%s: the kind has it", line)
			require.NotEmpty(t, n.Note, line)
		case n.Shape == schema.Beside:
			require.NotNil(t, Kinds().Resources[n.Attr], line)
		case a.Kind.Block(n.Attr) != nil:
		default:
			require.NotNil(t, a.Kind.Attr(n.Attr), "%s: the kind has no %s", line, n.Attr)
			require.True(t, n.Name != n.Attr || row[3] != "" || row[4] != "" || row[5] != "",
				"%s: this goes without saying", line)
		}
		if n.Default != cty.NilVal {
			_, err := convert.Convert(n.Default, a.Kind.Attr(n.Attr).Type)
			require.NoError(t, err, line)
		}
	}
}

// named makes sure that what a field of a block is called here is there.
func named(t *testing.T, a *schema.Alias, n *schema.Naming, field, here string) {
	if own := a.Kind.Block(n.Attr); own != nil {
		require.True(t, here == "-" || own.Of[here] != "", "%s of %s in %s", field, n.Name, a.Type)
		return
	}
	at := a.Kind.Attr(n.Attr).Type
	if at.IsCollectionType() {
		at = at.ElementType()
	}
	require.True(t, here == "-" || at.HasAttribute(here), "%s of %s in %s", field, n.Name, a.Type)
}

// What an alias says of its kind is true of it.
func TestAliases(t *testing.T) {
	t.Parallel()
	var all []*schema.Alias
	for _, a := range Kinds().Aliases() {
		switch {
		case a.Cases != nil:
			all = slices.AppendSeq(all, maps.Values(a.Cases))
		case a.Kind != nil:
			all = append(all, a)
		}
	}
	for _, a := range all {
		for name, v := range a.Fixed {
			require.NotNil(t, a.Kind.Attr(name), a.Type)
			_, there := catalogue.IntegrationBySlug(v.AsString())
			require.True(t, there, a.Type)
		}
		if a.ID != "-" {
			for _, part := range a.Parts() {
				require.NotNil(t, a.Kind.Attr(part), "%s: id of %s", a.Type, part)
			}
		}
		seen := map[string]bool{}
		for _, n := range a.Names {
			require.False(t, seen[n.Name], "%s has %s twice", a.Type, n.Name)
			seen[n.Name] = true
		}
		for at := range a.Kind.Arguments() {
			_, fixed := a.Fixed[at.Name]
			blocks := false
			for _, b := range a.Blocks {
				for _, attr := range b.Of {
					blocks = blocks || attr == at.Name
				}
			}
			require.True(t, fixed || blocks || a.For(at.Name) != nil, "%s: nothing states %s", a.Type, at.Name)
		}
	}
}

// What is stated in Terraform's way comes out as hew has it, and is shown again
// in Terraform's.
func TestTerraformValues(t *testing.T) {
	t.Parallel()
	words := func(w ...string) cty.Value {
		var list []cty.Value
		for _, s := range w {
			list = append(list, cty.StringVal(s))
		}
		return cty.TupleVal(list)
	}
	level := func(n int64) cty.Value {
		return cty.ObjectVal(map[string]cty.Value{"access_level": cty.NumberIntVal(n)})
	}
	pair := cty.ObjectVal(map[string]cty.Value{"key": cty.StringVal("X-A"), "value": cty.StringVal("b")})
	for _, c := range []struct {
		how         string
		there, here cty.Value
		back        bool
	}{
		{"level", cty.StringVal("no one"), cty.StringVal("no_access"), true},
		{"level", cty.StringVal("minimal"), cty.StringVal("minimal_access"), true},
		{"level", cty.StringVal("master"), cty.StringVal("maintainer"), false},
		{"level", cty.StringVal("developer"), cty.StringVal("developer"), true},
		{"level", cty.NumberIntVal(30), cty.NumberIntVal(30), false},
		{"levels", words("no one", "developer"), cty.TupleVal([]cty.Value{level(0), level(30)}), true},
		{"levels=number", cty.TupleVal([]cty.Value{cty.NumberIntVal(40)}), cty.TupleVal([]cty.Value{level(40)}), true},
		{"join", words("10.0.0.0/8", "::1"), cty.StringVal("10.0.0.0/8,::1"), false},
		{"pairs", cty.TupleVal([]cty.Value{pair}), cty.ObjectVal(map[string]cty.Value{"X-A": cty.StringVal("b")}),
			true},
		{"not", cty.True, cty.False, true},
		{"slug=name", cty.StringVal("Our Site: the 2nd!"), cty.StringVal("our-site-the-2nd"), false},
	} {
		how, of, _ := strings.Cut(c.how, "=")
		n := &schema.Naming{}
		terraformHow[how](n, of)
		here, err := n.In(c.there)
		require.NoError(t, err, c.how)
		require.True(t, here.RawEquals(c.here), "%s: %#v", c.how, here)
		if c.back {
			require.True(t, n.Out(here).RawEquals(c.there), "%s: %#v", c.how, n.Out(here))
		}
	}
	for how, wrong := range map[string]cty.Value{
		"join":   cty.TupleVal([]cty.Value{cty.EmptyObjectVal}),
		"levels": words("boss"),
		"pairs":  cty.TupleVal([]cty.Value{pair, pair}),
		"not":    cty.StringVal("maybe"),
		"slug":   cty.StringVal("Straße"),
	} {
		n := &schema.Naming{}
		terraformHow[how](n, "")
		_, err := n.In(wrong)
		require.Error(t, err, how)
	}
}

// A name and a password are put into an address as they have to be written there.
func TestImportURL(t *testing.T) {
	t.Parallel()
	parts := map[string]cty.Value{"url": cty.StringVal("https://git.example.com/a.git"),
		"username": cty.StringVal("bot"), "password": cty.StringVal("p@ss/w")}
	v, err := importURL(parts)
	require.NoError(t, err)
	require.Equal(t, "https://bot:p%40ss%2Fw@git.example.com/a.git", v.AsString())
	delete(parts, "password")
	v, err = importURL(parts)
	require.NoError(t, err)
	require.Equal(t, "https://bot@git.example.com/a.git", v.AsString())
	v, err = importURL(map[string]cty.Value{"username": cty.StringVal("bot")})
	require.NoError(t, err)
	require.True(t, v.IsNull())
}

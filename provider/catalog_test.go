package provider

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"hew/reconcile/golden"
	"hew/schema"
)

// the returns the kind of the catalogue that a declaration became.
func the(declare func() Kind) *Kind { return completed(declare()) }

// completed returns the kind of the catalogue that has the name of a declared one.
func completed(declared Kind) *Kind {
	kinds := Kinds()
	k := kinds.Resources[declared.Name]
	if declared.Data != nil {
		k = kinds.Sources[declared.Name]
	}
	return standard().kinds[k]
}

func every(t *testing.T, check func(t *testing.T, k *Kind)) {
	for _, k := range builtin() {
		name := k.Name
		if k.Data != nil {
			name = "data." + name
		}
		t.Run(name, func(t *testing.T) { t.Parallel(); check(t, completed(k)) })
	}
}

// What validate of package schema leaves to taste: that names lead somewhere is
// an error of New.
func TestKindsAreWellFormed(t *testing.T) {
	t.Parallel()
	sentence := regexp.MustCompile(`(?s)^[A-Z{].*\.$`)
	every(t, func(t *testing.T, k *Kind) {
		require.Regexp(t, sentence, k.Doc)
		require.True(t, k.Collection == "" || k.Need != "", "who may read it")
		require.True(t, k.LeastLevel() == 0 || k.Admits() != "" && k.LevelAttr() != "", "Least of what")
		if k.Shared != "" {
			require.Equal(t, k.Owner().RefKind(), k.Attr(k.Shared).RefKind(), "further owners")
		}
		for i := range k.Attrs {
			if a := &k.Attrs[i]; a.Instead != "" {
				require.Empty(t, k.Attr(a.Instead).Instead, "%s leads to what has to be said", a.Name)
			}
		}
		for _, name := range k.Features {
			owner := Kinds().Resources[k.Owner().RefKind()]
			require.NotNil(t, owner.Attr(name), "%s, which turns it off", name)
		}
		for _, b := range k.Blocks {
			for _, name := range b.Of {
				require.True(t, k.Attr(name).ManyRefs(), "a block adds to a list: %s", name)
			}
		}
		if k.Set != nil {
			element := Kinds().Resources[k.Set.Element]
			require.Equal(t, element.Collection, k.Collection)
			for name := range k.Attr(k.Set.Attr).Type.ElementType().AttributeTypes() {
				require.NotNil(t, element.Attr(name), "element field %s", name)
			}
		}
		if d := k.Data; d != nil {
			require.True(t, d.Single || k.Attr("ids") != nil && d.By != "" || d.Rows != "", "what it answers")
			require.True(t, d.Deep == "" || strings.Contains(d.Deep, "{"+d.Owner+"}"), d.Deep)
		}
	})
}

// TestNamesAreUniqueOrMayRepeat checks that each kind whose objects are recognized by a key says
// whether a host accepts two of one key, because hew orders changes that free a name and take it.
func TestNamesAreUniqueOrMayRepeat(t *testing.T) {
	t.Parallel()
	repeats := map[string]string{
		"alert_integration": "hosts accept two endpoints of one name", "push_mirror": "a URL can be mirrored to twice",
		"project_hook": "a URL can have several hooks", "group_hook": "a URL can have several hooks",
		"system_hook":          "a URL can have several hooks",
		"project_access_token": "tokens can have one name", "group_access_token": "tokens can have one name",
		"project_deploy_token": "tokens can have one name", "group_deploy_token": "tokens can have one name",
		"instance_runner": "descriptions are free text", "group_runner": "descriptions are free text",
		"project_runner": "descriptions are free text", "pipeline_schedule": "descriptions are free text",
		"pipeline_trigger": "tokens can have one description",
	}
	every(t, func(t *testing.T, k *Kind) {
		if k.Data != nil || k.Set != nil || k.Holds != schema.Many || k.Match.Alike {
			return
		}
		require.Equal(t, len(k.Unique) == 0, repeats[k.Name] != "", "say what is unique, or why nothing is")
		for _, u := range k.Unique {
			for _, name := range u.Attrs {
				require.NotNil(t, k.Attr(name), "unique attribute %s", name)
			}
		}
	})
}

// What is in an example is checked where there is a program to do it: cmd/hew
// validates it, and testacc applies it.
func TestEveryKindHasAnExample(t *testing.T) {
	t.Parallel()
	files := []string{"shared.hcl"}
	for _, k := range builtin() {
		require.NotEmpty(t, k.Example, "write examples/%s.hcl", k.exampleName())
		files = append(files, k.exampleName()+".hcl")
	}
	there, err := examples.ReadDir("examples")
	require.NoError(t, err)
	for _, f := range there {
		require.Contains(t, files, f.Name(), "no kind has this example")
	}
}

func TestAttributesAreWellFormed(t *testing.T) {
	t.Parallel()
	every(t, func(t *testing.T, k *Kind) {
		for i := range k.Attrs {
			a := &k.Attrs[i]
			require.True(t, strings.HasSuffix(a.Doc, "."), "the doc of %s", a.Name)
			require.False(t, a.NeedsAccess() && k.Owner() == nil, "%s names nothing that can have access", a.Name)
			if skips := k.Attr(a.SkippedBy()); a.SkippedBy() != "" {
				require.True(t, skips.Local() && skips.Type == cty.Bool, "hosts know nothing of %s", a.SkippedBy())
			}
			if a.Mode == schema.Computed {
				require.Nil(t, a.Default, a.Name)
				require.Nil(t, a.Accepts.Check, a.Name)
			}
			if a.Default == nil {
				continue
			}
			v, err := convert.Convert(a.Default(schema.Object{Kind: &k.Kind}), a.Type)
			require.NoError(t, err, a.Name)
			require.True(t, a.Equal(v, a.Canonical(v)), "the canonical form of %s is its own", a.Name)
			if a.Accepts.Check != nil {
				require.NoError(t, a.Accepts.Check(v), "the default of %s is refused", a.Name)
			}
		}
	})
}

func TestAPIsNameWhatThereIs(t *testing.T) {
	t.Parallel()
	every(t, func(t *testing.T, k *Kind) {
		for _, a := range k.Table {
			require.False(t, a.AfterCreate && k.API.Items == "", "%s is late for a creation that there is none of",
				a.Name)
			require.False(t, a.Field != "" && a.IsSecret() && !a.Readable(), "%s is not read", a.Name)
			require.False(t, a.AfterCreate && (a.SentOnce() || hasActionFor(k.API.After, a.Name)),
				"%s is sent in two places", a.Name)
		}
		for _, a := range k.Table {
			require.True(t, !a.Partial() || a.Type.IsMapType(), "%s has no keys to hide", a.Name)
		}
		if k.Data == nil && k.Set == nil {
			own := slices.ContainsFunc(templateVariables(k.API.Item), func(name string) bool {
				return name == idName || slices.Contains(k.Match.Keys, name) && k.Owner() != k.Attr(name)
			})
			require.Equal(t, k.Holds == schema.Many, own, k.API.Item)
			require.NotEmpty(t, k.API.Items)
		}
	})
}

// The golden file is the whole catalogue, one attribute a line, so that a
// review shows what a change does to the language.
func TestCatalogue(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, declared := range builtin() {
		k, gate := completed(declared), ""
		if k.Gated {
			gate = "  gated"
		}
		fmt.Fprintf(&b, "%s  %s%s\n", k.Name, k.Collection, gate)
		for i := range k.Table {
			fmt.Fprintf(&b, "  %s\n", row(&k.Table[i]))
		}
	}
	golden.Equal(t, "testdata/kinds.golden", b.String())
}

var outsiders = map[schema.Outsiders]string{
	schema.RefuseOutsiders: "refused", schema.OmitOutsiders: "left out", schema.KeepOutsiders: "kept",
}

func row(a *Attr) string {
	words := []string{a.Name}
	if a.RefKind() != "" {
		words = append(words, "reference to "+a.RefKind())
	} else {
		words = append(words, a.Type.FriendlyName())
	}
	words = append(words, []string{"", "required", "computed"}[a.Mode])
	if a.Default != nil {
		words = append(words, "default "+schema.Encode(a.Default(schema.Object{})))
	}
	for _, f := range []struct {
		on   bool
		name string
	}{{a.ForceNew, "fixed"}, {a.IsSecret(), "secret"}, {a.Detail, "detail"}, {a.SentOnce(), "once"},
		{a.Local(), "local"}, {a.Opens != nil, "opens"}, {a.NeedsAccess(), "outsiders " + outsiders[a.Outsiders()]},
		{a.SentAlways(), "always"},
		{a.Parameter != "", "as " + a.Parameter}} {
		if f.on {
			words = append(words, f.name)
		}
	}
	if a.SentWith() != nil {
		words = append(words, "with "+strings.Join(a.SentWith(), ", "))
	}
	return strings.Join(strings.Fields(strings.Join(words, "  ")), " ")
}

func TestKindsRefuseWithWordsThatHelp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind  *Kind
		attr  string
		value any
		says  string // "" accepts
	}{
		{the(group), "path", "acme/platform", "must not contain a slash"},
		{the(group), "path", "-x", "beginning with"},
		{the(group), "path", "x.git", "must not end in ., .git"},
		{the(group), "path", "old.app", ""},
		{the(group), "visibility", "secret", "private, internal, public"},
		{the(group), "default_branch_protection", 5, "from 0 to 4"},
		{the(group), "name", " ", "must not be empty"},
		{the(groupMember), "access_level", "boss", "guest"},
		{the(groupMember), "access_level", "Owner", ""},
		{the(groupMember), "access_level", 25, ""},
		{the(groupMember), "access_level", 60, "60 cannot be granted; use minimal_access (5), guest (10), planner (15)"},
		{the(groupMember), "access_level", 15, ""},
		{the(groupMember), "expires_at", "tomorrow", "YYYY-MM-DD"},
		{the(groupMember), "expires_at", "2020-01-01", "in the past"},
		{the(groupMember), "expires_at", "2999-01-01", ""},
		{the(groupMember), "expires_at", "", ""},
		{the(projectHook), "url", "ci.example.com/hook", "must be an absolute http or https URL"},
		{the(projectHook), "url", "ftp://ci.example.com", "must be an absolute http or https URL"},
		{the(projectHook), "url", "https://{where}/hook?{x}", ""},
		{the(projectHook), "url", "https://h/" + strings.Repeat("x", 2048), "at most 2048"},
		{the(projectHook), "custom_headers", map[string]string{"X-Key": "v"}, ""},
		{the(projectHook), "custom_headers", map[string]string{"X_Key": "v"}, "no name of a header"},
		{the(projectHook), "custom_headers", map[string]string{"Host": "v"}, "cannot be chosen"},
		{the(projectHook), "custom_headers", numbered(21), "21 entries, but at most 20"},
		{the(projectHook), "url_variables", numbered(100), ""},
		{the(projectHook), "url_variables", map[string]string{"1": "v"}, "no name of a variable"},
		{the(projectHook), "url_variables", cty.MapVal(map[string]cty.Value{"a": cty.NullVal(cty.String)}),
			"has no value"},
		{the(projectHook), "token", "a\nb", "control characters"},
		{the(projectHook), "custom_webhook_template", `{"a":"{{b}}"}`, ""},
		{the(projectHook), "custom_webhook_template", `{"a":"{{b}}",}`, "does not make JSON"},
		{the(projectPushRule), "branch_name_regex", "(", "not a valid regular expression"},
		{the(projectPushRule), "branch_name_regex", strings.Repeat("(", 511), "not a valid regular expression"},
		{the(projectPushRule), "branch_name_regex", strings.Repeat("x", 512), "at most 511"},
		{the(project), "build_timeout", 60, "from 600"},
	} {
		err := c.kind.Attr(c.attr).Accepts.Check(valueOf(c.value))
		if c.says == "" {
			require.NoError(t, err, "%s = %v", c.attr, c.value)
		} else {
			require.ErrorContains(t, err, c.says, "%s = %v", c.attr, c.value)
		}
	}
}

// numbered is a map with n entries.
func numbered(n int) map[string]string {
	m := map[string]string{}
	for i := range n {
		m[fmt.Sprint("n", i)] = "v"
	}
	return m
}

// D09, D11, H08: the forms of one value.
func TestCanonicalForms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind       *Kind
		attr       string
		one, other any
		same       bool
	}{
		{the(projectHook), "url", "https://bot:tok@H.example:443", "https://*****:*****@h.example/", true},
		{the(projectHook), "url", "https://h.example/{a}", "https://h.example/{b}", false},
		{the(projectHook), "url", "https://h.example/A", "https://h.example/a", false},
		{the(projectHook), "url", "http://h.example:8080/", "http://h.example/", false},
		{the(groupMember), "access_level", "maintainer", 40, true},
		{the(groupMember), "access_level", "40", 40, true},
		{the(groupMember), "access_level", 25, 20, false},
		{the(groupMember), "expires_at", "2025-09-26", "2025-09-26T00:00:00.000Z", true},
		{the(groupMember), "expires_at", "", nil, true},
		{the(group), "lfs_enabled", false, nil, true},
		{the(group), "auto_devops_enabled", false, nil, false},
		{the(group), "full_path", "Acme/Web", "acme/web", true},
		{the(group), "ip_restriction_ranges", "10.0.0.0/8, 192.168.0.0/16", "192.168.0.0/16,10.0.0.0/8", true},
		{the(group), "shared_runners_setting", "disabled_with_override", "disabled_and_overridable", true},
		{the(user), "username", "Alice", "alice", true},
		{the(project), "description", "caf\u00e9", "cafe\u0301", true},
	} {
		a := c.kind.Attr(c.attr)
		require.Equal(t, c.same, a.Equal(valueOrNull(a, c.one), valueOrNull(a, c.other)), "%s: %v and %v", c.attr,
			c.one, c.other)
	}
}

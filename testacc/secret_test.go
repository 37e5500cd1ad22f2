package testacc

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/schema/catalogue"
	"hew/server/servertest"
)

// hideouts say how an attribute is written that has secrets in it and is no plain text, by kind and
// name or by name alone; $ is the secret.
var hideouts = map[string]string{
	"url_variables":    `{ part = "$" }`,
	"custom_headers":   `{ X-One = "$" }`,
	"variables":        `{ ONE = "$" }`,
	"file_variables":   `{ TWO = "$" }`,
	"group_hook.url":   `"https://bot:$@one.example.com/{part}"`,
	"project_hook.url": `"https://bot:$@one.example.com/{part}"`,
	"system_hook.url":  `"https://bot:$@one.example.com/{part}"`,
	"push_mirror.url":  `"https://$:$@one.example.com/it.git"`,
}

// TestSecretsAreKept puts a secret into every place that takes one, whatever kind it is of, and
// looks for it in all that hew says and leaves behind: for people and for programs, at its most
// talkative, when all goes well and when hosts quote what they refuse.
func TestSecretsAreKept(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	v.introduce(t, "alice", "bob")
	v.declare()

	v.hew(0, "", "validate")
	v.hew(0, "", "validate", "-json")
	v.hew(0, "", "graph")
	v.hew(0, "", "graph", "-format=mermaid")
	v.still(func() { v.views("plan") })
	v.hew(0, "", "plan", "-out=saved.json")
	v.hew(0, "", "show", "saved.json")
	v.hew(0, "", "show", "-json", "saved.json")
	v.hew(0, "", "apply", "saved.json")
	v.disclosed()
	before := v.proxy.requests()
	v.hew(0, "", "ledger", "list", "-json")
	v.hew(0, "", "ledger", "pull")
	v.pulled()
	v.hew(0, "", "ledger", "show", "module.project_hook.project_hook.it")
	v.still(func() {
		v.hew(0, "", "plan", ".")
		v.hew(0, "", "output")
		v.hew(0, "", "output", "-json")
		v.hew(0, "var.secrets\nmodule.project_access_token.token\n{ a = [values(var.secrets)[0]] }\n", "console")
		v.hew(1, "jsondecode(values(var.secrets)[0])\n", "console")
	})
	v.elsewhere()
	v.left()

	// Everything has another secret, and the host quotes what it refuses.
	v.declare()
	v.module("imported", "resource \"project\" \"it\" {\n  namespace = \"integrations\"\n  path = \"imported\"\n  "+
		"import_url = \"https://bot:"+
		v.plant("project.import_url")+"@one.example.com/it.git\"\n}\n")
	v.everywhere()
	v.hew(0, "", "plan")
	v.proxy.arm(quoting()...)
	v.hew(1, "", "apply", "-auto-approve")
	v.hew(1, "", "apply", "-auto-approve", "-json")
	v.proxy.mend()
	v.left()
	v.declare() // for imports take a repository, which the server does not have yet
	v.hew(0, "", "apply", "-auto-approve", "-json")

	// Somebody else puts the first ones back, between a plan and its apply too.
	v.hew(0, "", "plan", "-out=stale.json")
	for _, r := range before {
		if r.writes() {
			// what is there already is not made twice
			v.server.Do(v, v.server.RootToken, r.Method, r.target(), json.RawMessage(r.Body))
		}
	}
	v.still(func() {
		v.hew(1, "", "apply", "stale.json")
		v.hew(2, "", "drift")
		v.hew(2, "", "drift", "-json", "-o=drift.json")
		for _, form := range []string{"markdown", "html", "widget", "junit", "sarif"} {
			v.hew(0, "", "show", "drift.json", "-format="+form)
		}
		v.hew(0, "", "plan", "-refresh-only")
		v.announced()
		v.based()
	})
	v.adopted()
	v.hew(0, "", "destroy", "-auto-approve")
	v.left()
}

// pulled pulls everything. What hew is told to keep is not written, in capitals or not; what the
// host shows to everybody is, wherever it came from.
func (v *vault) pulled() {
	v.hew(0, "", "pull", "instance", "-out=pulled")
	v.hew(0, "", "fmt", "-check", "pulled")
	v.hew(0, "", "-chdir=pulled", "validate")
	dir := filepath.Join(v.dir, "pulled")
	files, err := filepath.Glob(filepath.Join(dir, "*.hcl"))
	require.NoError(v, err)
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(v, err)
		require.NotContains(v, strings.ToLower(string(text)), strings.ToLower(v.kept), file)
		all.Write(text)
	}
	require.Contains(v, all.String(), v.told)
	require.NoError(v, os.RemoveAll(dir))
}

// quoting are faults of a host that refuses everything and quotes it.
func quoting() (faults []*fault) {
	for path := ""; len(path) < 20; {
		path += "/*"
		for _, method := range []string{"POST", "PUT", "PATCH"} {
			faults = append(faults, &fault{method: method, path: path, status: 422, quotes: true, left: -1})
		}
	}
	return faults
}

// views runs a command in every form that it has.
func (v *vault) views(args ...string) {
	v.Helper()
	v.hew(0, "", args...)
	v.hew(0, "", append(args, "-compact")...)
	for _, form := range []string{"json", "markdown", "html", "widget", "junit", "sarif"} {
		v.hew(0, "", append(args, "-format="+form)...)
	}
}

// declare writes the configuration: a module a kind, with all that it takes, one with all
// integrations, and variables that hold what the host makes.
func (v *vault) declare() {
	v.fresh()
	known := kinds(v.T)
	var outputs strings.Builder
	for _, name := range slices.Sorted(maps.Keys(known)) {
		k := known[name]
		l := &life{T: v.T, stage: v.stage, kind: k, known: known}
		text := l.block(v.stating(l), func(a attribute) string { return v.value(l, a) })
		for _, a := range k.Attributes {
			if a.Secret && a.Mode == "computed" {
				text += fmt.Sprintf("output %q {\n  value = %s.it.%s\n}\n", a.Name, name, a.Name)
				fmt.Fprintf(&outputs, "resource \"instance_variable\" \"%[1]s_%[2]s\" {\n  key   = "+
					"\"%[1]s_%[2]s\"\n  value = module.%[1]s.%[2]s\n}\n", name, a.Name)
			}
		}
		v.module(name, l.ground+text)
	}
	v.module("integrations", v.integrations())
	v.write("outputs.hcl", outputs.String()+"output \"all\" {\n  value     = var.secrets\n  sensitive = true\n}\n")
}

// everywhere insists that no attribute for secrets is left out.
func (v *vault) everywhere() {
	planted := slices.Collect(maps.Values(v.places))
	for place := range v.vars {
		planted = append(planted, place)
	}
	for name, k := range kinds(v.T) {
		for _, a := range k.Attributes {
			if a.Secret && a.Mode != "computed" {
				require.Contains(v, planted, name+"."+a.Name)
			}
		}
	}
}

// stating are the attributes to state of a kind: all, but for what everybody on the host would
// feel.
func (v *vault) stating(l *life) []attribute {
	if l.kind.Name == "application_settings" {
		return slices.DeleteFunc(l.stating(), func(a attribute) bool { return !a.Secret })
	}
	return l.stating()
}

// value is what an attribute is set to: a secret if it takes one, and what comes of a sensitive
// variable if it takes any text.
func (v *vault) value(l *life, a attribute) string {
	place := l.kind.Name + "." + a.Name
	for _, name := range []string{place, a.Name} {
		if text, ok := hideouts[name]; ok {
			for strings.Contains(text, "$") && !strings.Contains(text, "${") {
				text = strings.ReplaceAll(text, "$", v.plant(place))
			}
			return text
		}
	}
	text := l.value(a, 0)
	switch {
	case a.Secret:
		require.Equal(l, "string", a.Type, "%s: say in hideouts how a secret is written there", place)
		return `"` + v.plant(place) + `"`
	case !a.Named && strings.HasPrefix(text, `"the `):
		return strings.TrimSuffix(text, `"`) + v.mention(place) + `"`
	}
	return text
}

// integrations are all there are, with all that they take.
func (v *vault) integrations() string {
	var text strings.Builder
	text.WriteString("resource \"group\" \"base\" {\n  path = \"integrations\"\n}\nresource \"project\" \"base\" " +
		"{\n  path = \"it\"\n  namespace = group.base.id\n}\n")
	for _, i := range catalogue.Integrations() {
		if i.Elsewhere() {
			continue
		}
		properties, err := json.Marshal(servertest.Filled(i, false))
		require.NoError(v, err)
		fmt.Fprintf(&text,
			"resource \"integration\" %q {\n  project = project.base.id\n  slug = %q\n  properties = {\n",
			i.Slug, i.Slug)
		values := map[string]json.RawMessage{}
		require.NoError(v, json.Unmarshal(properties, &values))
		for _, name := range slices.Sorted(maps.Keys(values)) {
			value := string(values[name])
			if strings.Contains(value, "$") {
				value = strings.ReplaceAll(value, "$", v.plant(i.Slug+"."+name))
			}
			fmt.Fprintf(&text, "    %s = %s\n", name, value)
		}
		text.WriteString("  }\n}\n")
	}
	return text.String()
}

// disclosed learns what the host has made, from the variables that hold it.
func (v *vault) disclosed() {
	var list []struct{ Key, Value string }
	v.server.Do(v, v.server.RootToken, "GET", "/admin/ci/variables?per_page=100", nil).Into(v, &list)
	for _, one := range list {
		if len(one.Value) > 12 && !strings.HasPrefix(one.Value, v.kept) {
			v.others[one.Value] = one.Key
		}
	}
}

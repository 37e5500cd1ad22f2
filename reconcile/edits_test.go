package reconcile_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"hew/reconcile"
	"hew/reconcile/plan"
)

var editSeeds = flag.Int("edit-seeds", 150, "how many random configurations are edited at random")

// TestRandomEdits edits random configurations at random: lists behind count and for_each are
// extended, shortened and reordered, names go from block to block, and somebody changes the host by
// hand. A plan without errors applies in one run, and the next plan is empty. What a block declares
// before and after an edit keeps its id, and is not written unless its attributes change.
func TestRandomEdits(t *testing.T) {
	t.Parallel()
	applied := 0
	for seed := range *editSeeds {
		e := &estate{t: t, seed: seed, rand: rand.New(rand.NewPCG(uint64(seed), 1))}
		e.live()
		applied += e.applied
	}
	require.Greater(t, applied, 2**editSeeds, "hardly any edit was applied")
}

// estate is a configuration that is edited at random, and the host that it is applied to.
type estate struct {
	t       *testing.T
	seed    int
	rand    *rand.Rand
	story   *story
	kinds   []string // few, so that names go from block to block
	blocks  map[string]*editBlock
	last    map[string]*editBlock // as they were applied last
	applied int
}

// editBlock is a block with an instance for each name, or with a single one.
type editBlock struct {
	kind, label string
	style       string // "count", "for_each" or "single"
	names       []string
	attr        map[string]string // by name: what can be changed in place
}

// editKinds are the kinds of blocks, with what a name and an attribute are there.
var editKinds = map[string]string{
	"label":        "project = \"acme/api\"\n  name = NAME\n  color = ATTR",
	"branch":       "project = \"acme/api\"\n  name = NAME",
	"variable":     "project = \"acme/api\"\n  key = NAME\n  value = ATTR",
	"project_hook": "project = \"acme/api\"\n  url = \"https://${NAME}.example\"\n  push_events = ATTR == \"x\"",
	"group":        "parent = \"acme\"\n  path = NAME\n  description = ATTR",
	"project":      "namespace = \"acme\"\n  path = NAME\n  description = ATTR",
	"group_member": "group = \"acme\"\n  user = NAME\n  access_level = lookup({ x = \"developer\", y = \"owner\", z " +
		"= \"guest\" }, ATTR, 30)",
}

var editNames = []string{"alice", "bob", "carol", "dora", "erin", "frank"}

func (e *estate) live() {
	live := `{"lists": {"groups": [{"id": 1, "path": "acme", "full_path": "acme"}], "groups/1/subgroups": [],
		"groups/1/projects": [{"id": 5, "path": "api", "path_with_namespace": "acme/api"}], "groups/1/members": [],
		"projects/5/labels": [], "projects/5/branches": [], "projects/5/hooks": [], "projects/5/variables": []},
		"users": {"alice": 7, "bob": 8, "carol": 9, "dora": 10, "erin": 11, "frank": 12}}`
	e.story = newStory(e.t, &txtar.Archive{Files: []txtar.File{{Name: "live.json", Data: []byte(live)}, {}}})
	e.story.host.softly = e.rand.IntN(2) == 0
	e.blocks, e.last = map[string]*editBlock{}, map[string]*editBlock{}
	kinds := slices.Sorted(maps.Keys(editKinds))
	e.kinds = []string{e.pick(kinds), e.pick(kinds)}
	for range 2 + e.rand.IntN(3) {
		e.addBlock()
	}
	for range 8 {
		if !e.step(e.text()) {
			e.blocks = e.last // it has errors: try another edit
		}
		e.last = e.clone()
		for range 1 + e.rand.IntN(2) {
			e.edit()
		}
	}
}

// step plans and applies the configuration. It returns false for one that has errors.
func (e *estate) step(text string) bool {
	told := func() string { return fmt.Sprintf("seed %d\n%s", e.seed, text) }
	e.story.ar.Files[1] = txtar.File{Name: "config.hcl", Data: []byte(text)}
	ids := e.ids()
	p := e.story.planned(reconcile.Options{}, false)
	if p == nil || len(p.Blocked) > 0 || !p.Applyable {
		return false
	}
	e.story.out.Reset()
	e.story.run(reconcile.Options{}, true)
	out := e.story.out.String()
	require.NotContains(e.t, out, "failed:", "%s\n%s", told(), out)
	require.NotContains(e.t, out, "skipped:", "%s\n%s", told(), out)
	next := e.story.planned(reconcile.Options{}, false)
	require.NotNil(e.t, next, told())
	require.Empty(e.t, next.Blocked, told())
	for _, c := range next.Changes {
		require.Equal(e.t, plan.NoOp, c.Action, "%s\nthe next plan has %s\n%s", told(), c.Addr, out)
	}
	e.keeps(ids, told()+"\n"+out)
	e.applied++
	return true
}

// keeps checks what every block declared before and declares now.
func (e *estate) keeps(ids map[string]string, told string) {
	now := e.ids()
	for label, was := range e.last {
		is := e.blocks[label]
		if is == nil || is.kind != was.kind {
			continue
		}
		for _, name := range was.names {
			id := ids[was.kind+" "+name]
			if id == "" || id == "several" || now[was.kind+" "+name] == "several" || !slices.Contains(is.names, name) {
				continue
			}
			require.Equal(e.t, id, now[was.kind+" "+name], "%s %s is another one\n%s", was.kind, name, told)
			if was.attr[name] == is.attr[name] {
				require.NotContains(e.t, told, fmt.Sprintf("wrote: update %s %s ", was.kind, name), told)
			}
		}
	}
}

// ids returns the ids of the live objects by kind and name.
func (e *estate) ids() map[string]string {
	ids := map[string]string{}
	for at, kind := range map[string][2]string{
		"projects/5/labels": {"label", "name"}, "projects/5/branches": {"branch", "name"},
		"projects/5/variables": {"variable", "key"}, "projects/5/hooks": {"project_hook", "url"},
		"groups/1/subgroups": {"group", "path"}, "groups/1/projects": {"project", "path"},
		"groups/1/members": {"group_member", "user"},
	} {
		for _, it := range e.story.host.lists[at] {
			name := strings.TrimSuffix(strings.TrimPrefix(fmt.Sprint(it[kind[1]]), "https://"), ".example")
			switch at := kind[0] + " " + name; {
			case it["state"] != nil:
			case ids[at] != "":
				ids[at] = "several" // hooks can have one URL
			default:
				ids[at] = fmt.Sprint(it["id"])
			}
		}
	}
	return ids
}

func (e *estate) clone() map[string]*editBlock {
	out := map[string]*editBlock{}
	for label, b := range e.blocks {
		c := *b
		c.names, c.attr = slices.Clone(b.names), maps.Clone(b.attr)
		out[label] = &c
	}
	return out
}

func (e *estate) addBlock() {
	kind := e.pick(e.kinds)
	b := &editBlock{kind: kind, label: fmt.Sprintf("b%d", e.rand.IntN(1000)),
		style: e.pick([]string{"count", "for_each", "single"}), attr: map[string]string{}}
	names := slices.Clone(editNames)
	e.rand.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	b.names = names[:1+e.rand.IntN(4)]
	if b.style == "single" {
		b.names = names[:1]
	}
	e.blocks[b.label] = b
}

// edit makes one random edit of the configuration, or of the host.
func (e *estate) edit() {
	if len(e.blocks) == 0 {
		e.addBlock()
	}
	labels := slices.Sorted(maps.Keys(e.blocks))
	b, other := e.blocks[e.pick(labels)], e.blocks[e.pick(labels)]
	i := e.rand.IntN(len(b.names))
	switch e.rand.IntN(9) {
	case 0:
		if b.style != "single" {
			b.names = slices.Insert(b.names, i, e.pick(editNames))
		}
	case 1:
		if len(b.names) > 1 {
			b.names = slices.Delete(b.names, i, i+1)
		}
	case 2:
		e.rand.Shuffle(len(b.names), func(i, j int) { b.names[i], b.names[j] = b.names[j], b.names[i] })
	case 3:
		b.names[i] = e.pick(editNames)
	case 4:
		b.attr[b.names[i]] = e.pick([]string{"x", "y", "z"})
	case 5:
		j := e.rand.IntN(len(other.names))
		b.names[i], other.names[j] = other.names[j], b.names[i]
	case 6:
		e.addBlock()
	case 7:
		delete(e.blocks, b.label)
	case 8:
		e.meddle(b.kind)
	}
}

// meddle changes the host by hand.
func (e *estate) meddle(kind string) {
	at, attr := map[string]string{"label": "projects/5/labels", "variable": "projects/5/variables"}[kind],
		map[string]string{"label": "name", "variable": "key"}[kind]
	if at == "" {
		return
	}
	items := e.story.host.lists[at]
	name := e.pick(editNames)
	taken := slices.ContainsFunc(items, func(it item) bool { return it[attr] == name })
	switch {
	case len(items) > 0 && e.rand.IntN(2) == 0:
		e.story.host.lists[at] = slices.Delete(items, 0, 1)
	case !taken:
		e.story.host.next++
		e.story.host.lists[at] = append(items, item{"id": e.story.host.next, attr: name})
	}
}

func (e *estate) pick(list []string) string { return list[e.rand.IntN(len(list))] }

// text is the configuration in HCL.
func (e *estate) text() string {
	var out strings.Builder
	out.WriteString("hew {\n  guards {\n    max_deletes = 1000\n    allow_empty = true\n    min_owners = 0\n  }\n}\n")
	for _, label := range slices.Sorted(maps.Keys(e.blocks)) {
		b := e.blocks[label]
		name, attr, repeat := fmt.Sprintf("%q", b.names[0]), "", ""
		attrs := make([]string, len(b.names))
		for i, n := range b.names {
			attrs[i] = fmt.Sprintf("%q = %q", n, b.attr[n])
		}
		switch b.style {
		case "count":
			repeat, name = fmt.Sprintf("  count = length(%q)\n", b.names), fmt.Sprintf("%q[count.index]", b.names)
		case "for_each":
			repeat, name = fmt.Sprintf("  for_each = toset(%q)\n", b.names), "each.value"
		}
		fix := func(s string) string { return strings.ReplaceAll(s, "\" \"", "\", \"") }
		attr = fmt.Sprintf("lookup({ %s }, %s, \"\")",
			strings.Join(slices.Compact(slices.Sorted(slices.Values(attrs))), ", "),
			fix(name))
		body := strings.NewReplacer("${NAME}", "${"+fix(name)+"}", "NAME", fix(name), "ATTR", attr).Replace(
			editKinds[b.kind],
		)
		fmt.Fprintf(&out,
			"resource %q %q {\n%s  %s\n  lifecycle { allow = [\"unmarked-rename\", \"adopted-delete\"] }\n}\n",
			b.kind, b.label, fix(repeat), body)
	}
	return out.String()
}

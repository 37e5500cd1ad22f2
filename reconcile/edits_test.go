package reconcile_test

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"hew/reconcile"
	"hew/reconcile/edits"
	"hew/reconcile/plan"
)

var editSeeds = flag.Int("edit-seeds", 150, "how many random configurations are edited at random")

// TestRandomEdits edits random configurations at random, and the host by hand. A plan without
// errors applies in one run, and the next plan is empty. What a block declares before and after an
// edit keeps its id, and is not written unless it was edited.
func TestRandomEdits(t *testing.T) {
	t.Parallel()
	applied := 0
	for seed := range *editSeeds {
		e := newEdited(t, uint64(seed))
		last := e.config.Clone()
		for range 8 {
			if e.apply(last) {
				last = e.config.Clone()
				applied++
			} else {
				e.config = last.Clone() // it has errors: try another edit
			}
			for range 1 + e.config.Rand.IntN(2) {
				e.config.Edit()
			}
			switch n := e.config.Rand.IntN(8); {
			case n == 0:
				e.meddle()
			case n < 5:
				e.rename()
			}
		}
	}
	require.Greater(t, applied, 2**editSeeds, "hardly any edit was applied")
}

// edited is a configuration that is edited at random, and the host that it is applied to.
type edited struct {
	*story
	seed    uint64
	config  *edits.Config
	meddled bool              // since the last apply
	renamed map[string]string // ids of objects renamed by hand since the last apply, by kind and name
}

var (
	editKinds = []edits.Kind{
		{Name: "label", Body: "project = \"acme/api\"\n  name = NAME\n  color = ATTR"},
		{Name: "branch", Body: "project = \"acme/api\"\n  name = NAME"},
		{Name: "variable", Body: "project = \"acme/api\"\n  key = NAME\n  value = ATTR"},
		{Name: "project_hook", Body: "project = \"acme/api\"\n  url = \"https://${NAME}.example\"\n" +
			"  push_events = ATTR == \"x\""},
		{Name: "group", Body: "parent = \"acme\"\n  path = NAME\n  description = ATTR"},
		{Name: "project", Body: "namespace = \"acme\"\n  path = NAME\n  description = ATTR"},
		{Name: "group_member", Body: "group = \"acme\"\n  user = NAME\n" +
			"  access_level = lookup({ x = \"developer\", y = \"maintainer\", z = \"guest\" }, ATTR, 30)"},
	}
	// editLists are where their objects are on the host, with the attribute that has the name.
	editLists = map[string][2]string{
		"projects/5/labels": {"label", "name"}, "projects/5/branches": {"branch", "name"},
		"projects/5/variables": {"variable", "key"}, "projects/5/hooks": {"project_hook", "url"},
		"groups/1/subgroups": {"group", "path"}, "groups/1/projects": {"project", "path"},
		"groups/1/members": {"group_member", "user"},
	}
	editNames = []string{"alice", "bob", "carol", "dora", "erin", "frank"}
)

func newEdited(t *testing.T, seed uint64) *edited {
	live := `{"lists": {"groups": [{"id": 1, "path": "acme", "full_path": "acme"}], "groups/1/subgroups": [],
		"groups/1/projects": [{"id": 5, "path": "api", "path_with_namespace": "acme/api"}], "groups/1/members": [],
		"projects/5/labels": [], "projects/5/branches": [], "projects/5/hooks": [], "projects/5/variables": []},
		"users": {"alice": 7, "bob": 8, "carol": 9, "dora": 10, "erin": 11, "frank": 12}}`
	s := newStory(t, &txtar.Archive{Files: []txtar.File{{Name: "live.json", Data: []byte(live)}, {}}})
	e := &edited{story: s, seed: seed, config: edits.New(seed, editKinds, editNames)}
	s.host.softly = seed%2 == 0
	return e
}

// apply plans and applies the configuration. It returns false if that has errors. last is what was
// applied before.
func (e *edited) apply(last *edits.Config) bool {
	text := e.config.String()
	e.ar.Files[1] = txtar.File{Name: "config.hcl", Data: []byte(text)}
	ids := e.ids()
	maps.Copy(ids, e.renamed)
	p := e.planned(reconcile.Options{}, false)
	if p == nil || len(p.Blocked) > 0 || !p.Applyable {
		return false
	}
	e.out.Reset()
	e.run(reconcile.Options{}, true)
	told := fmt.Sprintf("seed %d\n%s\n%s", e.seed, text, e.out.String())
	require.NotContains(e.t, told, "failed:", told)
	require.NotContains(e.t, told, "skipped:", told)
	next := e.planned(reconcile.Options{}, false)
	require.NotNil(e.t, next, told)
	require.Empty(e.t, next.Blocked, told)
	for _, c := range next.Changes {
		require.Equal(e.t, plan.NoOp, c.Action, "the next plan has %s\n%s", c.Addr, told)
	}
	now, kept := e.ids(), e.config.Kept(last)
	if e.meddled { // an object deleted and created again is another one
		kept, e.meddled = nil, false
	}
	for _, k := range kept {
		id, is := ids[k.Kind+" "+k.Name], now[k.Kind+" "+k.Name]
		if id == "" || id == "several" || is == "several" {
			continue
		}
		require.Equal(e.t, id, is, "%s %s is another one\n%s", k.Kind, k.Name, told)
		by := e.renamed[k.Kind+" "+k.Name] != "" // the name comes back
		wrote := strings.Contains(told, fmt.Sprintf("wrote: update %s %s ", k.Kind, k.Name))
		require.False(e.t, k.Equal && !by && wrote, told)
	}
	e.renamed = nil
	return true
}

// ids returns the ids of the live objects by kind and name.
func (e *edited) ids() map[string]string {
	ids := map[string]string{}
	for list, kind := range editLists {
		for _, it := range e.host.lists[list] {
			name := strings.TrimSuffix(strings.TrimPrefix(fmt.Sprint(it[kind[1]]), "https://"), ".example")
			switch at := kind[0] + " " + name; {
			case it["state"] != nil: // marked for deletion
			case ids[at] != "":
				ids[at] = "several" // hooks can have one URL
			default:
				ids[at] = fmt.Sprint(it["id"])
			}
		}
	}
	return ids
}

// rename renames a label, group, project or hook by hand.
func (e *edited) rename() {
	lists := []string{"projects/5/labels", "projects/5/hooks", "groups/1/subgroups", "groups/1/projects"}
	lists = slices.DeleteFunc(lists, func(list string) bool { return len(e.host.lists[list]) == 0 })
	if len(lists) == 0 || e.meddled {
		return
	}
	list := e.config.Pick(lists)
	kind, items := editLists[list], e.host.lists[list]
	it := items[e.config.Rand.IntN(len(items))]
	name := strings.TrimSuffix(strings.TrimPrefix(fmt.Sprint(it[kind[1]]), "https://"), ".example")
	if !slices.Contains(editNames, name) || it["state"] != nil || e.ids()[kind[0]+" "+name] == "several" {
		return
	}
	if e.renamed == nil {
		e.renamed = map[string]string{}
	}
	e.renamed[kind[0]+" "+name] = fmt.Sprint(it["id"])
	for _, attr := range []string{"name", "path", "url", "full_path", "path_with_namespace"} {
		if text, ok := it[attr].(string); ok {
			it[attr] = strings.Replace(text, name, name+"-hand", 1)
		}
	}
}

// meddle changes labels and variables by hand.
func (e *edited) meddle() {
	e.meddled = true
	list := e.config.Pick([]string{"projects/5/labels", "projects/5/variables"})
	attr, items, name := editLists[list][1], e.host.lists[list], e.config.Pick(editNames)
	switch {
	case len(items) > 0 && e.config.Rand.IntN(2) == 0:
		e.host.lists[list] = slices.Delete(items, 0, 1)
	case !slices.ContainsFunc(items, func(it item) bool { return it[attr] == name }):
		e.host.next++
		e.host.lists[list] = append(items, item{"id": e.host.next, attr: name})
	}
}

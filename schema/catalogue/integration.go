package catalogue

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Integration is a service that a group or a project can be tied to (spec 3 §4.1, gaps §13.1).
type Integration struct {
	Slug       string
	Alias      string // its neutral name, if it has one
	Title      string
	Action     string // what hewd does for it: sends, build trigger, link only or refused
	Parameters []Parameter
	Flags      []Flag
}

// Elsewhere says that the integration is installed on a page of the host: it can be changed
// afterwards, and not made.
func (i Integration) Elsewhere() bool { return i.Slug == "gitlab-slack-application" }

// Spelled is the slug, or the neutral name if there is one.
func (i Integration) Spelled(neutral bool) string { return spelled(i.Slug, i.Alias, neutral) }

// Parameter finds a parameter by either of its names.
func (i Integration) Parameter(name string) (Parameter, bool) {
	n := slices.IndexFunc(i.Parameters,
		func(p Parameter) bool { return p.Name == name || p.Alias == name && name != "" })
	if n < 0 {
		return Parameter{}, false
	}
	return i.Parameters[n], true
}

// Has reports whether the events of the flag can trigger it.
func (i Integration) Has(flag string) bool {
	return slices.ContainsFunc(i.Flags, func(f Flag) bool { return f.Name == flag })
}

// Missing are the parameters that it cannot be without and that have no value among these.
func (i Integration) Missing(values map[string]any) (names []string) {
	for _, p := range i.Parameters {
		if p.Required && blank(values[p.Name]) {
			names = append(names, p.Name)
		}
	}
	return names
}

func spelled(name, alias string, neutral bool) string {
	if neutral && alias != "" {
		return alias
	}
	return name
}

//go:embed integrations.tsv
var integrationsTable string

type integrationsIndex struct {
	list   []Integration
	bySlug map[string]int
}

var integrations = sync.OnceValue(func() integrationsIndex {
	x := integrationsIndex{bySlug: map[string]int{}}
	sets := map[string]row{} // rows that stand for several columns of others
	for r := range rows(integrationsTable) {
		if strings.HasPrefix(r.at("slug"), "@") {
			sets[r.at("slug")] = r
			continue
		}
		i := Integration{Slug: r.at("slug"), Alias: r.at("alias"), Title: r.at("title"), Action: r.at("action")}
		for _, name := range members(r, "parameters", sets) {
			name, required := strings.CutSuffix(name, "!")
			i.Parameters = append(i.Parameters, parameterOf(i.Slug, name, required))
		}
		for _, name := range members(r, "flags", sets) {
			i.Flags = append(i.Flags, flagOf(name))
		}
		for _, name := range []string{i.Slug, i.Alias} {
			if name != "" {
				x.bySlug[name] = len(x.list)
			}
		}
		x.list = append(x.list, i)
	}
	return x
})

// members are the names in a column, with those of a set in its place.
func members(r row, column string, sets map[string]row) (names []string) {
	for _, name := range strings.Fields(r.at(column)) {
		if set, ok := sets[name]; ok {
			names = append(names, members(set, column, nil)...)
		} else {
			names = append(names, name)
		}
	}
	return names
}

// Integrations are all of them, in the order of their slugs. The list is the caller's; what is in
// it is not to be changed.
func Integrations() []Integration { return slices.Clone(integrations().list) }

// IntegrationBySlug finds an integration by its slug or its neutral name.
func IntegrationBySlug(slug string) (Integration, bool) {
	x := integrations()
	i, ok := x.bySlug[slug]
	if !ok {
		return Integration{}, false
	}
	return x.list[i], true
}

// Slugs are the names that an integration can be asked for by, neutral ones included, in order.
func Slugs() (names []string) {
	for name := range integrations().bySlug {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Flag is an event that triggers an integration, or something that the integration does about
// events, unless it is switched off.
type Flag struct {
	Name    string // push_events
	Alias   string // another name of it in requests
	Default bool
	Doc     string
}

// flags are all there are (spec 3 §2.1, gaps §13.1).
var flags = []Flag{
	{"alert_events", "", false, "Whether alerts trigger it."},
	{"comment_on_event_enabled", "", true, "Whether events add comments to the linked issues."},
	{"commit_events", "", true, "Whether commits that mention one of its issues trigger it."},
	{"confidential_issues_events", "", true, "Whether confidential issues trigger it."},
	{"confidential_note_events", "", true, "Whether internal comments and comments on confidential issues trigger it."},
	{"confidential_work_item_events", "", true, "Whether confidential work items trigger it."},
	{"deployment_events", "", false, "Whether deployments trigger it."},
	{"incident_events", "", false, "Whether incidents trigger it."},
	{"issues_events", "", true, "Whether issues trigger it."},
	{"job_events", "build_events", true, "Whether jobs trigger it."},
	{"merge_requests_events", "", true, "Whether merge requests trigger it."},
	{"note_events", "", true, "Whether comments trigger it."},
	{"pipeline_events", "", true, "Whether pipelines trigger it."},
	{"project_events", "", false, "Whether creating and deleting projects triggers it."},
	{"push_events", "", true, "Whether pushes to branches trigger it."},
	{"subgroup_events", "", false, "Whether creating and deleting subgroups triggers it."},
	{"tag_push_events", "", true, "Whether creating and deleting tags triggers it."},
	{"vulnerability_events", "", false, "Whether vulnerabilities trigger it."},
	{"wiki_page_events", "", true, "Whether wiki pages trigger it."},
	{"work_item_events", "", true, "Whether work items trigger it."},
}

// Flags are all flags of integrations, by name.
func Flags() []Flag { return slices.Clone(flags) }

// flagOf finds a flag by its name in the table, which leaves out what almost all of them end in.
func flagOf(short string) Flag {
	i := slices.IndexFunc(flags, func(f Flag) bool { return f.Name == short || f.Name == short+"_events" })
	if i < 0 {
		panic(fmt.Sprintf("catalogue: there is no flag %q", short))
	}
	return flags[i]
}

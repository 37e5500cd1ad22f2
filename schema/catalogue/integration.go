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

// Has says whether it can be told of what the flag stands for.
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
		i := Integration{Slug: r.at("slug"), Alias: r.at("alias"), Title: r.at("title")}
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

// Flag is something that an integration is told of, or does about it, unless it is switched off.
type Flag struct {
	Name    string // push_events
	Alias   string // another name of it in requests
	Default bool
	Doc     string
}

// flags are all there are (spec 3 §2.1, gaps §13.1).
var flags = []Flag{
	{"alert_events", "", false, "It is told of alerts."},
	{"comment_on_event_enabled", "", true, "Events are commented on there."},
	{"commit_events", "", true, "It is told of commits that name an issue of its."},
	{"confidential_issues_events", "", true, "It is told of confidential issues."},
	{"confidential_note_events", "", true, "It is told of internal comments, and those on confidential issues."},
	{"confidential_work_item_events", "", true, "It is told of confidential work items."},
	{"deployment_events", "", false, "It is told of deployments."},
	{"incident_events", "", false, "It is told of incidents."},
	{"issues_events", "", true, "It is told of issues."},
	{"job_events", "build_events", true, "It is told of jobs."},
	{"merge_requests_events", "", true, "It is told of merge requests."},
	{"note_events", "", true, "It is told of comments."},
	{"pipeline_events", "", true, "It is told of pipelines."},
	{"project_events", "", false, "It is told of projects made and deleted."},
	{"push_events", "", true, "It is told of pushes to branches."},
	{"subgroup_events", "", false, "It is told of subgroups made and deleted."},
	{"tag_push_events", "", true, "It is told of tags made and deleted."},
	{"vulnerability_events", "", false, "It is told of vulnerabilities."},
	{"wiki_page_events", "", true, "It is told of wiki pages."},
	{"work_item_events", "", true, "It is told of work items."},
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

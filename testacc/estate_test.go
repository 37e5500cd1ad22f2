package testacc

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// estate is what a benchmark manages: a group with ten teams in it, their members, and their
// projects, twenty of which have hooks. It is declared in one of two forms, which mean the same.
type estate struct {
	path                     string // of the group that holds all of it
	members, projects, hooks int    // of each team; of all; of each project that has any
}

const (
	teams  = 10
	hooked = 20
	page   = 100
	levels = 4 // the group, a team, a project, a hook
)

// newEstate is an estate of n objects: three in ten are members, two are hooks, the rest are
// projects.
func newEstate(path string, n int) estate {
	e := estate{path: path, members: n * 3 / 10 / teams, hooks: n * 2 / 10 / hooked}
	e.projects = n - 1 - teams - e.members*teams - e.hooks*hooked
	return e
}

// requests is how many a plan may take: the pages of the declared collections, a round for each
// level, and twenty.
func (e estate) requests() int {
	pages := func(n int) int { return (n + page - 1) / page }
	sum := pages(teams) + teams*pages(e.members+1) + hooked*pages(e.hooks) // the creator of a team is a member, too
	for team := range teams {
		sum += pages((e.projects - team + teams - 1) / teams)
	}
	return sum + levels + 20
}

// form is a way to declare an estate: as files by name.
type form struct {
	name  string
	files func(estate) map[string]string
}

var forms = []form{{"blocks", estate.blocks}, {"for_each", estate.each}}

const hookToken = `variable "token" {
  default   = "of the hooks"
  sensitive = true
}
`

// blocks declares every object by a block of its own, a file for each team's and each project's.
func (e estate) blocks() map[string]string {
	files := map[string]*strings.Builder{}
	file := func(name string, args ...any) *strings.Builder {
		name = fmt.Sprintf(name, args...)
		if files[name] == nil {
			files[name] = &strings.Builder{}
		}
		return files[name]
	}
	groups := file("groups.hcl")
	fmt.Fprintf(groups, "%s\nresource \"group\" \"all\" {\n  path = %q\n}\n", hookToken, e.path)
	for team := range teams {
		fmt.Fprintf(groups, `
resource "group" "t%[1]d" {
  path       = "t%[1]d"
  parent     = group.all.id
  visibility = "private"
}
`, team)
		for member := range e.members {
			fmt.Fprintf(file("members%d.hcl", team), `
resource "group_member" "t%[1]d_u%04[2]d" {
  group        = group.t%[1]d.id
  user         = "u%04[2]d"
  access_level = "developer"
}
`, team, member)
		}
	}
	for project := range e.projects {
		fmt.Fprintf(file("projects%d.hcl", project%teams), `
resource "project" "p%04[1]d" {
  namespace    = group.t%[2]d.id
  path         = "p%04[1]d"
  description  = "Service %[1]d of team %[2]d"
  visibility   = "private"
  merge_method = "ff"

  only_allow_merge_if_pipeline_succeeds = true
}
`, project, project%teams)
	}
	for project := range hooked {
		for hook := range e.hooks {
			fmt.Fprintf(file("hooks%d.hcl", project), `
resource "project_hook" "p%04[1]d_h%03[2]d" {
  project         = project.p%04[1]d.id
  url             = "https://ci.example.com/hooks/%03[2]d"
  token           = var.token
  push_events     = true
  tag_push_events = false
}
`, project, hook)
		}
	}
	texts := map[string]string{}
	for name, text := range files {
		texts[name] = text.String()
	}
	return texts
}

// each declares the same by five blocks over lists of names, as they come from an inventory.
func (e estate) each() map[string]string {
	return map[string]string{"people.json": list("u%04d", e.members), "services.json": list("p%04d", e.projects),
		"main.hcl": fmt.Sprintf(`%s
locals {
  teams    = [for i in range(%d) : "t${i}"]
  people   = jsondecode(file("people.json"))
  services = { for i, name in jsondecode(file("services.json")) : name => local.teams[i %% length(local.teams)] }
  hooked   = slice(keys(local.services), 0, %d)
}

resource "group" "all" {
  path = %q
}

resource "group" "team" {
  for_each   = toset(local.teams)
  path       = each.key
  parent     = group.all.id
  visibility = "private"
}

resource "group_member" "team" {
  for_each     = { for pair in setproduct(local.teams, local.people) : join("/", pair) => pair }
  group        = group.team[each.value[0]].id
  user         = each.value[1]
  access_level = "developer"
}

resource "project" "service" {
  for_each     = local.services
  namespace    = group.team[each.value].id
  path         = each.key
  description  = "Service ${each.key} of team ${each.value}"
  visibility   = "private"
  merge_method = "ff"

  only_allow_merge_if_pipeline_succeeds = true
}

resource "project_hook" "ci" {
  for_each        = { for pair in setproduct(local.hooked, range(%d)) : "${pair[0]}/${pair[1]}" => pair }
  project         = project.service[each.value[0]].id
  url             = "https://ci.example.com/hooks/${each.value[1]}"
  token           = var.token
  push_events     = true
  tag_push_events = false
}
`, hookToken, teams, hooked, e.path, e.hooks)}
}

// roster declares a group and its members in one block.
func roster(path string, members int) map[string]string {
	return map[string]string{"people.json": list("u%04d", members), "main.hcl": fmt.Sprintf(`
resource "group" "all" {
  path = %q
}

resource "group_members" "all" {
  group   = group.all.id
  members = { for name in jsondecode(file("people.json")) : name => { access_level = "developer" } }
}
`, path)}
}

// crew declares the same by a block for each member.
func crew(path string, members int) map[string]string {
	return map[string]string{"people.json": list("u%04d", members), "main.hcl": fmt.Sprintf(`
resource "group" "all" {
  path = %q
}

resource "group_member" "all" {
  for_each     = toset(jsondecode(file("people.json")))
  group        = group.all.id
  user         = each.key
  access_level = "developer"
}
`, path)}
}

func list(format string, n int) string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("%q", fmt.Sprintf(format, i))
	}
	return "[" + strings.Join(names, ",\n") + "]\n"
}

// write puts files into a directory that ends with the test.
func write(t testing.TB, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

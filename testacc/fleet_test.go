package testacc

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A fleet is projects that are all set up alike, by eight kinds each: what most tools read setting
// by setting, project by project. The bars are those of P10, where a peer takes 130 s, 3,219
// requests, and 600 writes of what was there already.
const (
	fleetDistance = 30 * time.Millisecond
	fleetReads    = 8 // a project
	fleetSeconds  = 6 // for 200 of them
)

// The bars of a host that grants so many requests a minute; a peer takes 107 s.
const (
	granted        = 600
	grantedMembers = 700
	grantedSeconds = 2
)

// fleet declares n projects of a group.
func fleet(path string, n int) map[string]string {
	return map[string]string{"services.json": list("p%04d", n), "main.hcl": fmt.Sprintf(`%s
locals {
  services = toset(jsondecode(file("services.json")))
}

resource "group" "all" {
  path = %q
}

resource "project" "service" {
  for_each     = local.services
  namespace    = group.all.id
  path         = each.key
  description  = "Service ${each.key}"
  merge_method = "ff"
}

resource "project_hook" "ci" {
  for_each    = project.service
  project     = each.value.id
  url         = "https://ci.example.com/${each.key}"
  token       = var.token
  push_events = true
}

resource "project_push_rule" "service" {
  for_each          = project.service
  project           = each.value.id
  branch_name_regex = "^(main|(feature|hotfix)/.+)$"
  deny_delete_tag   = true
}

resource "protected_branch" "main" {
  for_each           = project.service
  project            = each.value.id
  name               = "main"
  push_access_level  = "no_access"
  merge_access_level = "developer"
}

resource "project_approval_rule" "owners" {
  for_each           = project.service
  project            = each.value.id
  name               = "Owners"
  approvals_required = 1
  groups             = [group.all.id]
  protected_branches = [protected_branch.main[each.key].id]
}

resource "project_approval_settings" "service" {
  for_each                       = project.service
  project                        = each.value.id
  reset_approvals_on_push        = true
  merge_requests_author_approval = false
}

resource "project_label" "urgent" {
  for_each = project.service
  project  = each.value.id
  name     = "urgent"
  color    = "#d9534f"
}

resource "project_variable" "service" {
  for_each = project.service
  project  = each.value.id
  key      = "SERVICE"
  value    = each.key
}
`, hookToken, path)}
}

// TestFleetUnchanged holds the counts of P10 on a few projects; seconds are for the benchmark.
func TestFleetUnchanged(t *testing.T) {
	t.Parallel()
	const n = 10
	r := newRig(t)
	dir := write(t, fleet("fleet", n))
	r.hew(t, dir, "apply", "-auto-approve", "-compact")
	u := r.unchanged(t, dir, 1)
	require.Len(t, u.ofProjects(), n)
	for project, reads := range u.ofProjects() {
		require.LessOrEqual(t, reads, fleetReads, "project %s; all reads:\n%s", project, u.reads())
	}
	require.LessOrEqual(t, len(u.asked), fleetReads*n, "all reads:\n%s", u.reads())
}

// fleet measures the plan of a fleet in which nothing is to be changed. A first plan, of hewd
// itself, is not measured; after it the proxy repeats hewd's answers. On one machine hewd and
// Postgres take three times the CPU that hew does, and the bar is hew's.
func (r *rig) fleet(b *testing.B, t *table) {
	const n = 200
	dir := write(b, fleet(fmt.Sprint("fleet-", b.N), n))
	r.move(0)
	r.hew(b, dir, "apply", "-auto-approve", "-compact")
	r.proxy.recalls.Store(true)
	defer r.proxy.recalls.Store(false)
	r.unchanged(b, dir, 1)
	r.move(fleetDistance)
	b.ResetTimer()
	best := r.unchanged(b, dir, max(3, b.N))
	b.StopTimer()
	name := fmt.Sprintf("plan %d projects of eight kinds", n)
	t.row(name, 8*n, best, fleetReads*n)
	t.bar(b, name+": reads a project", float64(len(best.asked))/n, fleetReads)
	t.bar(b, name+": reads of one project", float64(slices.Max(slices.Collect(maps.Values(best.ofProjects())))),
		fleetReads)
	t.bar(b, name+": seconds", best.seconds, fleetSeconds)
	b.Logf("all reads:\n%s", best.reads())
}

// granted measures the plan of members on a host that grants fewer requests a minute than there
// are.
func (r *rig) granted(b *testing.B, t *table) {
	dir := write(b, crew(fmt.Sprint("crew-", b.N), grantedMembers))
	r.move(0)
	r.hew(b, dir, "apply", "-auto-approve", "-compact")
	r.move(distance)
	r.proxy.limit.set(granted)
	defer r.proxy.limit.set(0)
	b.ResetTimer()
	best := r.unchanged(b, dir, max(3, b.N))
	b.StopTimer()
	name := fmt.Sprintf("plan %d members at %d requests a minute", grantedMembers, granted)
	t.row(name, grantedMembers, best, granted)
	t.bar(b, name+": seconds", best.seconds, grantedSeconds)
}

var number = regexp.MustCompile(`\d+`)

// reads counts what was read, by its path, whichever object it is of.
func (u run) reads() string {
	times := map[string]int{}
	for _, r := range u.asked {
		times[number.ReplaceAllString(r.Path, "ID")]++
	}
	var out strings.Builder
	for _, path := range slices.Sorted(maps.Keys(times)) {
		fmt.Fprintf(&out, "%6d %s\n", times[path], path)
	}
	return out.String()
}

var ofProject = regexp.MustCompile(`^/projects/([^/]+)`)

// ofProjects counts what was read of each project.
func (u run) ofProjects() map[string]int {
	times := map[string]int{}
	for _, r := range u.asked {
		if project := ofProject.FindStringSubmatch(r.Path); project != nil {
			times[project[1]]++
		}
	}
	return times
}

package testacc

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The bars of hew pull: a request for each list and for each hundred of it, beside what a list is
// asked of its owner where there is none; and memory for some projects at a time, whatever their
// number.
const (
	pulledProjects = 2000
	pulledReads    = 4  // of each, by the kinds below
	pulledMiB      = 80 // at the peak, for all of them
	fleetPulled    = 24 // reads of a project, by every kind that there is
)

// pulledKinds are enough to have many requests and blocks.
var pulledKinds = []string{"group", "group_members", "project", "project_members", "project_hook", "protected_branch"}

// pull measures the pull of many projects, and of a fleet by all kinds. The host is near: hewd has
// no more CPU than this.
func (r *rig) pull(b *testing.B, t *table) {
	r.move(0)
	dir := write(b, map[string]string{"main.hcl": fmt.Sprintf(`resource "group" "all" {
  path = "pulled-%[1]d"
}

resource "project" "all" {
  for_each  = toset([for i in range(%[2]d) : format("p%%04d", i)])
  namespace = group.all.id
  path      = each.key
}
`, b.N, pulledProjects)})
	r.hew(b, dir, "apply", "-auto-approve", "-compact")
	b.ResetTimer()
	u := r.hew(b, dir, "pull", fmt.Sprint("group/pulled-", b.N), "-out="+filepath.Join(b.TempDir(), "out"),
		"-kinds="+strings.Join(pulledKinds, ","))
	b.StopTimer()
	if want := fmt.Sprintf("%d blocks", pulledProjects+2); !strings.Contains(u.said, want) {
		b.Fatalf("hew does not say %q but:\n%s", want, tail(u.said))
	}
	most := pulledProjects*pulledReads + pulledProjects/100 + 20
	name := fmt.Sprintf("pull %d projects by %d kinds", pulledProjects, len(pulledKinds))
	t.row(name, pulledProjects, u, most)
	t.bar(b, name+": requests", float64(len(u.asked)), float64(most))
	t.bar(b, name+": MiB", u.mib, pulledMiB)
	r.pullFleet(b, t)
}

// pullFleet pulls projects that have something of eight kinds, by all kinds.
func (r *rig) pullFleet(b *testing.B, t *table) {
	const n = 100
	dir := write(b, fleet(fmt.Sprint("pulled-fleet-", b.N), n))
	r.hew(b, dir, "apply", "-auto-approve", "-compact")
	u := r.hew(b, dir, "pull", fmt.Sprint("group/pulled-fleet-", b.N), "-out="+filepath.Join(b.TempDir(), "fleet"))
	var reads []int
	for _, times := range u.ofProjects() {
		reads = append(reads, times)
	}
	name := fmt.Sprintf("pull %d projects by all kinds", n)
	t.row(name, n, u, n*fleetPulled)
	t.bar(b, name+": reads of one project", float64(slices.Max(reads)), fleetPulled)
	b.Logf("all reads:\n%s", u.reads())
}

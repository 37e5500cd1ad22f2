package api_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server/servertest"
)

var (
	roundSeeds = flag.Int("round-seeds", 3, "how many random projects TestRoundTripOfRandomProjects moves")
	roundSteps = flag.Int("round-steps", 40, "how many things each of them has")
	roundSeed  = flag.Uint64("round-seed", 1, "the first seed")
)

// A project that was made at random through the API is exported, imported and exported again, and
// the exports are equal.
func TestRoundTripOfRandomProjects(t *testing.T) {
	t.Parallel()
	for n := range *roundSeeds {
		seed := *roundSeed + uint64(n)
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			r := newRandomProject(t, seed)
			for range *roundSteps {
				step := randomSteps[r.random.IntN(len(randomSteps))]
				step(r)
			}
			r.s.Drain(t)
			r.introduce()
			was := r.export(r.s.RootToken, r.id)
			for name, text := range was {
				if strings.HasSuffix(name, ".ndjson") {
					t.Logf("%s: %d documents, %d bytes", name, strings.Count(text, "\n"), len(text))
				}
			}
			copied, now := r.again(was, map[string]string{"path": "copy", "namespace": r.group})
			requireSame(t, was, now)
			r.s.Drain(t)
			r.requireSameAnswers(copied.ID)
		})
	}
}

// randomProject makes a project at random. It knows what it has made so far.
type randomProject struct {
	importer
	random *rand.Rand
	people []servertest.Persona // maintainers
	id     int64
	group  string

	files, labels, issues, requests, tags, commits []string
	milestones                                     []int64
	epics                                          []int64
	n                                              int // the next name
}

// newRandomProject makes a project in a group that has a label, a milestone, an epic and an
// iteration of its own.
func newRandomProject(t *testing.T, seed uint64) *randomProject {
	r := &randomProject{importer: newImporter(t), random: rand.New(rand.NewPCG(seed, 0)), group: "space"}
	r.people = []servertest.Persona{{Token: r.s.RootToken}, r.user, r.s.User(t, "dave")}
	var g, p servertest.Made
	r.s.Do(t, r.s.RootToken, "POST", "/groups", map[string]any{"name": r.group, "path": r.group}).Into(t, &g)
	r.s.Do(t, r.s.RootToken, "POST", "/projects", map[string]any{"name": "Random", "path": "random",
		"namespace_id": g.ID, "initialize_with_readme": true, "description": r.text()}).Into(t, &p)
	r.id, r.files = p.ID, []string{"README.md"}
	for _, u := range r.people[1:] {
		r.must("POST", "/members", map[string]any{"user_id": u.ID, "access_level": 40})
	}
	inGroup := func(path string, body map[string]any) int64 {
		var made servertest.Made
		r.s.Do(t, r.s.RootToken, "POST", fmt.Sprintf("/groups/%d%s", g.ID, path), body).Into(t, &made)
		return made.ID
	}
	inGroup("/labels", map[string]any{"name": "shared", "color": "#112233"})
	r.labels = []string{"shared"}
	r.milestones = []int64{inGroup("/milestones", map[string]any{"title": "Of the group"})}
	r.epics = []int64{inGroup("/epics", map[string]any{"title": "An epic"})}
	r.addLabel()
	r.addMilestone()
	r.addCommit()
	r.addIssue()
	r.addRequest()
	return r
}

// send sends a request about the project as one of its people.
func (r *randomProject) send(method, path string, body any) servertest.Reply {
	r.Helper()
	return r.s.Do(r, pickOne(r, r.people).Token, method, fmt.Sprintf("/projects/%d%s", r.id, path), body)
}

// must is send for a request that has to succeed, and returns the id or iid and more of what it
// made.
func (r *randomProject) must(method, path string, body any) (made madeThing) {
	r.Helper()
	reply := r.s.Do(r, r.s.RootToken, method, fmt.Sprintf("/projects/%d%s", r.id, path), body)
	require.Less(r, reply.Status, 300, "%s %s %v: %s", method, path, body, reply.Body)
	if len(reply.Body) > 0 && reply.Body[0] == '{' {
		reply.Into(r, &made)
	}
	return made
}

// by is must for one of the people at random.
func (r *randomProject) by(method, path string, body any) (made madeThing) {
	r.Helper()
	reply := r.send(method, path, body)
	require.Less(r, reply.Status, 300, "%s %s %v: %s", method, path, body, reply.Body)
	if len(reply.Body) > 0 && reply.Body[0] == '{' {
		reply.Into(r, &made)
	}
	return made
}

// madeThing is what tests read of what they have made. Ids of commits and threads are texts.
type madeThing struct {
	ID       any    `json:"id"`
	IID      int    `json:"iid"`
	SHA      string `json:"sha"`
	Markdown string `json:"markdown"`
	Notes    []struct{ ID int64 }
	DiffRefs struct {
		Base  string `json:"base_sha"`
		Start string `json:"start_sha"`
		Head  string `json:"head_sha"`
	} `json:"diff_refs"`
}

func (m madeThing) number() int64 { return int64(m.ID.(float64)) }

func pickOne[T any](r *randomProject, list []T) T { return list[r.random.IntN(len(list))] }

// maybe reports true once in so many times.
func (r *randomProject) maybe(n int) bool { return r.random.IntN(n) == 0 }

// name returns another name each time.
func (r *randomProject) name(kind string) string {
	r.n++
	return fmt.Sprintf("%s %d", kind, r.n)
}

// texts are parts of texts: what Markdown, JSON, SQL and tar treat in ways of their own.
var texts = []string{
	"plain", "**bold** <b>html</b>", "Größe 日本 😀", `"quotes" \ 'and' \n`, "- [ ] task\n- [x] done", "line\n\n\nline",
	"```go\nfunc main() {}\n```", "'); drop table issues; --", "trailing  ", "&amp; <script>", "thanks @dave and `@carol`", "#1 and !1", "Closes #1 and #2.", "`fixes #3`", "tab\there",
}

// text returns a text of one to three parts.
func (r *randomProject) text() string {
	var parts []string
	for range 1 + r.random.IntN(3) {
		parts = append(parts, pickOne(r, texts))
	}
	return strings.Join(parts, "\n\n")
}

// day returns a day.
func (r *randomProject) day() string {
	return fmt.Sprintf("2027-%02d-%02d", 1+r.random.IntN(12), 1+r.random.IntN(28))
}

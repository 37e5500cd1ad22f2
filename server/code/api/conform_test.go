package api_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hew/server/git/gittest"
	"hew/server/servertest"
)

var (
	operations = flag.Int("ops", 40, "how many operations each seed of TestConformance makes")
	opSeeds    = flag.Int("op-seeds", 1, "how many seeds TestConformance is run with")
	firstSeed  = flag.Uint64("op-seed", 1, "the first of them")
)

// checkEvery is after how many operations TestConformance compares the server with git.
const checkEvery = 8

// TestConformance makes random operations by the API and by git clients, and compares what the API
// answers with what git says of a clone. If they differ it makes the same operations once more and
// compares after each of them, so that the last one in the log is the cause.
func TestConformance(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	alice := s.User(t, "conformalice")
	for seed := *firstSeed; seed < *firstSeed+uint64(*opSeeds); seed++ {
		done := 0
		run := func(name string, most, every int) bool {
			return t.Run(fmt.Sprint("seed=", seed, name), func(t *testing.T) {
				c := newConformance(t, s, alice, seed, name)
				defer func() {
					done = len(c.log)
					if t.Failed() {
						t.Logf("run it again: go test ./server/code/api -run TestConformance -op-seed %d -ops %d\n%s",
							seed, done, strings.Join(c.log[max(0, done-checkEvery):], "\n"))
					}
				}()
				for len(c.log) < most {
					c.step()
					if len(c.log)%every == 0 {
						c.check()
					}
				}
				c.end()
			})
		}
		if !run("", *operations, checkEvery) {
			run(" again", done, 1)
		}
	}
}

// conformance is a project that random operations are made in, and a clone of it that says what is
// right.
type conformance struct {
	host
	t      testing.TB
	random *rand.Rand
	clone  gittest.Repo
	remote string
	log    []string // a line for each operation
	done   map[string]int
	start  time.Time
}

func newConformance(t testing.TB, s *servertest.Server, user servertest.Persona, seed uint64, name string) *conformance {
	c := &conformance{
		t: t, host: host{t: t, s: s, user: user}, random: rand.New(rand.NewPCG(seed, 2)), clone: gittest.New(t),
		done: map[string]int{}, start: time.Now(),
	}
	s.Do(t, user.Token, "POST", "/projects", map[string]any{
		"name": fmt.Sprint("Seed ", seed, name), "path": fmt.Sprint("seed-", seed, strings.TrimSpace(name)),
		"visibility": "private",
	}).Into(t, &c.project)
	c.remote = c.address(user.Token)
	require.True(t, c.commitWire("main", nil, 3))
	c.fetch()
	return c
}

// An operation reports whether the server did what it was asked for.
type operation struct {
	name   string
	weight int
	do     func(c *conformance) (what string, ok bool)
}

var conformOperations = []operation{
	{"commit by the API", 8, (*conformance).apiCommit},
	{"large commit by the API", 1, (*conformance).apiLargeCommit},
	{"file by the API", 4, (*conformance).apiFile},
	{"branch by the API", 2, (*conformance).apiBranch},
	{"tag by the API", 2, (*conformance).apiTag},
	{"delete by the API", 2, (*conformance).apiDelete},
	{"pick by the API", 4, (*conformance).apiPick},
	{"repack", 1, (*conformance).repack},
	{"push of commits", 6, (*conformance).pushCommits},
	{"push of a merge", 4, (*conformance).pushMerge},
	{"push of a root", 1, (*conformance).pushRoot},
	{"push of many files", 1, (*conformance).pushManyFiles},
	{"force push", 2, (*conformance).pushForce},
	{"push of a tag", 2, (*conformance).pushTag},
	{"push of a deletion", 2, (*conformance).pushDelete},
}

// step makes one operation.
func (c *conformance) step() {
	c.t.Helper()
	sum := 0
	for _, o := range conformOperations {
		sum += o.weight
	}
	n := c.random.IntN(sum)
	for _, o := range conformOperations {
		if n -= o.weight; n < 0 {
			c.log = append(c.log, fmt.Sprintf("%3d %s", len(c.log)+1, o.name))
			what, ok := o.do(c)
			c.log[len(c.log)-1] += fmt.Sprintf(": %s: %t", what, ok)
			if ok {
				c.done[o.name]++
			}
			return
		}
	}
}

// end compares everything once more, with a fresh clone that git has checked.
func (c *conformance) end() {
	c.t.Helper()
	c.check()
	dir := filepath.Join(c.t.TempDir(), "fresh")
	gittest.ClientIn(c.t, ".").Git("clone", "-q", "--mirror", c.remote, dir)
	out := gittest.ClientIn(c.t, dir).Git("fsck", "--strict")
	require.NotContains(c.t, out, "error")
	require.Equal(c.t, gittest.ClientIn(c.t, c.clone.Dir).Git("show-ref", "--head", "--heads", "--tags"),
		gittest.ClientIn(c.t, dir).Git("show-ref", "--head", "--heads", "--tags"))
	c.t.Logf("%d operations: %v", len(c.log), c.done)
	if len(c.log) >= 500 {
		for _, o := range conformOperations {
			require.NotZero(c.t, c.done[o.name], "no %s succeeded", o.name)
		}
	}
}

// pick returns one of a list.
func pick[T any](c *conformance, list []T) T { return list[c.random.IntN(len(list))] }

var (
	branchNames = []string{
		"main", "topic", "feature/ü", "feature/b", "a.b", "x-1", "v1", "abcdef0", "UPPER", "日本",
		"release/1.0/rc", "100%", "a+b", "c#d", "@x", "q&a=1",
	}
	tagNames = []string{"v1", "v1.0", "v1.10", "v1.9-rc1", "release/2", "ü", "1", "t%2Ft", "main2"}
	paths    = []string{
		"README.md", "a", "a.b", "a-b", "a/b", "a/b/c", "a/b/c.go", "src/main.go", "src/main_test.go", "src/lib.py", "ä/ö",
		"sp ace/f i l e", "q\"uote", "日本/語.txt", "-x", "--help", "dir/-x", "*", "[a]", ":(top)x", "new\nline",
		"tab\there", "a\\b", "CON", "%2e", "%", "#", "?", "a&b=c", "e\u0301", "\u00e9", "HEAD", "0", "z/0", "z.0", "z0",
		".gitignore", ".gitattributes", "crlf.txt", "binary", "a/x.css", "web/index.html",
		"d/" + strings.Repeat("n", 200),
	}
	// oddPaths are those that only git clients can send.
	oddPaths = append([]string{"\xff", "latin\xe9/\xe8", "a/\xfe\xff.txt"}, paths...)
)

// text returns content that resembles other content, so that there are deltas and renames.
func (c *conformance) text() string {
	if c.random.IntN(15) == 0 {
		return pick(c, []string{
			"", "\n", "no line feed", "a\r\nb\r\n", "\x00binary\x01", "\xff\xfe latin \xe9\n", "\r",
		})
	}
	var b strings.Builder
	first, end := c.random.IntN(5), "\n"
	if c.random.IntN(8) == 0 {
		end = "\r\n"
	}
	for i := range 5 + c.random.IntN(20) {
		line := first*7 + i
		if c.random.IntN(10) == 0 {
			line = c.random.IntN(1000)
		}
		fmt.Fprintf(&b, "line %d%s", line, end)
	}
	return b.String()
}

func (c *conformance) refs(prefix string) []string {
	return c.clone.Lines("for-each-ref", "--format=%(refname)", prefix)
}

// fetch brings the clone up to date.
func (c *conformance) fetch() {
	c.t.Helper()
	c.clone.Git("", "fetch", "-q", "--prune", "--no-tags", c.remote,
		"+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
}

// push sends refs and reports whether the server took them. It may refuse, but not break.
func (c *conformance) push(args ...string) bool {
	c.t.Helper()
	_, err := c.clone.Try("", append([]string{"push", "-q", c.remote}, args...)...)
	if err != nil {
		require.Contains(c.t, err.Error(), "rejected", "%q", args)
		require.NotContains(c.t, err.Error(), "internal", "%q", args)
	}
	return err == nil
}

// quote writes a path as fast-import reads it.
func quote(path string) string {
	var b strings.Builder
	for _, c := range []byte(path) {
		fmt.Fprintf(&b, "\\%03o", c)
	}
	return `"` + b.String() + `"`
}

// makeCommit makes a commit with random changes in the clone and returns its id. Without parents it
// is a root.
func (c *conformance) makeCommit(parents []string, changes int) string {
	c.t.Helper()
	var b strings.Builder
	data := func(text string) { fmt.Fprintf(&b, "data %d\n%s\n", len(text), text) }
	zone := pick(c, []string{"+0000", "+0530", "-0800", "+1400", "-0030"})
	now := time.Now().Unix()
	fmt.Fprintf(&b, "reset refs/tmp/made\n\ncommit refs/tmp/made\nmark :1\nauthor %s %d %s\ncommitter C <c@example.com> %d %s\n",
		pick(c, []string{"Alice <alice@example.com>", "Bob B <Bob@Example.com>", "Ünal <ü@example.com>", "<nobody>"}),
		now-int64(c.random.IntN(1000)), zone, now, zone)
	data(pick(c, []string{
		"Change", "Change\n\nWith a body.\n", "Two\nlines\n\nBody\n\nSigned-off-by: A <a@x>\nReviewed-by: B\n", "",
		"\n\nleading\n", "trailing  \n\n\n", "Ünïcode 日本\n", "CR\r\nLF\r\n", "Fix: x\n\nKey: value\n continued\n",
	}))
	word := "from"
	for _, p := range parents {
		fmt.Fprintf(&b, "%s %s\n", word, p)
		word = "merge"
	}
	for range changes {
		path := pick(c, oddPaths)
		switch c.random.IntN(12) {
		case 0, 1:
			fmt.Fprintf(&b, "D %s\n", quote(path))
			continue
		case 2:
			fmt.Fprintf(&b, "M 160000 %040x %s\n", 1+c.random.IntN(5), quote(path))
			continue
		case 3:
			if !strings.HasPrefix(path, ".git") {
				fmt.Fprintf(&b, "M 120000 inline %s\n", quote(path))
				data("a/b")
				continue
			}
		case 4:
			fmt.Fprintf(&b, "M 100755 inline %s\n", quote(path))
			data(c.text())
			continue
		}
		fmt.Fprintf(&b, "M 100644 inline %s\n", quote(path))
		data(c.text())
	}
	b.WriteString("\nget-mark :1\n")
	return strings.TrimSpace(c.clone.Git(b.String(), "fast-import", "--quiet", "--force", "--date-format=raw-permissive"))
}

// commitWire pushes a commit on top of parents to a branch.
func (c *conformance) commitWire(branch string, parents []string, changes int) bool {
	c.t.Helper()
	return c.push(c.makeCommit(parents, changes) + ":refs/heads/" + branch)
}

func (c *conformance) branch() string {
	return strings.TrimPrefix(pick(c, c.refs("refs/heads")), "refs/heads/")
}

func (c *conformance) pushCommits() (string, bool) {
	c.fetch()
	branch := c.branch()
	tip := "refs/heads/" + branch
	for range 1 + c.random.IntN(3) {
		tip = c.makeCommit([]string{tip}, c.random.IntN(4))
	}
	to := branch
	if c.random.IntN(4) == 0 {
		to = pick(c, branchNames)
	}
	return branch + " to " + to, c.push(tip + ":refs/heads/" + to)
}

func (c *conformance) pushMerge() (string, bool) {
	c.fetch()
	branch := c.branch()
	parents := []string{c.clone.Lines("rev-parse", "refs/heads/"+branch)[0]}
	most := pick(c, []int{2, 2, 2, 3, 5, 20})
	for range most {
		id := c.clone.Lines("rev-parse", pick(c, c.refs("refs/heads"))+pick(c, []string{"", "", "^{commit}", "~0"}))[0]
		if !slices.Contains(parents, id) && len(parents) < most {
			parents = append(parents, id)
		}
	}
	return fmt.Sprint(len(parents), " parents to ", branch), c.commitWire(branch, parents, c.random.IntN(5))
}

func (c *conformance) pushRoot() (string, bool) {
	branch := pick(c, branchNames[1:])
	return branch, c.push("--force", c.makeCommit(nil, c.random.IntN(3))+":refs/heads/"+branch)
}

// pushManyFiles makes a pack of its own.
func (c *conformance) pushManyFiles() (string, bool) {
	c.fetch()
	branch := c.branch()
	var b strings.Builder
	fmt.Fprintf(&b, "reset refs/tmp/made\n\ncommit refs/tmp/made\nmark :1\ncommitter C <c@example.com> %d +0000\n"+
		"data 4\nMany\nfrom refs/heads/%s\n", time.Now().Unix(), branch)
	for i := range 130 {
		fmt.Fprintf(&b, "M 100644 inline many/%d/%d\n", i%9, i)
		text := fmt.Sprint(i, " ", c.random.IntN(3))
		fmt.Fprintf(&b, "data %d\n%s\n", len(text), text)
	}
	b.WriteString("\nget-mark :1\n")
	id := strings.TrimSpace(c.clone.Git(b.String(), "fast-import", "--quiet", "--force"))
	return branch, c.push(id + ":refs/heads/" + branch)
}

func (c *conformance) pushForce() (string, bool) {
	c.fetch()
	from, to := c.branch(), pick(c, branchNames[1:])
	history := c.clone.Lines("rev-list", "--max-count=10", "refs/heads/"+from)
	return from + " to " + to, c.push("--force", pick(c, history)+":refs/heads/"+to)
}

func (c *conformance) pushTag() (string, bool) {
	c.fetch()
	name, target := pick(c, tagNames), pick(c, c.refs("refs/heads"))
	object := target
	switch c.random.IntN(6) {
	case 0:
		object = target + "^{tree}"
	case 1, 2, 3:
		kind, id := "commit", c.clone.Lines("rev-parse", target)[0]
		for range 1 + c.random.IntN(2) { // a tag of a tag now and then
			id = strings.TrimSpace(c.clone.Git(fmt.Sprintf("object %s\ntype %s\ntag %s\ntagger T <t@x> %d +0100\n\n%s",
				id, kind, "t", time.Now().Unix(), pick(c, []string{"Text\n", "Two\n\nlines\n", ""})), "mktag"))
			kind = "tag"
		}
		object = id
	}
	return name + " at " + object, c.push("--force", object+":refs/tags/"+name)
}

func (c *conformance) pushDelete() (string, bool) {
	c.fetch()
	ref := pick(c, c.refs("refs"))
	if strings.HasPrefix(ref, "refs/tmp") {
		ref = "refs/heads/main"
	}
	return ref, c.push(":" + ref)
}

// request sends a request that the server may refuse, but not fail.
func (c *conformance) request(method, path string, body any) bool {
	c.t.Helper()
	reply := c.api(method, path, body)
	require.Less(c.t, reply.Status, 500, "%s %s %v: %s", method, path, body, reply.Body)
	return reply.Status < 300
}

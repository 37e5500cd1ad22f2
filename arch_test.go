// Package hew_test holds the shape of the repository: who may import whom, what stands where, how
// long a file gets. ARCHITECTURE.md says why; this says it so that a machine can check.
package hew_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "hew"

// mayImport lists, for each package, which of ours it may import. "x/..." is x and all below it. A
// new package needs a row here, and ARCHITECTURE.md a word on why it is one.
var mayImport = map[string]string{
	// Both sides: facts about the API, embedded and nothing else.
	"schema/catalogue": "schema/pattern",
	"schema/pattern":   "",

	// Both programs: what they were built from.
	"cmd/release": "",

	// And how their pages of the manual are written.
	"cmd/manual": "",

	// The client.
	"schema/urlmask":       "schema/pattern",
	"schema":               "schema/urlmask",
	"reconcile/addr":       "schema/pattern",
	"reconcile/graph":      "",
	"reconcile/didyoumean": "",
	"reconcile/file":       "",
	"reconcile/golden":     "", // for tests
	"reconcile/edits":      "", // for tests
	"reconcile/guard":      "",
	"reconcile/function":   "schema reconcile/didyoumean reconcile/file schema/pattern",
	"reconcile/config": "schema schema/pattern reconcile/addr reconcile/didyoumean reconcile/file " +
		"reconcile/function reconcile/guard schema/urlmask reconcile/config/...",
	"reconcile/ledger": "reconcile/addr schema/urlmask",
	"reconcile/plan": "schema reconcile/addr reconcile/graph reconcile/guard reconcile/config " +
		"reconcile/ledger",
	"reconcile/rewrite": "schema reconcile/addr reconcile/config reconcile/plan schema/pattern",
	"reconcile/pull":    "schema reconcile/didyoumean reconcile/config reconcile/rewrite schema/urlmask schema/pattern",
	"reconcile/match": "schema reconcile/addr reconcile/graph reconcile/guard reconcile/config " +
		"reconcile/ledger reconcile/plan schema/urlmask",
	"reconcile/data":   "schema reconcile/addr reconcile/config reconcile/plan reconcile/match",
	"reconcile/access": "schema reconcile/addr reconcile/config reconcile/plan reconcile/match",
	"reconcile/change": "schema reconcile/addr reconcile/config reconcile/plan reconcile/match " +
		"reconcile/access",
	"reconcile/apply": "schema reconcile/addr reconcile/graph reconcile/config reconcile/ledger " +
		"reconcile/plan reconcile/match",
	"reconcile": "schema reconcile/...",
	"reconcile/report": "schema schema/pattern reconcile reconcile/addr reconcile/apply reconcile/config " +
		"reconcile/guard reconcile/plan reconcile/rewrite reconcile/report/prose schema/urlmask",
	"reconcile/report/prose": "schema/pattern",
	// for tests
	"reconcile/report/reporttest": "schema reconcile/addr reconcile/apply reconcile/config " +
		"reconcile/guard reconcile/plan reconcile/golden",
	"reconcile/config/composite": "",
	// never config: syntax goes in and comes out
	"reconcile/config/foreign": "schema reconcile/didyoumean reconcile/config/composite",
	"provider/client":          "schema/pattern",
	// never reconcile: it satisfies reconcile.Provider by shape
	"provider":    "schema schema/catalogue schema/urlmask provider/client schema/pattern",
	"cmd/hew":     "cmd/release cmd/hew/cli",
	"cmd/hew/cli": "schema schema/pattern reconcile/... provider/... cmd/release cmd/hew/...",
	"cmd/hew/docs": "schema schema/pattern schema/catalogue provider reconcile/didyoumean reconcile/function " +
		"reconcile/guard reconcile/report cmd/hew/usage cmd/manual",
	"cmd/hew/post":     "provider/client reconcile/report reconcile/report/prose cmd/hew/view",
	"cmd/hew/heap":     "",
	"cmd/hew/progress": "reconcile",
	"cmd/hew/session": "schema provider provider/client reconcile reconcile/addr reconcile/apply reconcile/config " +
		"reconcile/ledger reconcile/plan reconcile/report reconcile/rewrite cmd/hew/usage cmd/hew/workdir",
	"cmd/hew/usage":   "reconcile/addr reconcile/didyoumean reconcile/report/prose",
	"cmd/hew/workdir": "reconcile/file reconcile/ledger reconcile/report reconcile/rewrite",
	"cmd/hew/view": "reconcile schema/pattern reconcile/addr reconcile/config reconcile/plan reconcile/report " +
		"reconcile/report/prose",

	// The server: mechanisms, what lies below the domains, and what is made of all. The domains are
	// in domains.
	"server/fault":     "",
	"server/policy":    "",
	"server/seal":      "",
	"server/cluster":   "",
	"server/outbound":  "",
	"server/directory": "",
	"server/filelock":  "",
	"server/markdown":  "schema/pattern",
	"server/emoji":     "",

	// Git, which the domain of code is made of: no Postgres, and HTTP only to other hosts.
	"server/git/object":  "",
	"server/git/exec":    "",
	"server/git/pkt":     "server/git/object",
	"server/git/pack":    "server/git/object",
	"server/git/tree":    "server/git/object",
	"server/git/graph":   "server/git/object",
	"server/git/diff":    "server/git/object",
	"server/git/lfs":     "server/outbound",
	"server/git/remote":  "server/git/object server/git/pkt server/outbound",
	"server/git/gittest": "server/git/object", // for tests

	// What integrations send, made of events.
	"server/integration/send": "server/outbound",

	// Who owns which files, read from a text.
	"server/codeowners": "",

	// What people write in planning, read from a text.
	"server/quick":         "",
	"server/work/duration": "",
	"server/work/due":      "",

	// What pipelines are defined by, read from files.
	"server/ci/document":   "",
	"server/ci/expression": "schema/pattern",
	"server/ci/definition": "server/ci/document server/ci/expression server/work/duration schema/catalogue schema/pattern",
	"server/ci/status":     "",               // what becomes of their jobs
	"server/ci/junit":      "schema/pattern", // reports of their tests

	// Archives of users, and the packages and projects among them.
	"server/zipfile":        "",
	"server/packages/nuget": "server/zipfile schema/pattern",

	// Archives of projects, and what stores their documents.
	"server/transfer/archive": "",
	"server/transfer/load": "server/transfer/archive server/db server/fault server/check server/policy server/setting " +
		"server/tree server/project server/code server/merge server/note server/emoji server/markdown " +
		"server/git/object schema/catalogue",

	// Clients of other code hosts, and fakes of these for tests.
	"server/forge/hostapi":         "server/outbound",
	"server/forge/github":          "server/forge/hostapi schema/pattern",
	"server/forge/bitbucketserver": "server/forge/hostapi",
	"server/forge/rawfile":         "server/forge/hostapi server/outbound",
	"server/forge/mapping": "server/forge/github server/forge/bitbucketserver server/transfer/archive " +
		"server/fault server/markdown",
	"server/forge/forgetest": "server/git/gittest server/outbound", // for tests

	"server/check":      "server/fault schema/catalogue",
	"server/secret":     "server/fault",
	"server/rest":       "server/fault server/deadline",
	"server/db":         "server/fault server/seal",
	"server/jobs":       "server/db server/fault",
	"server/blob":       "server/db server/fault server/jobs",
	"server/event":      "server/db",
	"server/deadline":   "",
	"server/blob/serve": "server/blob server/db server/fault server/deadline server/rest",
	"server/backup":     "server/db",
	"server/setting":    "server/db server/fault server/outbound schema/catalogue",
	"server/tree":       "server/blob server/db server/fault server/policy server/setting",
	"server/sshkey":     "server/fault server/setting",
	"server/auth":       "schema/catalogue schema/pattern server/db server/fault server/secret server/setting server/tree server/people",
	"server/scope":      "schema/pattern server/db server/fault server/policy server/rest server/setting server/tree server/auth",
	"server/view":       "server/db server/fault server/rest server/setting server/tree schema/catalogue",
	"server/part": "server/db server/directory server/event server/jobs server/outbound server/policy " +
		"server/rest server/tree server/view",

	"server":            "server/...",
	"server/servertest": "server/... schema/catalogue",
	"cmd/hewd":          "server server/backup server/blob server/filelock cmd/release cmd/manual reconcile/didyoumean",

	// The root holds this test alone; the stories run the built programs.
	"":                     "",
	"testacc":              "",
	"examples/out-of-tree": "cmd/hew/cli provider schema", // a hew with a kind of its own
	"testacc/notes":        "",                            // for tests
}

// kernel is what every domain of the server may import.
const kernel = "server/db server/fault server/check server/secret server/policy server/setting server/tree " +
	"server/event server/sshkey " +
	"server/jobs schema/catalogue"

// git is what a domain that handles git's objects may import.
const git = "server/git/object server/git/pkt server/git/pack server/git/tree server/git/graph server/git/diff " +
	"server/git/exec"

// domains lists what each domain of the server may import beside the kernel. Its api, server/x/api,
// may import the domain, what that may import, the apis of those domains, and what all of api is
// made of. A domain that is not here is a new one: everything else goes by an event.
var domains = map[string]string{
	"server/mail":    "",
	"server/upload":  "server/blob",
	"server/people":  "server/mail",
	"server/group":   "server/people server/directory server/mail",
	"server/project": "server/outbound server/people server/group",
	"server/protect": "server/group server/project",
	"server/note":    "server/markdown server/emoji server/quick",
	"server/work": "server/people server/group server/project server/upload server/note server/code server/git/object " +
		"server/markdown server/quick server/emoji server/work/duration server/work/due",
	"server/code": "server/blob server/codeowners server/filelock server/outbound server/people server/project " +
		"server/protect server/note server/quick server/git/remote " + git,
	"server/forge": "server/outbound server/project server/protect server/code server/upload server/git/object " +
		"server/git/remote server/git/lfs " +
		"server/forge/hostapi server/forge/github server/forge/rawfile server/forge/bitbucketserver " +
		"server/forge/mapping " +
		"server/transfer/load server/transfer/archive",
	"server/merge": "server/people server/group server/protect server/note server/work server/code server/codeowners " +
		"server/git/object server/git/tree server/git/diff server/markdown server/quick",
	"server/packages": "server/blob server/ci server/packages/nuget server/zipfile",
	"server/release":  "server/project server/protect server/work server/code server/markdown",
	"server/wiki":     "server/protect server/code server/upload server/git/object server/git/tree server/markdown",
	"server/snippet":  "server/people server/protect server/note server/work server/code server/git/object server/git/tree",
	"server/gist": "server/outbound server/mail server/protect server/code server/snippet server/forge " +
		"server/forge/hostapi server/forge/github server/forge/rawfile",
	"server/todo": "server/mail server/group server/note server/work server/code server/merge server/markdown " +
		"server/git/object server/ci server/ci/status",
	"server/activity": "server/group server/project server/note server/work server/code server/merge " +
		"server/wiki server/snippet server/git/object",
	"server/integration": "server/outbound server/blob server/hook server/mail server/people server/note server/work " +
		"server/ci server/integration/send",
	"server/ci": "server/auth server/outbound server/blob server/people server/project server/protect server/code " +
		"server/merge server/work/duration server/ci/status server/ci/document server/ci/definition " +
		"server/ci/expression server/ci/junit server/git/object server/git/tree server/zipfile",
	"server/instance": "",
	"server/hook": "server/outbound server/snippet server/mail server/people server/group server/project server/code " +
		"server/release server/wiki server/note server/work server/merge server/work/duration server/ci " +
		"server/ci/status server/git/object",
	"server/mirror": "server/outbound server/group server/mail server/project server/protect server/code " +
		"server/git/remote server/git/object server/git/pkt server/git/lfs",
	"server/errortracking": "",
	"server/analytics": "server/outbound server/people server/group server/code server/protect " +
		"server/ci/document server/git/object",
	"server/transfer": "server/outbound server/blob server/mail server/project server/protect server/code " +
		"server/upload server/snippet server/transfer/archive server/transfer/load server/git/diff server/git/object",
}

// apiKernel is what the api of every domain may import beside the kernel.
const apiKernel = "server/scope server/view server/rest server/part server/auth server/deadline server/blob/serve"

func init() {
	for domain, others := range domains {
		mayImport[domain] = kernel + " " + others
		row := kernel + " " + others + " " + domain + " " + apiKernel
		for _, other := range strings.Fields(others) {
			if _, ok := domains[other]; ok {
				row += " " + other + "/api"
			}
		}
		mayImport[domain+"/api"] = row
	}
}

// doors are what a test may import beyond its package's own row, so that the two sides meet over
// HTTP in tests too: a test of the client may start a server, and never reach into one.
var doors = map[string]string{
	"schema":    "schema/...",
	"provider":  "schema/... provider/... reconcile/... server/servertest",
	"reconcile": "schema/... provider/... reconcile/... server/servertest",
	"server":    "server/... schema/catalogue",
	"cmd": "schema/... provider/... reconcile/... server/servertest server/git/gittest server/ci/status " +
		"server/forge/forgetest " +
		"testacc/notes cmd/manual",
	"testacc": "server/servertest server/git/gittest schema/catalogue testacc/notes cmd/hew/cli reconcile/edits",
}

// A fence keeps a foreign package, and all below it, to some of ours.
type fence struct {
	foreign string
	within  string // where it may be imported; empty = anywhere but `without`
	without string // where it may not be, when within is empty
	why     string
}

var fences = []fence{
	{foreign: "github.com/hashicorp/hcl", without: "server/... cmd/hewd",
		why: "the server knows nothing of configurations"},
	{foreign: "github.com/zclconf/go-cty", without: "server/... cmd/hewd",
		why: "the server knows nothing of configurations"},
	{foreign: "github.com/jackc/pgx",
		within: "server server/db server/jobs server/backup server/blob server/setting server/tree server/cluster " +
			"server/mail server/servertest server/people server/group server/project server/protect server/note " +
			"server/work server/code server/merge server/todo server/forge " +
			"server/activity server/release server/wiki server/snippet server/integration server/ci " +
			"server/instance server/packages server/hook server/mirror server/errortracking server/gist " +
			"server/analytics server/transfer server/transfer/load reconcile/ledger",
		why: "SQL stands in the domains, and their apis have none; the ledger has a backend in Postgres"},
	{foreign: "github.com/riverqueue", within: "server server/jobs server/db",
		why: "a job is enqueued through server/jobs"},
	{foreign: "github.com/spf13/cobra", within: "cmd/...", why: "only programs have a command line"},
	{foreign: "net/http", without: "server/db server/setting server/tree server/check server/secret server/event " +
		"server/jobs server/people " +
		"server/group server/project server/protect server/note server/work server/code server/merge server/release " +
		"server/wiki server/forge " +
		"server/integration server/ci server/packages server/instance server/markdown server/mirror " +
		"server/todo server/activity server/snippet server/analytics server/upload server/errortracking",
		why: "domains serve requests and jobs alike"},
}

// unlinked are modules that must not be linked into a program, however far down.
var unlinked = map[string][]string{
	"cmd/hew": {"github.com/riverqueue"},
}

// banned are names that say nothing about what is inside.
var banned = []string{"util", "utils", "common", "helper", "helpers", "types", "models", "misc", "base"}

// pkg is what `go list -json` says of a package, as far as it is needed here.
type pkg struct {
	ImportPath, Name                   string
	Imports, TestImports, XTestImports []string
	Deps                               []string
}

func (p pkg) ours() string { return ours(p.ImportPath) }

// ours cuts the module's name off an import path; the root package is "".
func ours(importPath string) string {
	return strings.TrimPrefix(strings.TrimPrefix(importPath, module), "/")
}

func isOurs(importPath string) bool {
	return importPath == module || strings.HasPrefix(importPath, module+"/")
}

// below tells whether name is root or stands under it.
func below(root, name string) bool { return name == root || strings.HasPrefix(name, root+"/") }

// among tells whether a package is in a list of names and "x/..." patterns.
func among(list, name string) bool {
	return slices.ContainsFunc(strings.Fields(list), func(pattern string) bool {
		if root, deep := strings.CutSuffix(pattern, "/..."); deep {
			return below(root, name)
		}
		return pattern == name
	})
}

// breaches lists everything that a package does against the tables above, in words that say what to
// do.
func breaches(p pkg) (found []string) {
	report := func(format string, a ...any) { found = append(found, fmt.Sprintf(format, a...)) }
	self := p.ours()
	row, known := mayImport[self]
	if !known {
		report("%s is not in the import table: give it a row in mayImport (arch_test.go), or move its code to the "+
			"package it belongs to", self)
		return found
	}
	for _, name := range []string{path.Base(self), p.Name} {
		if slices.Contains(banned, name) {
			report("%s is called %s, which says nothing of what it is about: name it after its subject", self, name)
			break
		}
	}
	for _, imported := range p.Imports {
		if isOurs(imported) && !among(row, ours(imported)) {
			report("%s imports %s, which its row does not allow (it allows: %q): pass a value or a small interface "+
				"instead", self, ours(imported), row)
		}
		for _, f := range fences {
			if below(f.foreign, imported) && !f.admits(self) {
				report("%s imports %s, which is fenced off: %s", self, imported, f.why)
			}
		}
	}
	area, _, _ := strings.Cut(self, "/")
	for _, imported := range slices.Concat(p.TestImports, p.XTestImports) {
		if isOurs(imported) && ours(imported) != self && !among(row+" "+doors[area], ours(imported)) {
			report("a test of %s imports %s: tests of %s may use %q", self, ours(imported), area, doors[area])
		}
	}
	for _, foreign := range unlinked[self] {
		if i := slices.IndexFunc(p.Deps, func(dep string) bool { return below(foreign, dep) }); i >= 0 {
			report("%s links %s; find the way with: go mod why -m %s", self, p.Deps[i], foreign)
		}
	}
	return found
}

func (f fence) admits(self string) bool {
	if f.within != "" {
		return among(f.within, self)
	}
	return !among(f.without, self)
}

// An allowance is a pattern of the import table, and the packages that it is for.
type allowance struct {
	pattern, table string
	packages       []string
}

// allowances returns the patterns of all tables. What all domains may import is one allowance for
// them together.
func allowances() (all []allowance) {
	allow := func(table, row string, packages ...string) {
		for _, pattern := range strings.Fields(row) {
			all = append(all, allowance{pattern, table, packages})
		}
	}
	inner := slices.Collect(maps.Keys(domains))
	var apis []string
	for _, domain := range inner {
		apis = append(apis, domain+"/api")
		for _, other := range strings.Fields(domains[domain]) {
			users := []string{domain, domain + "/api"}
			if among(apiKernel, other) { // the api may import it anyway
				users = users[:1]
			}
			allow("domains["+domain+"]", other, users...)
		}
	}
	allow("kernel", kernel, inner...)
	allow("apiKernel", apiKernel, apis...)
	for name, row := range mayImport {
		if !slices.Contains(inner, name) && !slices.Contains(apis, name) {
			allow("mayImport["+name+"]", row, name)
		}
	}
	return all
}

// unused lists the allowances that none of their packages uses, in words that say what to do.
func unused(all []allowance, packages []pkg) (found []string) {
	for _, a := range all {
		used := slices.ContainsFunc(packages, func(p pkg) bool {
			return slices.Contains(a.packages, p.ours()) && slices.ContainsFunc(p.Imports, func(imported string) bool {
				return isOurs(imported) && among(a.pattern, ours(imported))
			})
		})
		if !used {
			found = append(found,
				fmt.Sprintf("%s allows %s, which no file imports: remove it, also from ARCHITECTURE.md",
					a.table, a.pattern))
		}
	}
	slices.Sort(found)
	return found
}

// TestImports reads every package of the module and holds it against the tables.
func TestImports(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("go", "list", "-e", "-json=ImportPath,Name,Imports,TestImports,XTestImports,Deps", "./...")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "go list: %s", &stderr)

	var packages []pkg
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var p pkg
		require.NoError(t, d.Decode(&p))
		packages = append(packages, p)
		for _, breach := range breaches(p) {
			t.Error(breach)
		}
	}
	require.NotEmpty(t, packages)
	for _, needless := range unused(allowances(), packages) {
		t.Error(needless)
	}
}

// TestUnusedAllowancesBite shows that an allowance counts as used only by its own packages.
func TestUnusedAllowancesBite(t *testing.T) {
	t.Parallel()
	packages := []pkg{
		{ImportPath: "hew/server/work", Imports: []string{"hew/server/db", "net/http"}},
		{ImportPath: "hew/server/ci", Imports: []string{"hew/server/auth"}},
	}
	found := unused([]allowance{
		{"server/db", "own", []string{"server/work"}},
		{"server/...", "pattern", []string{"server/work"}},
		{"server/auth", "one of two", []string{"server/work", "server/ci"}},
		{"server/auth", "other", []string{"server/work"}},
		{"net/...", "foreign", []string{"server/work"}},
	}, packages)
	require.Len(t, found, 2)
	require.Contains(t, found[0], "foreign allows net/...")
	require.Contains(t, found[1], "other allows server/auth")
}

// TestImportsBite shows that the rules find what they are for.
func TestImportsBite(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pkg  pkg
		want string // part of the one breach; empty = none
	}{
		"unknown package": {pkg{ImportPath: "hew/server/nothing"}, "not in the import table"},
		"row allows":      {pkg{ImportPath: "hew/provider", Imports: []string{"hew/schema", "net/http"}}, ""},
		"row forbids":     {pkg{ImportPath: "hew/provider", Imports: []string{"hew/reconcile"}}, "imports reconcile"},
		"pattern reaches": {pkg{ImportPath: "hew/reconcile", Imports: []string{"hew/reconcile/plan"}}, ""},
		"other side": {
			pkg{ImportPath: "hew/cmd/hew", Imports: []string{"hew/server/fault"}}, "imports server/fault",
		},
		"fenced out": {
			pkg{ImportPath: "hew/server/work/api", Imports: []string{"github.com/hashicorp/hcl/v2"}}, "fenced off",
		},
		"fenced in": {
			pkg{ImportPath: "hew/server/work/api", Imports: []string{"github.com/jackc/pgx/v5"}}, "fenced off",
		},
		"fence open":       {pkg{ImportPath: "hew/server/work", Imports: []string{"github.com/jackc/pgx/v5"}}, ""},
		"standard library": {pkg{ImportPath: "hew/server/work", Imports: []string{"net/http"}}, "fenced off"},
		"like-named module": {
			pkg{ImportPath: "hew/server/work/api", Imports: []string{"github.com/jackc/pgxother"}}, "",
		},
		"test at the door": {pkg{ImportPath: "hew/provider", XTestImports: []string{"hew/server/servertest"}}, ""},
		"test breaks in": {
			pkg{ImportPath: "hew/provider", XTestImports: []string{"hew/server/db"}}, "a test of provider",
		},
		"link":       {pkg{ImportPath: "hew/cmd/hew", Deps: []string{"github.com/riverqueue/river"}}, "links"},
		"empty name": {pkg{ImportPath: "hew/schema", Name: "util"}, "after its subject"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := breaches(c.pkg)
			if c.want == "" {
				require.Empty(t, found)
				return
			}
			require.Len(t, found, 1)
			require.Contains(t, found[0], c.want)
		})
	}
}

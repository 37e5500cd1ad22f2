package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"hew/cmd/manual"
	"hew/provider"
	"hew/reconcile/function"
	"hew/reconcile/plan"
)

// fresh is a reference as hew docs -out would write it now.
func fresh() reference { return newReference((&app{}).root(), false) }

// TestPagesAreCurrent compares the pages in the repository with what they would
// be now, files that should not be there included.
func TestPagesAreCurrent(t *testing.T) {
	t.Parallel()
	for dir, pages := range map[string][]*page{"reference": fresh().pages(), "man": fresh().manual()} {
		want := map[string]string{}
		for _, p := range pages {
			want[p.path] = p.String()
		}
		there := map[string]string{}
		require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(filepath.Join(dir, path))
			there[path] = string(text)
			return err
		}))
		require.Equal(t, want, there, "%s is stale: run make generate, and delete files that no page is written to", dir)
	}
}

// TestLinksLead follows every link of the reference.
func TestLinksLead(t *testing.T) {
	t.Parallel()
	link := regexp.MustCompile(`\]\(([^)]*)\)`)
	there := map[string]bool{}
	for _, p := range fresh().pages() {
		there[p.path] = true
	}
	followed := map[string]bool{indexPage: true}
	for _, p := range fresh().pages() {
		for _, to := range link.FindAllStringSubmatch(p.String(), -1) {
			target := filepath.ToSlash(filepath.Join(filepath.Dir(p.path), to[1]))
			require.True(t, there[target], "%s links to %s", p.path, to[1])
			followed[target] = true
		}
	}
	require.Equal(t, there, followed, "every page is linked to")
}

// TestExamplesAreValid has hew itself look at the example of every kind: it is
// valid without a host, laid out as hew fmt would, and about its kind.
func TestExamplesAreValid(t *testing.T) {
	t.Parallel()
	kinds := fresh().kinds
	check := func(block, name string, k kindDoc) {
		t.Run(block+" "+name, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, k.Example, block+` "`+name+`" "`)
			dir := t.TempDir()
			for file, text := range map[string]string{"shared.hcl": provider.SharedExample(), "example.hcl": k.Example} {
				require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
			}
			for _, command := range [][]string{{"fmt", "-check", "-diff"}, {"validate"}} {
				var said bytes.Buffer
				code := run(t.Context(), append([]string{"-chdir", dir}, command...), nil, strings.NewReader(""), &said, &said)
				require.Zero(t, code, "%s: %s", command, said.String())
			}
		})
	}
	for name, k := range kinds.Resources {
		check("resource", name, k)
	}
	for name, k := range kinds.Sources {
		check("data", name, k)
	}
}

// TestPagesTellEverything looks for each row of the tables on its page.
func TestPagesTellEverything(t *testing.T) {
	t.Parallel()
	r := fresh()
	tells := func(p *page, attrs []attrDoc) {
		for _, a := range attrs {
			require.Contains(t, p.String(), "\n- `"+a.Name+"`", p.path)
			for _, v := range a.Values {
				require.Contains(t, p.String(), "`"+v+"`", "%s: a value of %s", p.path, a.Name)
			}
		}
	}
	for name, k := range r.kinds.Resources {
		tells(r.resource(name), k.Attributes)
	}
	for name, k := range r.kinds.Sources {
		tells(r.source(name), k.Attributes)
	}
	for _, f := range function.Signatures() {
		require.Contains(t, r.functions().String(), "\n- `"+f.Name+"(")
	}
	for _, rule := range plan.Rules() {
		require.Contains(t, r.guards().String(), "\n| `"+rule.Code+"` | ")
	}
}

// TestPagesFold has prose fold to a terminal, items hang, and code stay as it
// is.
func TestPagesFold(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	console{Writer: &b, width: 30}.markdown("What is said here is longer than that.\n\n- `name` (`string`): What people read in lists.\n\n" +
		"```hcl\nname = \"a line that is longer than that\"\n```\n")
	require.Equal(t, `What is said here is longer
than that.

- `+"`name` (`string`): What"+`
  people read in lists.

`+"```hcl"+`
name = "a line that is longer than that"
`+"```\n", b.String())
}

// TestManualIsComplete holds every page to the command that it is about.
func TestManualIsComplete(t *testing.T) {
	t.Parallel()
	r := fresh()
	pages := r.manualNamed()
	var visit func(*cobra.Command)
	visit = func(cmd *cobra.Command) {
		p := pages[strings.ReplaceAll(strings.TrimPrefix(strings.TrimPrefix(cmd.CommandPath(), "hew"), " "), " ", "-")]
		require.Len(t, p, 1, cmd.CommandPath())
		text := p[0].String()
		for _, section := range []string{"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "ENVIRONMENT"} {
			require.Contains(t, text, `.SH "`+section+`"`, p[0].path)
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Name != "help" {
				require.Contains(t, text, `\fB\-`+manual.Escape(f.Name)+`\fR`, p[0].path)
			}
		})
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				visit(sub)
			}
		}
	}
	visit(r.root)
}

// TestFactsAreTold finds every variable that the programs of this side read in
// the table of variables, and the table in the README.
func TestFactsAreTold(t *testing.T) {
	t.Parallel()
	var told strings.Builder
	for _, v := range variables {
		told.WriteString(v.name + " " + v.is + "\n")
	}
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	name := regexp.MustCompile(`"((?:HEW|TF|GITLAB|CI|NO)_[A-Z0-9_]+)"`)
	found := 0
	for _, dir := range []string{".", "../../provider/client", "../../reconcile/config", "../../reconcile/ledger"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			src, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, m := range name.FindAllStringSubmatch(string(src), -1) {
				found++
				if m[1] != "GITLAB_USER_LOGIN" { // who holds the lock, where a CI job knows
					require.Contains(t, told.String(), m[1], "%s reads it", file)
				}
			}
		}
	}
	require.NotZero(t, found)
	for _, v := range variables {
		require.True(t, strings.Contains(string(readme), "`"+v.name+"`"), "README.md does not name %s", v.name)
	}
	for _, c := range exitCodes {
		require.True(t, strings.Contains(string(readme), "\n| "+c.name+" | "), "README.md does not name exit code %s", c.name)
	}
}

package cli

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

	"hew/cmd/hew/docs"
	"hew/cmd/hew/session"
	"hew/cmd/manual"
	"hew/provider"
	"hew/reconcile/function"
	"hew/reconcile/guard"
)

// fresh is a reference as hew docs -out would write it now.
func fresh() docs.Reference {
	return docs.New((&app{Env: session.Env{Offline: offline}}).root(), provider.Kinds(), false)
}

// TestPagesAreCurrent compares the pages in the repository with what they would
// be now, files that should not be there included.
func TestPagesAreCurrent(t *testing.T) {
	t.Parallel()
	for dir, pages := range map[string][]*docs.Page{"../reference": fresh().Pages(), "../man": fresh().Manual()} {
		want := map[string]string{}
		for _, p := range pages {
			want[p.Path] = p.String()
		}
		there := map[string]string{}
		require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
			if path == "guides" {
				return fs.SkipDir // written by hand
			}
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(filepath.Join(dir, path))
			there[path] = string(text)
			return err
		}))
		require.Equal(
			t, want, there, "%s is stale: run make generate, and delete files that no page is written to", dir,
		)
	}
}

// TestLinksLead follows every link of the reference.
func TestLinksLead(t *testing.T) {
	t.Parallel()
	link := regexp.MustCompile(`\]\(([^)]*)\)`)
	there := map[string]bool{}
	for _, p := range fresh().Pages() {
		there[p.Path] = true
	}
	followed := map[string]bool{"README.md": true}
	for _, p := range fresh().Pages() {
		for _, to := range link.FindAllStringSubmatch(p.String(), -1) {
			target := filepath.ToSlash(filepath.Join(filepath.Dir(p.Path), to[1]))
			require.True(t, there[target], "%s links to %s", p.Path, to[1])
			followed[target] = true
		}
	}
	require.Equal(t, there, followed, "every page is linked to")
}

// TestExamplesAreValid has hew itself look at the example of every kind: it is
// valid without a host, laid out as hew fmt would, and about its kind.
func TestExamplesAreValid(t *testing.T) {
	t.Parallel()
	kinds, err := docs.Describe(provider.Kinds(), nil)
	require.NoError(t, err)
	check := func(block, name string, k docs.Kind) {
		t.Run(block+" "+name, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, k.Example, block+` "`+name+`" "`)
			dir := t.TempDir()
			for file, text := range map[string]string{"shared.hcl": provider.SharedExample(),
				"example.hcl": k.Example} {
				require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
			}
			for _, command := range [][]string{{"fmt", "-check", "-diff"}, {"validate"}} {
				var said bytes.Buffer
				code := run(
					t.Context(), append([]string{"-chdir", dir}, command...), nil, strings.NewReader(""), &said, &said,
				)
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
	kinds, err := docs.Describe(provider.Kinds(), nil)
	require.NoError(t, err)
	pages := fresh().Named()
	tells := func(p *docs.Page, attrs []docs.Attribute) {
		for _, a := range attrs {
			require.Contains(t, p.String(), "\n- `"+a.Name+"`", p.Path)
			for _, v := range a.Values {
				require.Contains(t, p.String(), "`"+v+"`", "%s: a value of %s", p.Path, a.Name)
			}
		}
	}
	for name, k := range kinds.Resources {
		tells(pages[name][0], k.Attributes)
	}
	for name, k := range kinds.Sources {
		tells(pages["data."+name][0], k.Attributes)
	}
	for _, f := range function.Signatures() {
		require.Contains(t, pages["functions"][0].String(), "\n- `"+f.Name+"(")
	}
	for _, rule := range guard.Rules() {
		require.Contains(t, pages["guards"][0].String(), "\n| `"+rule.Code+"` | ")
	}
}

// TestManualIsComplete holds every page to the command that it is about.
func TestManualIsComplete(t *testing.T) {
	t.Parallel()
	pages := fresh().ManualNamed()
	var visit func(*cobra.Command)
	visit = func(cmd *cobra.Command) {
		p := pages[strings.ReplaceAll(strings.TrimPrefix(strings.TrimPrefix(cmd.CommandPath(), "hew"), " "), " ", "-")]
		require.Len(t, p, 1, cmd.CommandPath())
		text := p[0].String()
		for _, section := range []string{"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "ENVIRONMENT"} {
			require.Contains(t, text, `.SH "`+section+`"`, p[0].Path)
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Name != "help" {
				require.Contains(t, text, `\fB\-`+manual.Escape(f.Name)+`\fR`, p[0].Path)
			}
		})
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				visit(sub)
			}
		}
	}
	visit((&app{Env: session.Env{Offline: offline}}).root())
}

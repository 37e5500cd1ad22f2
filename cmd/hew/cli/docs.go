package cli

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"hew/cmd/hew/docs"
	"hew/cmd/hew/usage"
	"hew/reconcile/didyoumean"
	"hew/reconcile/report/prose"
)

func (a *app) docsCommand() *cobra.Command {
	var (
		dir string
		man bool
	)
	cmd := &cobra.Command{
		Use:   "docs [PAGE]...",
		Short: "Print the reference: kinds, functions, commands, guards",
		Long: `hew docs prints pages of the reference. PAGE is the name of a kind (group, data.group for the data
source, or its name in Terraform, gitlab_group), or functions, commands, guards, integrations,
terraform or gitlabform. Without a page it prints the list of all pages.

With -out it writes all pages to a directory, as Markdown. With -man it prints or writes the manual
pages, which are named after the commands.`,
		Example: "  hew docs project_hook\n" +
			"  hew docs -out=site\n" +
			"  hew docs -man plan | man -l -",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			names := slices.Sorted(maps.Keys(docs.New(cmd.Root(), a.Kinds(), true).Named()))
			return usage.WithPrefix(names[1:], typed, args...), usage.NoFiles // the first is "", the list of pages
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			r := docs.New(cmd.Root(), a.Kinds(), dir == "")
			pages, named := r.Pages, r.Called
			if man {
				pages, named = r.Manual, r.ManualNamed
			}
			switch {
			case dir != "" && len(args) > 0:
				return fmt.Errorf("-out=%s writes all pages, so %q cannot be named. Remove one of the two.\n%s", dir,
					args[0], usage.SeeHelp(cmd))
			case dir != "":
				return a.writePages(dir, pages())
			}
			return a.printPages(named(), args)
		},
	}
	cmd.Flags().StringVar(&dir, "out", "", "write all pages to `DIR`, which is created if necessary")
	cmd.Flags().BoolVar(&man, "man", false, "print manual pages in man format")
	_ = cmd.MarkFlagDirname("out") // fails for no flag only
	return cmd
}

// printPages prints the named pages, or the list of all pages.
func (a *app) printPages(pages map[string][]*docs.Page, names []string) error {
	if len(names) == 0 {
		names = []string{""}
	}
	var chosen []*docs.Page
	for _, name := range names {
		if pages[name] == nil {
			hint := ""
			if near := didyoumean.Nearest(name, slices.Sorted(maps.Keys(pages))); near != "" {
				hint = fmt.Sprintf(" Did you mean %s?", near)
			}
			return fmt.Errorf("the reference has no page %q.%s Run hew docs to list all pages", name, hint)
		}
		chosen = append(chosen, pages[name]...)
	}
	c := a.console(a.out)
	for i, p := range chosen {
		if i > 0 {
			c.Printf("\n")
		}
		if p.Raw {
			c.Printf("%s", p.String())
		} else {
			c.Page(p.String())
		}
	}
	return nil
}

// writePages writes pages to files in a directory.
func (a *app) writePages(dir string, pages []*docs.Page) error {
	for _, p := range pages {
		name := filepath.Join(dir, filepath.FromSlash(p.Path))
		if err := os.MkdirAll(filepath.Dir(a.Path(name)), 0o755); err != nil {
			return fmt.Errorf("the pages cannot be written: %w", err)
		}
		if err := a.Dir.WriteFile(name, []byte(p.String())); err != nil {
			return fmt.Errorf("the pages cannot be written: %w", err)
		}
	}
	a.console(a.out).Printf("%s in %s.\n", prose.Count(len(pages), "page"), dir)
	return nil
}

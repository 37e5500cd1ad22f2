package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hew/provider"
	"hew/reconcile/didyoumean"
)

// The reference and the manual are part of the repository, where people find
// them without building anything. verify fails where they are stale.
//
//go:generate go run . docs -out=reference
//go:generate go run . docs -man -out=man

// The pages that are not about a kind.
const (
	indexPage        = "README.md"
	commandsPage     = "commands.md"
	guardsPage       = "guards.md"
	functionsPage    = "functions.md"
	terraformPage    = "terraform.md"
	integrationsPage = "integrations.md"
	gitlabformPage   = "gitlabform.md"
)

func (a *app) docsCommand() *cobra.Command {
	var (
		dir string
		man bool
	)
	cmd := &cobra.Command{
		Use:   "docs [PAGE]...",
		Short: "Print the reference: kinds, functions, commands, guards",
		Long: "hew docs prints a page of the reference: that of a kind (group, or data.group for the data source alone, or gitlab_group,\n" +
			"as Terraform calls it), functions, commands, guards, integrations, terraform or gitlabform; without a name the list of all. With -out it writes all pages into a directory, as Markdown.\n" +
			"With -man it is the manual, and its pages are called as the commands are.",
		Example: "  hew docs project_hook\n  hew docs -out=site\n  hew docs -man plan | man -l -",
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			names := slices.Sorted(maps.Keys(newReference(cmd.Root(), true).named()))
			return beginning(names[1:], typed, args...), nothingElse // the first is the one without a name
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			r := newReference(cmd.Root(), dir == "")
			pages, named := r.pages, r.called
			if man {
				pages, named = r.manual, r.manualNamed
			}
			switch {
			case dir != "" && len(args) > 0:
				return fmt.Errorf("-out=%s writes all pages, and %q was named. Leave out one of the two.\n%s", dir, args[0], seeHelp(cmd))
			case dir != "":
				return a.writePages(dir, pages())
			}
			return a.printPages(named(), args)
		},
	}
	cmd.Flags().StringVar(&dir, "out", "", "write all pages into `DIR`, which is made if need be")
	cmd.Flags().BoolVar(&man, "man", false, "the manual instead, for man")
	_ = cmd.MarkFlagDirname("out") // it is there
	return cmd
}

// reference is what pages are written from.
type reference struct {
	kinds kindsDoc
	root  *cobra.Command
	plain bool // for a terminal
}

func newReference(root *cobra.Command, plain bool) reference {
	all, _ := describe(provider.Kinds(), nil) // fails for names alone
	return reference{all, root, plain}
}

func (r reference) page(path string) *page { return &page{path: path, plain: r.plain} }

// pages are all of the reference.
func (r reference) pages() []*page {
	pages := []*page{r.index(), r.functions(), r.guards(), r.commands(), r.integrations(), r.terraform(), r.gitlabform()}
	for _, name := range slices.Sorted(maps.Keys(r.kinds.Resources)) {
		pages = append(pages, r.resource(name))
	}
	for _, name := range slices.Sorted(maps.Keys(r.kinds.Sources)) {
		pages = append(pages, r.source(name))
	}
	return pages
}

// named are the pages by what people call them; "" is the first one. A kind
// that is a resource and a data source has two.
func (r reference) named() map[string][]*page {
	by := map[string][]*page{"": {r.index()}}
	for _, p := range r.pages() {
		name := strings.TrimSuffix(filepath.Base(p.path), ".md")
		switch {
		case p.path == indexPage:
			continue
		case p.path == sourcePage(name):
			by["data."+name] = []*page{p}
		}
		by[name] = append(by[name], p)
	}
	return by
}

// kindPage is the page of what a reference leads to.
func (r reference) kindPage(name string) string {
	if _, ok := r.kinds.Resources[name]; ok {
		return resourcePage(name)
	}
	return sourcePage(name)
}

// printPages prints the named pages, or the first.
func (a *app) printPages(pages map[string][]*page, names []string) error {
	if len(names) == 0 {
		names = []string{""}
	}
	var chosen []*page
	for _, name := range names {
		if pages[name] == nil {
			hint := ""
			if near := didyoumean.Nearest(name, slices.Sorted(maps.Keys(pages))); near != "" {
				hint = fmt.Sprintf(" Did you mean %s?", near)
			}
			return fmt.Errorf("there is no page %q.%s hew docs lists all", name, hint)
		}
		chosen = append(chosen, pages[name]...)
	}
	c := a.console(a.out)
	for i, p := range chosen {
		if i > 0 {
			c.printf("\n")
		}
		if p.raw {
			c.printf("%s", p.String())
		} else {
			c.markdown(p.String())
		}
	}
	return nil
}

// writePages writes pages to files below a directory.
func (a *app) writePages(dir string, pages []*page) error {
	for _, p := range pages {
		file := a.path(filepath.Join(dir, filepath.FromSlash(p.path)))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return fmt.Errorf("the pages cannot be written: %w", err)
		}
		if err := os.WriteFile(file, []byte(p.String()), 0o644); err != nil {
			return fmt.Errorf("the pages cannot be written: %w", err)
		}
	}
	a.console(a.out).printf("%s in %s.\n", count(len(pages), "page"), dir)
	return nil
}

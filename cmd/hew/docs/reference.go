// Package docs writes the reference and the manual from the tables of the program: kinds,
// functions, guards, commands and flags.
package docs

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hew/schema"
)

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

// Reference holds what pages are written from.
type Reference struct {
	catalog schema.Catalog
	kinds   Kinds // described by the catalog
	root    *cobra.Command
	plain   bool // for a terminal
}

// New returns the reference of a catalog and of the subcommands of root; plain omits links, for a
// terminal.
func New(root *cobra.Command, catalog schema.Catalog, plain bool) Reference {
	all, _ := Describe(catalog, nil) // fails only for names
	return Reference{catalog, all, root, plain}
}

func (r Reference) page(path string) *Page { return &Page{Path: path, plain: r.plain} }

// Pages returns all pages of the reference.
func (r Reference) Pages() []*Page {
	pages := []*Page{
		r.index(), r.functions(), r.guards(), r.commands(), r.integrations(), r.terraform(), r.gitlabform(),
	}
	for _, name := range slices.Sorted(maps.Keys(r.kinds.Resources)) {
		pages = append(pages, r.resource(name))
	}
	for _, name := range slices.Sorted(maps.Keys(r.kinds.Sources)) {
		pages = append(pages, r.source(name))
	}
	return pages
}

// Named returns the pages by their names; "" is the index. A kind that is a resource and a data
// source has two pages.
func (r Reference) Named() map[string][]*Page {
	by := map[string][]*Page{"": {r.index()}}
	for _, p := range r.Pages() {
		name := strings.TrimSuffix(filepath.Base(p.Path), ".md")
		switch {
		case p.Path == indexPage:
			continue
		case p.Path == sourcePage(name):
			by["data."+name] = []*Page{p}
		}
		by[name] = append(by[name], p)
	}
	return by
}

// kindPage returns the path of a kind's page.
func (r Reference) kindPage(name string) string {
	if _, ok := r.kinds.Resources[name]; ok {
		return resourcePage(name)
	}
	return sourcePage(name)
}

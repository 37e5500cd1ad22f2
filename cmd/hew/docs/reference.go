// Package docs writes the reference and the manual from the tables that the program works with: kinds, functions,
// guards, commands and flags.
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

// Reference is what pages are written from.
type Reference struct {
	catalog schema.Catalog
	kinds   Kinds // what the catalog says
	root    *cobra.Command
	plain   bool // for a terminal
}

// New is the reference of what a catalog has and of the commands below root.
func New(root *cobra.Command, catalog schema.Catalog, plain bool) Reference {
	all, _ := Describe(catalog, nil) // fails for names alone
	return Reference{catalog, all, root, plain}
}

func (r Reference) page(path string) *Page { return &Page{Path: path, plain: r.plain} }

// Pages are all of the reference.
func (r Reference) Pages() []*Page {
	pages := []*Page{r.index(), r.functions(), r.guards(), r.commands(), r.integrations(), r.terraform(), r.gitlabform()}
	for _, name := range slices.Sorted(maps.Keys(r.kinds.Resources)) {
		pages = append(pages, r.resource(name))
	}
	for _, name := range slices.Sorted(maps.Keys(r.kinds.Sources)) {
		pages = append(pages, r.source(name))
	}
	return pages
}

// Named are the pages by what people call them; "" is the first one. A kind
// that is a resource and a data source has two.
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

// kindPage is the page of what a reference leads to.
func (r Reference) kindPage(name string) string {
	if _, ok := r.kinds.Resources[name]; ok {
		return resourcePage(name)
	}
	return sourcePage(name)
}

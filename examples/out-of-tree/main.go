// Command hew-wiki is hew with a kind that hew itself does not have: pages of a project's wiki. The
// kind is planned, applied, pulled and documented like any other: try "hew-wiki schema wiki_page".
package main

import (
	"os"

	"hew/cmd/hew/cli"
	"hew/provider"
	"hew/schema"
)

// wikiPage is known by its title, and the API finds it by its slug.
var wikiPage = provider.Kind{
	Kind: schema.Kind{
		Name: "wiki_page", Doc: "A page of a project's wiki.", Need: "Developer of the project",
		Collection: "projects/{project}/wikis", Match: schema.ByKey("title"), Example: example,
	},
	Table: []provider.Attr{
		provider.Reference("project", "project", "The project.", provider.Required, provider.ForceNew),
		provider.String("title", "The title of the page.", provider.Required, provider.Check(provider.NotEmpty)),
		provider.String("content", "The text of the page.", provider.Required, provider.Detail),
		provider.String("slug", "The path of the page in the wiki.", provider.Computed),
	},
	API: provider.REST{ID: "slug"},
}

const example = `resource "wiki_page" "on_call" {
  project = "acme/api"
  title   = "On call"
  content = "Ring twice."
}
`

func main() { os.Exit(cli.Main("example", wikiPage)) }

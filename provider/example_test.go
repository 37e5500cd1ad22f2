package provider_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/zclconf/go-cty/cty"

	"hew/provider"
	"hew/provider/client"
	"hew/schema"
)

// wikiPage is a kind that hew does not have: pages of a project's wiki, which the
// API knows by their slug.
var wikiPage = provider.Kind{
	Kind: schema.Kind{
		Name: "wiki_page", Doc: "A page of a project's wiki.", Need: "Developer of the project",
		Collection: "projects/{project}/wikis", Match: schema.ByKey("title"),
	},
	Table: []provider.Attr{
		provider.Reference("project", "project", "The project.", provider.Required, provider.ForceNew),
		provider.String("title", "The title of the page.", provider.Required, provider.Check(provider.NotEmpty)),
		provider.String("content", "The text of the page.", provider.Required, provider.Detail),
		provider.String("format", "The markup of the page.", provider.OneOf("markdown", "asciidoc"),
			provider.Default("markdown")),
		provider.String("slug", "The path of the page in the wiki.", provider.Computed),
	},
	API: provider.REST{ID: "slug"},
}

// A program adds kinds of its own to those of this package. They are stated,
// planned, applied and documented like any other.
func ExampleNew() {
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Println(r.Method, r.URL.Path, string(body))
		w.WriteHeader(http.StatusCreated)
		fmt.Fprint(w, `{"slug":"on-call","title":"On call","content":"Ring twice.","format":"markdown"}`)
	}))
	defer host.Close()
	to, err := client.New(client.Config{BaseURL: host.URL, Token: "token"})
	if err != nil {
		panic(err)
	}

	p, err := provider.New(to, wikiPage)
	if err != nil {
		panic(err)
	}
	kind := p.Kinds().Resource("wiki_page")
	page := schema.Object{Kind: kind}
	page.Value.Set(kind.Attr("project"), schema.RefVal(&schema.Ref{ID: "7"}))
	page.Value.Set(kind.Attr("title"), cty.StringVal("On call"))
	page.Value.Set(kind.Attr("content"), cty.StringVal("Ring twice."))
	made, err := p.Create(context.Background(), page)
	fmt.Println(made.ID, err)
	// Output:
	// POST /api/v4/projects/7/wikis {"content":"Ring twice.","title":"On call"}
	// on-call <nil>
}

package provider

import (
	"slices"
	"strings"

	"hew/schema"
)

// Data sources for single objects that are managed elsewhere.

func groupSource() Kind {
	return Kind{
		Kind: schema.Kind{
			Name: "group",
			Doc:  "A group, by full path or id.",
			Data: &schema.Data{Of: "group", Single: true, Keys: []string{"id", "path"}},
		},
		Table: Join(pathOrID(), sourceRows(group().Table, "id", "path")),
	}
}

func projectSource() Kind {
	return Kind{
		Kind: schema.Kind{
			Name: "project",
			Doc:  "A project, by full path or id.",
			Data: &schema.Data{Of: "project", Single: true, Keys: []string{"id", "path"}},
		},
		Table: Join(pathOrID(), sourceRows(project().Table, "id", "path")),
	}
}

func settingsSource() Kind {
	return Kind{
		Kind: schema.Kind{
			Name: "application_settings",
			Doc:  "The settings of the instance, as they are after the apply. Requires an administrator.",
			Data: &schema.Data{Of: "application_settings", Single: true},
		},
		Table: sourceRows(applicationSettings().Table),
	}
}

func pathOrID() []Attr {
	return []Attr{
		Number("id", "The id on the host."),
		String("path", "The full path."),
	}
}

// sourceRows returns a resource's rows as computed ones, without those named, secrets,
// and what matters at creation alone.
func sourceRows(table []Attr, without ...string) []Attr {
	out := make([]Attr, 0, len(table))
	for _, a := range table {
		if a.IsSecret() || a.SentOnce() || slices.Contains(without, a.Name) {
			continue
		}
		out = append(out, Attr{Parameter: a.Parameter, Field: a.Field, Attr: schema.Attr{
			Name: a.Name, Doc: firstSentence(a.Doc), Type: a.Type, Ref: a.Ref,
			Form: schema.Form{Norm: a.Form.Norm}, Accepts: schema.Accepts{Words: a.Accepts.Words}, Show: a.Show,
			Public: a.Public, Mode: schema.Computed,
		}})
	}
	return out
}

// firstSentence returns the sentence that says what a value means. The others are about
// setting it.
func firstSentence(doc string) string {
	first, _, more := strings.Cut(doc, ". ")
	if more {
		first += "."
	}
	return first
}

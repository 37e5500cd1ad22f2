package docs

import (
	"fmt"

	"hew/reconcile/didyoumean"
	"hew/reconcile/report"
	"hew/schema"
)

// Describe returns the descriptions of the named kinds, or of all. It fails for an unknown name.
func Describe(all schema.Catalog, names []string) (Kinds, error) {
	doc := Kinds{report.FormatVersion, map[string]Kind{}, map[string]Kind{}}
	if len(names) == 0 {
		names = KindNames(all)
	}
	for _, n := range names {
		resource, source := all.Resources[n], all.Sources[n]
		if resource == nil && source == nil {
			hint := ". Run hew schema to list all kinds"
			if near := didyoumean.Nearest(n, KindNames(all)); near != "" {
				hint = fmt.Sprintf(". Did you mean %s?", near)
			}
			return doc, fmt.Errorf("hew has no kind %q%s", n, hint)
		}
		if resource != nil {
			doc.Resources[n] = resourceDoc(resource, all)
		}
		if source != nil {
			doc.Sources[n] = sourceDoc(source)
		}
	}
	return doc, nil
}

// KindNames returns the names of all resources and data sources, each once.
func KindNames(all schema.Catalog) []string {
	names := all.Names()
	for _, n := range all.SourceNames() {
		if all.Resources[n] == nil {
			names = append(names, n)
		}
	}
	return names
}

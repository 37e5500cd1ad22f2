package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"hew/provider"
	"hew/reconcile/didyoumean"
	"hew/schema"
)

func (a *app) schemaCommand() *cobra.Command {
	var report bool
	cmd := &cobra.Command{
		Use:   "schema [KIND]...",
		Short: "Print what can be declared, as JSON",
		Long: "hew schema prints all kinds of resources and data sources, or those named, with their attributes, as JSON.\n" +
			"With -report it prints the JSON Schema of everything that commands answer with -json.\n" +
			"hew docs prints the same for people.",
		ValidArgsFunction: completeKinds,
		RunE: func(_ *cobra.Command, args []string) error {
			if report {
				_, err := a.out.Write(documentSchema)
				return err
			}
			doc, err := describe(provider.Kinds(), args)
			if err != nil {
				return err
			}
			return writeJSON(a.out, doc)
		},
	}
	cmd.Flags().BoolVar(&report, "report", false, "the JSON Schema of what -json answers")
	return cmd
}

// describe documents the named kinds, or all.
func describe(all schema.Catalog, names []string) (kindsDoc, error) {
	doc := kindsDoc{formatVersion, map[string]kindDoc{}, map[string]kindDoc{}}
	if len(names) == 0 {
		names = kindNames(all)
	}
	for _, n := range names {
		resource, source := all.Resources[n], all.Sources[n]
		if resource == nil && source == nil {
			hint := "; hew schema prints them all"
			if near := didyoumean.Nearest(n, kindNames(all)); near != "" {
				hint = fmt.Sprintf("; did you mean %s?", near)
			}
			return doc, fmt.Errorf("there is no kind %q%s", n, hint)
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

// kindNames are the names of resources and of data sources, each once.
func kindNames(all schema.Catalog) []string {
	names := all.Names()
	for _, n := range all.SourceNames() {
		if all.Resources[n] == nil {
			names = append(names, n)
		}
	}
	return names
}

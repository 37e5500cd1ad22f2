package main

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/spf13/cobra"

	"hew/provider"
	"hew/schema"
)

func (a *app) schemaCommand() *cobra.Command {
	var report bool
	cmd := &cobra.Command{
		Use:   "schema [KIND]...",
		Short: "Print what can be declared, as JSON",
		Long: "hew schema prints all kinds of resources and data sources, or those named, with their attributes, as JSON.\n" +
			"With -report it prints the JSON Schema of what plan, drift, apply and destroy answer with -json.",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return provider.Kinds().Names(), cobra.ShellCompDirectiveNoFileComp
		},
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
	cmd.Flags().BoolVar(&report, "report", false, "the JSON Schema of plan -json and its like")
	return cmd
}

type kindsDoc struct {
	FormatVersion string             `json:"format_version"`
	Resources     map[string]kindDoc `json:"resources"`
	Sources       map[string]kindDoc `json:"data_sources"`
}

type kindDoc struct {
	Doc        string    `json:"description"`
	Owner      string    `json:"owner,omitempty"`   // the attribute that names what it belongs to
	Key        []string  `json:"key,omitempty"`     // the first stated of these recognises an object
	Element    string    `json:"element,omitempty"` // a set kind's elements are of this kind
	Need       string    `json:"need,omitempty"`
	Attributes []attrDoc `json:"attributes"`
}

type attrDoc struct {
	Name      string   `json:"name"`
	Type      string   `json:"type"`
	Mode      string   `json:"mode"`
	Default   any      `json:"default,omitempty"`
	Values    []string `json:"values,omitempty"`    // all that are accepted, where they can be listed
	Reference string   `json:"reference,omitempty"` // the kind it refers to: the resource, an id or a name
	Fixed     bool     `json:"fixed,omitempty"`     // a new value means a new object
	Once      bool     `json:"once,omitempty"`      // said only when the object is created
	Secret    bool     `json:"secret,omitempty"`
	Doc       string   `json:"description"`
}

// describe documents the named kinds, or all.
func describe(all schema.Catalog, names []string) (kindsDoc, error) {
	doc := kindsDoc{formatVersion, map[string]kindDoc{}, map[string]kindDoc{}}
	if len(names) == 0 {
		names = append(all.Names(), all.SourceNames()...)
	}
	for _, n := range names {
		resource, source := all.Resources[n], all.Sources[n]
		if resource == nil && source == nil {
			hint := "; hew schema prints them all"
			if near := nearest(n, append(all.Names(), all.SourceNames()...)); near != "" {
				hint = fmt.Sprintf("; did you mean %s?", near)
			}
			return doc, fmt.Errorf("there is no kind %q%s", n, hint)
		}
		if resource != nil {
			doc.Resources[n] = kindOf(resource)
		}
		if source != nil {
			doc.Sources[n] = kindOf(source)
		}
	}
	return doc, nil
}

var modes = map[schema.Mode]string{schema.Optional: "optional", schema.Required: "required", schema.Computed: "computed"}

func kindOf(k *schema.Kind) kindDoc {
	doc := kindDoc{Doc: k.Doc, Key: k.Match.Keys, Need: k.Need}
	if o := k.Owner(); o != nil {
		doc.Owner = o.Name
	}
	if k.Set != nil {
		doc.Element = k.Set.Element
	}
	for i := range k.Attrs {
		a := &k.Attrs[i]
		d := attrDoc{Name: a.Name, Type: typeOf(a), Mode: modes[a.Mode], Values: a.Words, Reference: a.Ref,
			Fixed: a.Fixed, Once: a.Once, Secret: a.Secret, Doc: a.Doc}
		if a.Default != nil && !a.Secret {
			d.Default, _ = plainValue(a.Default(schema.Object{Kind: k}))
		}
		doc.Attributes = append(doc.Attributes, d)
	}
	return doc
}

// typeOf is the type as a variable block would spell it.
func typeOf(a *schema.Attr) string {
	return strings.Join(strings.Fields(typeexpr.TypeString(a.Type)), " ")
}

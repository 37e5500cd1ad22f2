package docs

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hew/cmd/hew/usage"
	"hew/cmd/manual"
)

// manPath returns the file name of a command's page in the manual: hew-plan.1.
func manPath(cmd *cobra.Command) string { return manName(cmd) + ".1" }

func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// Manual returns a page for every command.
func (r Reference) Manual() []*Page {
	pages := []*Page{manPage(r.root)}
	var below func(*cobra.Command)
	below = func(above *cobra.Command) {
		for _, cmd := range above.Commands() {
			if cmd.IsAvailableCommand() {
				pages = append(pages, manPage(cmd))
				below(cmd)
			}
		}
	}
	below(r.root)
	return pages
}

// ManualNamed returns the pages by the words that follow hew: "plan", "ledger-list"; "" is the page
// of hew.
func (r Reference) ManualNamed() map[string][]*Page {
	by := map[string][]*Page{}
	for _, p := range r.Manual() {
		name := strings.TrimSuffix(strings.TrimPrefix(p.Path, r.root.Name()), ".1")
		by[strings.TrimPrefix(name, "-")] = []*Page{p}
	}
	return by
}

// manPage returns a command's page.
func manPage(cmd *cobra.Command) *Page {
	t := &manual.Page{}
	t.Title(manName(cmd), "1", "hew")
	t.Section("NAME")
	t.Text(manName(cmd) + " - " + strings.ToLower(cmd.Short[:1]) + cmd.Short[1:])
	t.Section("SYNOPSIS")
	t.Line(`\fB%s\fR %s`, manual.Escape(cmd.CommandPath()), manual.Escape(usage.Operands(cmd)))
	t.Section("DESCRIPTION")
	for i, paragraph := range aboutOf(cmd) {
		if i > 0 {
			t.Line(".PP")
		}
		t.Text(paragraph)
	}
	t.List("COMMANDS", each(commandFacts(cmd)))
	t.List("OPTIONS", each(flagFacts(cmd.LocalNonPersistentFlags()), flagFacts(usage.CommonFlags(cmd))))
	if cmd.Example != "" {
		t.Section("EXAMPLES")
		t.Verbatim(exampleOf(cmd))
	}
	t.List("EXIT STATUS", each(exitCodes))
	if !cmd.HasParent() {
		t.List("FILES", each(files))
		t.List("ENVIRONMENT", each(variables))
		return manualPage(t, manPath(cmd))
	}
	t.Section("ENVIRONMENT")
	t.Line(`\fB%s\fR(1) lists all environment variables.`, manual.Escape(manName(cmd.Root())))
	t.Section("SEE ALSO")
	t.Line("%s", strings.Join(seeAlso(cmd), ",\n"))
	return manualPage(t, manPath(cmd))
}

// each iterates over facts, list by list.
func each(lists ...[]fact) iter.Seq2[string, string] {
	return func(yield func(name, is string) bool) {
		for _, f := range slices.Concat(lists...) {
			if !yield(f.name, f.is) {
				return
			}
		}
	}
}

// manualPage returns a man page as a page of the reference.
func manualPage(t *manual.Page, path string) *Page {
	p := &Page{Path: path, Raw: true}
	p.WriteString(t.String())
	return p
}

func commandFacts(cmd *cobra.Command) (facts []fact) {
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			facts = append(facts, fact{manName(sub) + "(1)", sub.Short + "."})
		}
	}
	return facts
}

// seeAlso returns the pages of the command's parent and siblings.
func seeAlso(cmd *cobra.Command) (pages []string) {
	at := func(c *cobra.Command) { pages = append(pages, fmt.Sprintf(`\fB%s\fR(1)`, manual.Escape(manName(c)))) }
	at(cmd.Parent())
	for _, other := range cmd.Parent().Commands() {
		if other != cmd && other.IsAvailableCommand() {
			at(other)
		}
	}
	return pages
}

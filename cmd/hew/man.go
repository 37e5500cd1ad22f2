package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// manPath is the name of a command's page in the manual: hew-plan.1.
func manPath(cmd *cobra.Command) string { return manName(cmd) + ".1" }

func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manual is a page for every command.
func (r reference) manual() []*page {
	pages := []*page{manPage(r.root)}
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

// manualNamed are the pages by the words that follow hew: "plan",
// "ledger-list"; "" is the page of hew itself.
func (r reference) manualNamed() map[string][]*page {
	by := map[string][]*page{}
	for _, p := range r.manual() {
		name := strings.TrimSuffix(strings.TrimPrefix(p.path, r.root.Name()), ".1")
		by[strings.TrimPrefix(name, "-")] = []*page{p}
	}
	return by
}

// manPage is a command's page. It names no date and no version, so that it
// changes with the command alone.
func manPage(cmd *cobra.Command) *page {
	t := &troff{}
	t.request("TH", strings.ToUpper(manName(cmd)), "1", "", "hew", "Manual of hew")
	t.section("NAME")
	t.text(manName(cmd) + " - " + strings.ToLower(cmd.Short[:1]) + cmd.Short[1:])
	t.section("SYNOPSIS")
	t.line(`\fB%s\fR %s`, escape(cmd.CommandPath()), escape(operands(cmd)))
	t.section("DESCRIPTION")
	t.text(aboutOf(cmd))
	t.list("COMMANDS", commandFacts(cmd))
	t.list("OPTIONS", append(flagFacts(cmd.LocalNonPersistentFlags()), flagFacts(commonFlags(cmd))...))
	if cmd.Example != "" {
		t.section("EXAMPLES")
		t.verbatim(exampleOf(cmd))
	}
	t.list("EXIT STATUS", exitCodes)
	if !cmd.HasParent() {
		t.list("FILES", files)
		t.list("ENVIRONMENT", variables)
		return t.page(manPath(cmd))
	}
	t.section("ENVIRONMENT")
	t.line(`\fB%s\fR(1) has all variables that are read.`, escape(manName(cmd.Root())))
	t.section("SEE ALSO")
	t.line("%s", strings.Join(seeAlso(cmd), ",\n"))
	return t.page(manPath(cmd))
}

func commandFacts(cmd *cobra.Command) (facts []fact) {
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			facts = append(facts, fact{manName(sub) + "(1)", sub.Short + "."})
		}
	}
	return facts
}

// seeAlso leads one step up and to what is next to the command.
func seeAlso(cmd *cobra.Command) (pages []string) {
	at := func(c *cobra.Command) { pages = append(pages, fmt.Sprintf(`\fB%s\fR(1)`, escape(manName(c)))) }
	at(cmd.Parent())
	for _, other := range cmd.Parent().Commands() {
		if other != cmd && other.IsAvailableCommand() {
			at(other)
		}
	}
	return pages
}

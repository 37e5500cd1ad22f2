package docs

import (
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hew/cmd/hew/usage"
	"hew/provider"
	"hew/reconcile/function"
	"hew/reconcile/guard"
	"hew/reconcile/report"
)

// index leads to all other pages.
func (r Reference) index() *Page {
	p := r.page(indexPage)
	p.heading(1, "Reference of hew")
	p.line("What can be declared, and how. `hew docs` prints these pages (`hew docs project_hook`), and `hew schema` prints the same as JSON.")
	r.list(p, "Resources", r.kinds.Resources, resourcePage)
	r.list(p, "Data sources", r.kinds.Sources, sourcePage)
	p.heading(2, "More")
	p.line("- %s: what expressions can call", p.link("functions", functionsPage))
	p.line("- %s: what a plan is held to before anything is written", p.link("guards", guardsPage))
	p.line("- %s: what to type, exit codes, environment", p.link("commands", commandsPage))
	p.line("- %s: the services that projects and groups can be tied to, and what each takes", p.link("Integrations", integrationsPage))
	p.line("- %s: what the Terraform provider calls all this; its configurations run as they are", p.link("Coming from Terraform", terraformPage))
	p.line("- %s: what becomes of each section of its YAML", p.link("Coming from gitlabform", gitlabformPage))
	p.heading(2, "About the examples")
	p.line("Every example is applied to a server in hew's own tests. They refer to one another's groups and projects by these:\n")
	p.code("hcl", provider.SharedExample())
	return p
}

func (r Reference) list(p *Page, title string, kinds map[string]Kind, at func(string) string) {
	p.heading(2, title)
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		first, _, _ := strings.Cut(kinds[name].Doc, ". ")
		p.line("- %s: %s", p.link(code(name), at(name)), p.prose(strings.TrimSuffix(first, ".")))
	}
}

// guards are what a plan is held to.
func (r Reference) guards() *Page {
	p := r.page(guardsPage)
	p.heading(1, "Guards")
	p.line("Guards look at the whole plan before the first write, in `hew plan` and again in `hew apply`. One that trips names the objects, " +
		"and nothing at all is written.\n")
	p.line("A guard is lifted in the configuration, so that the lift is reviewed like everything else: for the objects of a block by " +
		"`lifecycle`, or for all by a limit of the `hew` block. An object that is no longer declared lifts it in its `removed` block. " +
		"Plans warn of a lift without which no guard would trip for what they change.\n")
	p.code("hcl", `hew {
  guards {
    max_deletes = 10
  }
}

resource "group_members" "platform" {
  # ...
  lifecycle {
    allow = ["mass-delete"]
  }
}`)
	p.line("\n| guard | trips when | lift |\n|---|---|---|")
	for _, rule := range guard.Rules() {
		p.line("| %s | %s | %s |", code(rule.Code), rule.Trips, either(report.Lifts(rule)))
	}
	p.line("\n`allow = [%q]` is no guard: it brings back what the host has marked for deletion.", guard.Restore)
	return p
}

// functions are what expressions can call.
func (r Reference) functions() *Page {
	p := r.page(functionsPage)
	p.heading(1, "Functions")
	p.line("What is in brackets has to be given, but for what ends in `...`: that is given any number of times, or not at all. " +
		"Where the type of the result depends on the arguments, none is shown.")
	groups := map[string][]function.Signature{}
	for _, f := range function.Signatures() {
		groups[f.Group] = append(groups[f.Group], f)
	}
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		p.heading(2, capital(group))
		for _, f := range groups[group] {
			p.line("- %s: %s", code(f.String()), p.prose(f.Doc))
		}
	}
	p.heading(2, "Left out")
	p.line("These functions of Terraform are not in hew, which says so where they are called.\n")
	absent := function.Absent()
	for _, name := range slices.Sorted(maps.Keys(absent)) {
		p.line("- %s: %s", code(name), p.prose(absent[name]))
	}
	return p
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// commands are what to type.
func (r Reference) commands() *Page {
	p := r.page(commandsPage)
	p.heading(1, "Commands")
	p.line("%s\n", aboutOf(r.root))
	p.line("Flags are typed with one dash or two, before or after what they apply to: `-o=FILE`, `-target ADDR`, `--target=ADDR`.\n")
	r.flagTable(p, usage.CommonFlags(r.root))
	r.command(p, r.root, 2)
	p.heading(2, "Exit codes")
	p.table("code", "means", exitCodes)
	p.heading(2, "Environment")
	p.table("variable", "is", coded(variables))
	p.heading(2, "Files")
	p.table("file", "is", coded(files))
	return p
}

// coded sets names as code.
func coded(facts []fact) []fact {
	out := make([]fact, len(facts))
	for i, f := range facts {
		out[i] = fact{code(f.name), f.is}
	}
	return out
}

// command describes all commands below one.
func (r Reference) command(p *Page, above *cobra.Command, level int) {
	for _, cmd := range above.Commands() {
		if !cmd.IsAvailableCommand() {
			continue
		}
		p.heading(level, cmd.CommandPath())
		p.code("", cmd.CommandPath()+" "+usage.Operands(cmd))
		p.line("\n%s", aboutOf(cmd))
		if cmd.Example != "" {
			p.line("")
			p.code("", exampleOf(cmd))
		}
		own := cmd.LocalNonPersistentFlags()
		if cmd.HasAvailableSubCommands() {
			own = cmd.LocalFlags()
		}
		if own.HasAvailableFlags() {
			p.line("")
			r.flagTable(p, own)
		}
		r.command(p, cmd, level+1)
	}
}

func (r Reference) flagTable(p *Page, set *pflag.FlagSet) {
	p.table("flag", "is for", coded(flagFacts(set)))
}

// flagFacts are flags as people type them.
func flagFacts(set *pflag.FlagSet) (facts []fact) {
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		spelled, description := usage.SpellFlag(f)
		facts = append(facts, fact{spelled, description})
	})
	return facts
}

// aboutOf is what a command is for, as one flow of text.
func aboutOf(cmd *cobra.Command) string {
	if cmd.Long == "" {
		return cmd.Short + "."
	}
	return strings.ReplaceAll(cmd.Long, "\n", " ")
}

// exampleOf is a command's example without the indent that help gives it.
func exampleOf(cmd *cobra.Command) string {
	return strings.ReplaceAll("\n"+cmd.Example, "\n  ", "\n")[1:]
}

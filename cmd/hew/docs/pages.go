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

// index returns the page that links to all others.
func (r Reference) index() *Page {
	p := r.page(indexPage)
	p.heading(1, "Reference of hew")
	p.line("All kinds of resources and data sources, with their attributes. `hew docs` prints these pages (`hew " +
		"docs project_hook`), and `hew schema` prints the same as JSON.")
	r.list(p, "Resources", r.kinds.Resources, resourcePage)
	r.list(p, "Data sources", r.kinds.Sources, sourcePage)
	p.heading(2, "More")
	p.line("- %s: the functions of expressions", p.link("functions", functionsPage))
	p.line("- %s: the checks of a plan before anything is written", p.link("guards", guardsPage))
	p.line("- %s: commands, flags, exit codes, environment variables", p.link("commands", commandsPage))
	p.line("- %s: the integrations of projects and groups, with their parameters",
		p.link("Integrations", integrationsPage))
	p.line("- %s: the names of the Terraform provider; its configurations run unchanged",
		p.link("Coming from Terraform", terraformPage))
	p.line(
		"- %s: the resources that replace each section of its YAML", p.link("Coming from gitlabform", gitlabformPage),
	)
	p.heading(2, "About the examples")
	p.line("hew's tests apply every example to a server. The examples share these groups and projects:\n")
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

// guards returns the page about guards.
func (r Reference) guards() *Page {
	p := r.page(guardsPage)
	p.heading(1, "Guards")
	p.line("Guards check the whole plan before the first write, in `hew plan` and again in `hew apply`. A guard that " +
		"stops the run names the objects, and hew writes nothing.\n")
	p.line("Guards are overridden in the configuration, where the override is reviewed like everything else: for " +
		"the objects of a block in " +
		"`lifecycle`, or for all objects by a limit in the `hew` block. For an object that is no longer declared, " +
		"the override is in its " +
		"`removed` block. Plans warn about unused overrides.\n")
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
	p.line("\n| guard | stops the run if | override |\n|---|---|---|")
	for _, rule := range guard.Rules() {
		p.line("| %s | %s | %s |", code(rule.Code), rule.Trips, either(report.Lifts(rule)))
	}
	p.line("\n`allow = [%q]` overrides no guard: it restores objects that the host has marked for deletion.",
		guard.Restore)
	return p
}

// functions returns the page about functions.
func (r Reference) functions() *Page {
	p := r.page(functionsPage)
	p.heading(1, "Functions")
	p.line("Arguments are required. An argument that ends in `...` can be given any number of times, or not at all. " +
		"The type of the result is omitted if it depends on the arguments.")
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
	p.line("hew does not have these functions of Terraform, and says so where they are called.\n")
	absent := function.Absent()
	for _, name := range slices.Sorted(maps.Keys(absent)) {
		p.line("- %s: %s", code(name), p.prose(absent[name]))
	}
	return p
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// commands returns the page about commands.
func (r Reference) commands() *Page {
	p := r.page(commandsPage)
	p.heading(1, "Commands")
	p.line("%s\n", strings.Join(aboutOf(r.root), "\n\n"))
	p.line(
		"Flags have one dash or two and come before or after arguments: `-o=FILE`, `-target ADDR`, `--target=ADDR`.\n",
	)
	r.flagTable(p, usage.CommonFlags(r.root))
	r.command(p, r.root, 2)
	p.heading(2, "Exit codes")
	p.table("code", "meaning", exitCodes)
	p.heading(2, "Environment")
	p.table("variable", "meaning", coded(variables))
	p.heading(2, "Files")
	p.table("file", "content", coded(files))
	return p
}

// coded returns facts with their names as code.
func coded(facts []fact) []fact {
	out := make([]fact, len(facts))
	for i, f := range facts {
		out[i] = fact{code(f.name), f.is}
	}
	return out
}

// command writes the sections of all subcommands of a command.
func (r Reference) command(p *Page, above *cobra.Command, level int) {
	for _, cmd := range above.Commands() {
		if !cmd.IsAvailableCommand() {
			continue
		}
		p.heading(level, cmd.CommandPath())
		p.code("", cmd.CommandPath()+" "+usage.Operands(cmd))
		p.line("\n%s", strings.Join(aboutOf(cmd), "\n\n"))
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
	p.table("flag", "meaning", coded(flagFacts(set)))
}

// flagFacts returns the flags of a set as people type them.
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

// aboutOf returns the paragraphs of a command's description, each on one line.
func aboutOf(cmd *cobra.Command) (paragraphs []string) {
	if cmd.Long == "" {
		return []string{cmd.Short + "."}
	}
	for paragraph := range strings.SplitSeq(cmd.Long, "\n\n") {
		paragraphs = append(paragraphs, strings.ReplaceAll(paragraph, "\n", " "))
	}
	return paragraphs
}

// exampleOf returns a command's examples without the indent of its help.
func exampleOf(cmd *cobra.Command) string {
	return strings.ReplaceAll("\n"+cmd.Example, "\n  ", "\n")[1:]
}

package docs

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"hew/schema"
)

// terraformFacts holds how hew treats the other parts of a Terraform configuration.
var terraformFacts = []fact{
	{"*.tf, *.tf.json", "are read like *.hcl files."},
	{"override.tf, *_override.tf",
		"override other files, and so does *_override.hcl: arguments replace those of the block with the same name, " +
			"and nested blocks replace all of their type."},
	{"terraform.tfvars, *.auto.tfvars",
		"are read before hew's own variable files, also with .json at the end; `TF_VAR_name` works too."},
	{`provider "gitlab"`, "`token` and `base_url` are used; without `token`, `HEW_URL` has to name the host too. " +
		"Several blocks have to name the same host. Certificates are set in the environment."},
	{"terraform", "is ignored. hew neither reads nor writes the state: the first plan finds existing objects by " +
		"name, and the ledger records them."},
	{"module", "calls local directories. Copy modules of registries and repositories into the repository. " +
		"`providers` has no effect."},
	{"moved, removed, import",
		"use the names of the blocks, as do depends_on, ignore_changes, replace_triggered_by, -target and -replace. " +
			"A move from gitlab_group.a to group.a leaves Terraform's names behind."},
	{"plans", "show attributes by the names that the block uses, with hew's values. Paths in JSON have hew's names."},
	{"null, \"\", 0, []",
		"state nothing where the argument has no such value, as in Terraform's provider: `parent_id = 0` is the " +
			"top level. Hew's own names know only null."},
	{"timeouts, provider", "have no effect."},
	{"provisioner, connection, ephemeral", "are errors, because hew cannot run them."},
	{"other providers", "Their blocks are ignored with a note. A reference to one of them is an error."},
}

// terraformCommands maps commands of Terraform to those of hew.
var terraformCommands = []fact{
	{"terraform init", "Not needed: there are no plugins, and the hew block names the ledger."},
	{"terraform plan -out=tfplan", "`hew plan -out=plan.json`. The file holds no secrets."},
	{"terraform show tfplan", "`hew show plan.json`, in every format."},
	{"terraform apply tfplan", "`hew apply plan.json`, which plans again and applies that plan or nothing."},
	{"terraform plan -refresh-only",
		"`hew drift`, which shows only what others changed; `-adopt` writes it into the files. `hew plan " +
			"-refresh-only` works too."},
	{"terraform import, import blocks",
		"Not needed: existing objects with the same key are adopted, and the plan says so. Import blocks work, for " +
			"objects with another key."},
	{"terraform query, -generate-config-out", "`hew pull group/PATH -out=DIR`."},
	{"terraform state list, show, mv, rm",
		"`hew ledger list`, `show`, `mv`, `rm`. The ledger has only ids and digests."},
	{"terraform state pull, push", "`hew ledger pull`, `push`."},
	{"terraform force-unlock", "`hew ledger unlock`."},
	{"terraform taint, -replace", "`-replace=ADDRESS`."},
	{"terraform validate, fmt, console, output, graph",
		"The same commands of hew. `validate` needs no host and no `init`."},
	{"terraform workspace", "A directory or a ledger for each; `hew plan DIR...` plans several concurrently."},
	{"terraform test", "`check` blocks, preconditions and postconditions; hewd as a host for tests."},
}

// terraformDifferences holds how hew differs from Terraform.
var terraformDifferences = []fact{
	{"The state holds every attribute, secrets too.", "The ledger holds ids and keyed digests. It can be committed."},
	{"A plan reads each object.", "A plan lists collections, a hundred objects per request."},
	{"Drift and change look alike.", "Each difference is marked `config`, `drift` or `both`."},
	{"An omitted argument is computed or has a default.",
		"An omitted argument is left alone; a removed one returns to its default, and the plan shows it."},
	{"Undeclared objects are invisible.",
		"`exclusive` blocks and sets delete them, and `hew drift -strays` lists them."},
	{"Only `prevent_destroy` stops a deletion.",
		"Guards check the whole plan: many deletions, the last owner, your own access. They are overridden in the " +
			"configuration."},
	{"One error stops the run.",
		"It stops what depends on it. The rest is applied, the run exits 1, and the next run finishes."},
}

// terraform returns the page about the names of the Terraform provider.
func (r Reference) terraform() *Page {
	p := r.page(terraformPage)
	p.heading(1, "Coming from Terraform")
	p.line("Configurations for the Terraform provider for GitLab run unchanged: `resource \"gitlab_group\"` is a %s "+
		"with Terraform's attribute names. "+
		"The block keeps its name in addresses, messages and the ledger. An object that is declared under both "+
		"names is an error. "+
		"Attributes that are not listed here have the same name in both.", p.link("group", resourcePage("group")))
	p.heading(2, "Migration")
	p.line("1. Run `hew plan` in the directory of the configuration, with the same token and host in the " +
		"environment. No state is imported.\n" +
		"2. Apart from adoptions, the plan shows what Terraform's plan would show, or could not see.\n" +
		"3. Run `hew apply` to record the adoptions. You can use Terraform beside hew for a while: hew does not " +
		"touch its state.\n" +
		"4. To change to the shorter names, move block by block: `moved { from = gitlab_group.a  to = group.a }`. " +
		"Or write new files with `hew pull`.")
	p.heading(2, "Commands")
	p.table("terraform", "hew", coded(terraformCommands))
	p.heading(2, "Differences")
	p.table("Terraform", "hew", terraformDifferences)
	p.heading(2, "Other language elements")
	p.table("in Terraform", "in hew", coded(terraformFacts))
	var left []*schema.Alias
	resources, sources := newSections(), newSections()
	all := r.catalog.Aliases()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		switch a := all[name]; {
		case a.Kind == nil:
			left = append(left, a)
		case strings.HasPrefix(name, "data."):
			sources.add(a.Type, r.alias(p, a))
		default:
			resources.add(a.Type, r.alias(p, a))
		}
	}
	p.heading(2, "Resources")
	resources.write(p)
	p.heading(2, "Data sources")
	sources.write(p)
	p.heading(2, "Unsupported types")
	p.line(
		"hew has no kind for these types. Their blocks are ignored with a note, and references to them are errors.\n",
	)
	for _, a := range left {
		p.line("- %s%s", code(a.Type), reason(p, a.Note))
	}
	return p
}

// Called returns the pages by their names, and for each type of Terraform its differences and the
// page of its kind.
func (r Reference) Called() map[string][]*Page {
	by := r.Named()
	for name, a := range r.catalog.Aliases() {
		p := r.page(terraformPage)
		p.heading(1, code(name))
		by[name] = []*Page{p}
		if a.Kind == nil {
			p.line("hew does not support this type%s", reason(p, a.Note))
			continue
		}
		p.line("%s", r.alias(p, a))
		by[name] = append(by[name], by[strings.TrimSuffix(a.Type, strings.TrimPrefix(a.Type, "data."))+a.Kind.Name]...)
	}
	return by
}

// grouped are texts with the names that they hold for, in the order of the first
// of these.
type grouped struct {
	texts []string
	names map[string][]string
}

func newSections() *grouped { return &grouped{names: map[string][]string{}} }

func (g *grouped) add(name, text string) {
	if g.names[text] == nil {
		g.texts = append(g.texts, text)
	}
	g.names[text] = append(g.names[text], name)
}

// write is a section for each text.
func (g *grouped) write(p *Page) {
	for _, text := range g.texts {
		p.heading(3, strings.Join(g.names[text], ", "))
		p.line("%s", text)
	}
}

// items is a line for each text.
func (g *grouped) items(b *strings.Builder) {
	for _, text := range g.texts {
		names := make([]string, len(g.names[text]))
		for i, name := range g.names[text] {
			names[i] = code(name)
		}
		fmt.Fprintf(b, "- %s: %s\n", strings.Join(names, ", "), text)
	}
}

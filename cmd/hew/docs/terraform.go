package docs

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// terraformFacts are what becomes of the rest of a configuration that was written
// for Terraform.
var terraformFacts = []fact{
	{"*.tf, *.tf.json", "are read like *.hcl, beside them or alone."},
	{"override.tf, *_override.tf", "are laid over the others, and so are *_override.hcl: arguments of a block replace those of the block that has its name, nested blocks all of their type."},
	{"terraform.tfvars, *.auto.tfvars", "are read before hew's own files of variables, with .json at their ends too; `TF_VAR_name` is understood."},
	{`provider "gitlab"`, "`token` and `base_url` are taken. Several blocks have to name one host: a run speaks to one. What concerns certificates is said in the environment."},
	{"terraform", "needs nothing. The state is neither read nor written: the first plan finds what is there by its name, and the ledger remembers it."},
	{"module", "calls directories, by a path. Modules of registries and repositories are brought along; providers that are handed on are no matter."},
	{"moved, removed, import", "speak the names that the blocks have, and so do depends_on, ignore_changes, replace_triggered_by, -target and -replace. " +
		"A move from gitlab_group.a to group.a is the way out of Terraform's names."},
	{"plans", "show attributes by the names that the block is written in, and values as hew has them. The paths in JSON are the kind's own names."},
	{"timeouts, provider", "have no effect."},
	{"provisioner, connection, ephemeral", "are errors: something would be left undone."},
	{"other providers", "Their blocks are left alone, with a note. Whatever refers to one of them is an error."},
}

// terraformCommands are what people type there, and here.
var terraformCommands = []fact{
	{"terraform init", "Nothing: there are no plugins, and the ledger is found where the hew block says."},
	{"terraform plan -out=tfplan", "`hew plan -out=plan.json`. No secret is in it."},
	{"terraform show tfplan", "`hew show plan.json`, in every format."},
	{"terraform apply tfplan", "`hew apply plan.json`, which plans once more and does that plan or nothing."},
	{"terraform plan -refresh-only", "`hew drift`, which tells what others changed and nothing else; `-adopt` writes it into the files. `-refresh-only` is understood."},
	{"terraform import, import blocks", "Nothing: what is there under the same key is adopted, and the plan says so. The blocks are understood, for what is called otherwise."},
	{"terraform query, -generate-config-out", "`hew pull group/PATH -out=DIR`."},
	{"terraform state list, show, mv, rm", "`hew ledger list`, `show`, `mv`, `rm`. The ledger has ids and digests, and losing it loses nothing on the host."},
	{"terraform state pull, push", "`hew ledger pull`, `push`."},
	{"terraform force-unlock", "`hew ledger unlock`."},
	{"terraform taint, -replace", "`-replace=ADDRESS`."},
	{"terraform validate, fmt, console, output, graph", "the same, called alike. `validate` needs no host, and no `init`."},
	{"terraform workspace", "A directory or a ledger for each; `hew plan DIR ...` plans several at once."},
	{"terraform test", "`check` blocks, preconditions and postconditions; hewd to try things against."},
}

// terraformWays are what is another here.
var terraformWays = []fact{
	{"The state holds every attribute, secrets too.", "The ledger holds ids and keyed digests. It may be committed."},
	{"A plan reads each object.", "A plan lists collections, a hundred objects a request."},
	{"Drift and change look alike.", "Each difference says which it is: `config`, `drift`, `both`."},
	{"An argument that is left out is computed, or a default.", "An argument that is left out is left alone; one that goes is given back to its default, and the plan says so."},
	{"What no resource declares is not seen.", "`exclusive` blocks and sets delete it, `hew drift -strays` tells of it."},
	{"`prevent_destroy` is all that stops a deletion.", "Guards look at the whole plan: many deletions, the last owner, your own access. They are lifted in the configuration."},
	{"One error stops the run.", "It stops what depends on it. The rest is done, the run ends with 1, and the next one finishes."},
}

// terraform are the names that the Terraform provider has.
func (r Reference) terraform() *Page {
	p := r.page(terraformPage)
	p.heading(1, "Coming from Terraform")
	p.line("Configurations for the Terraform provider for GitLab run as they are: `resource \"gitlab_group\"` is a %s, and takes and shows what Terraform calls its attributes. "+
		"A block keeps its name, in addresses, messages and the ledger; what it stands for on the host goes by the kind, so that an object that is declared "+
		"under both names is told of. Attributes that are not listed here are called the same.", p.link("group", resourcePage("group")))
	p.heading(2, "The way over")
	p.line("1. In the directory of the configuration: `hew plan`, with the token and the host in the environment as before. No state is imported.\n" +
		"2. What the plan shows beside adoptions is what Terraform's own plan would show, or what it could not see.\n" +
		"3. `hew apply` records the adoptions. Terraform may go on beside it for a while: hew does not touch its state.\n" +
		"4. Where one wants to, a block at a time gets the shorter names: `moved { from = gitlab_group.a  to = group.a }`, or all at once by `hew pull`, which writes what is there anew.")
	p.heading(2, "What is typed")
	p.table("terraform", "hew", coded(terraformCommands))
	p.heading(2, "What is another")
	p.table("Terraform", "hew", terraformWays)
	p.heading(2, "Besides types")
	p.table("what", "becomes of it", coded(terraformFacts))
	var left []*schema.Alias
	resources, sources := newSections(), newSections()
	all := r.catalog.Aliases
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
	p.heading(2, "What is not managed")
	p.line("These types have no kind in hew. A block of one is left alone, with a note, and a reference to it is an error.\n")
	for _, a := range left {
		p.line("- %s%s", code(a.Type), reason(p, a.Note))
	}
	return p
}

// Called are the pages by their names, and for each type of Terraform's what is
// different about it and the page of its kind.
func (r Reference) Called() map[string][]*Page {
	by := r.Named()
	for name, a := range r.catalog.Aliases {
		p := r.page(terraformPage)
		p.heading(1, code(name))
		by[name] = []*Page{p}
		if a.Kind == nil {
			p.line("This type of Terraform's is not managed%s", reason(p, a.Note))
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

// alias is what is to be said of one type.
func (r Reference) alias(p *Page, a *schema.Alias) string {
	if a.Cases != nil {
		var all []string
		for _, word := range slices.Sorted(maps.Keys(a.Cases)) {
			all = append(all, fmt.Sprintf("Where %s: ", code(fmt.Sprintf("%s = %q", a.By, word)))+r.alias(p, a.Cases[word]))
		}
		return strings.Join(all, "\n\n")
	}
	to := resourcePage(a.Kind.Name)
	if strings.HasPrefix(a.Type, "data.") {
		to = sourcePage(a.Kind.Name)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Here it is %s", p.link(code(a.Kind.Name), to))
	for name, v := range a.Fixed {
		fmt.Fprintf(&b, " with %s", code(name+" = "+schema.Encode(v)))
	}
	b.WriteString(".")
	if a.ID != "" && a.ID != "-" {
		fmt.Fprintf(&b, " Its `id` is %s.", code(a.ID))
	}
	if a.Note != "" {
		b.WriteString(" " + p.prose(a.Note))
	}
	b.WriteString("\n\n")
	lines := newSections()
	for i := range a.Names {
		n := &a.Names[i]
		if !n.Alike && (n.Name != n.Attr || n.Way+n.Note != "" || n.Default != cty.NilVal) {
			lines.add(n.Name, apart(p, n))
		}
		for k := range n.Fields {
			if f := &n.Fields[k]; !f.Alike {
				lines.add(n.Name+"."+f.Name, apart(p, f))
			}
		}
	}
	lines.items(&b)
	return strings.TrimRight(b.String(), "\n")
}

// apart says what is different about an attribute.
func apart(p *Page, n *schema.Naming) string {
	switch {
	case n.Attr == "" && n.Refused:
		return "an error" + reason(p, n.Note)
	case n.Attr == "":
		return "not managed" + reason(p, n.Note)
	case n.Shape == schema.Beside:
		return fmt.Sprintf("the block is a %s of its own, by the name of the block that it stands in.", code(n.Attr))
	}
	text := code(n.Attr)
	switch {
	case n.Part != "":
		text = "a part of " + text
	case n.Shape != schema.Argument:
		text += ", as a block"
	}
	if n.Way != "" {
		text += ", " + n.Way
	}
	if n.Shown {
		text += ", to refer to"
	}
	if n.Default != cty.NilVal {
		text += "; " + code(schema.Encode(n.Default)) + " where nothing is stated"
	}
	return text + reason(p, n.Note)
}

// reason ends a sentence, with a reason if there is one.
func reason(p *Page, note string) string {
	if note == "" {
		return "."
	}
	return ": " + p.prose(note) + "."
}

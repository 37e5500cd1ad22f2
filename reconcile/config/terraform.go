package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/didyoumean"
	"hew/schema"
)

// What stands in files that were written for Terraform and is about Terraform
// itself: what it needs, where it keeps its state, whose resources are others'.

// isTerraform tells a file that was written for Terraform by its name.
func isTerraform(file string) bool {
	return strings.HasSuffix(file, ".tf") || strings.HasSuffix(file, ".tf.json")
}

// terraformRoot is what may stand at the top of such a file: its provider blocks
// say whose they are.
var terraformRoot hcl.BodySchema

func init() {
	terraformRoot.Blocks = slices.Clone(rootSchema.Blocks)
	for i := range terraformRoot.Blocks {
		if b := &terraformRoot.Blocks[i]; b.Type == "provider" {
			b.LabelNames = []string{"name"}
		}
	}
}

func topOf(file string) *hcl.BodySchema {
	if isTerraform(file) {
		return &terraformRoot
	}
	return &rootSchema
}

// alsoIn is a schema with an argument that blocks of such files may have besides.
func alsoIn(s *hcl.BodySchema, b *hcl.Block, name string) *hcl.BodySchema {
	if !isTerraform(b.DefRange.Filename) {
		return s
	}
	return &hcl.BodySchema{Attributes: append(slices.Clone(s.Attributes), hcl.AttributeSchema{Name: name}), Blocks: s.Blocks}
}

// ephemeral reads an argument that says that a value is written nowhere: here it
// is a secret, which is written nowhere either.
func (l *loader) ephemeral(a *hcl.Attribute, sensitive *bool) {
	is := false
	l.constant(a, &is)
	*sensitive = *sensitive || is
}

var terraformSchema = hcl.BodySchema{
	Attributes: []hcl.AttributeSchema{{Name: "required_version"}, {Name: "experiments"}},
	Blocks: []hcl.BlockHeaderSchema{{Type: "required_providers"}, {Type: "backend", LabelNames: []string{"type"}}, {Type: "cloud"},
		{Type: "provider_meta", LabelNames: []string{"provider"}}},
}

// requires reads which other providers a terraform block needs.
func (l *loader) requires(b *hcl.Block) {
	content, _, _ := b.Body.PartialContent(&terraformSchema)
	for _, in := range content.Blocks.OfType("required_providers") {
		attrs, _ := in.Body.JustAttributes()
		for name := range attrs {
			l.mod.others[name] = name != hostProvider
		}
	}
}

// hostProvider is what the provider block for the host is called there.
const hostProvider = "gitlab"

// terraform checks a terraform block, of which hew needs nothing.
func (l *loader) terraform(b *hcl.Block) {
	content, _ := l.content(b.Body, &terraformSchema, "A terraform block", b.DefRange)
	for _, in := range content.Blocks {
		if in.Type == "backend" || in.Type == "cloud" {
			l.note(in.DefRange, "the state that Terraform keeps is neither read nor written. hew finds what is there by itself, and keeps a ledger of its own")
			return
		}
	}
	if isTerraform(b.DefRange.Filename) && content.Attributes["experiments"] == nil {
		return // what it requires is for Terraform to know
	}
	l.note(b.DefRange, "the terraform block is ignored; hew has a hew block of its own")
}

func (l *loader) note(at hcl.Range, format string, args ...any) {
	l.notes = append(l.notes, Place(at)+": "+sentence(fmt.Sprintf(format, args...)))
}

// providerArguments are what a provider block of Terraform may say: nil for what
// hew understands itself, else what becomes of it.
var providerArguments = []struct {
	name, why string
	refused   bool
}{
	{name: "token"}, {name: "base_url"}, {name: "alias"},
	{"early_auth_check", "hew asks the host who it is before every plan", false},
	{"retries", "hew tries again as often as it makes sense", false},
	{"insecure", "hew speaks to no host whose certificate it cannot verify. Put the certificate of its authority into a file and name it in the environment, HEW_CA_FILE", true},
	{"cacert_file", "name the file in the environment, HEW_CA_FILE", true},
	{"client_cert", "name its file in the environment, HEW_CLIENT_CERT", true},
	{"client_key", "name its file in the environment, HEW_CLIENT_KEY", true},
	{"headers", "hew sends no further headers", true},
	{"config_file", "set HEW_TOKEN and HEW_URL in the environment", true},
	{"context", "set HEW_TOKEN and HEW_URL in the environment", true},
	{"enable_auto_ci_support", "set HEW_TOKEN and HEW_URL in the environment", true},
}

// labelled reads a provider block that says whose it is.
func (l *loader) labelled(b *hcl.Block) {
	if b.Labels[0] != hostProvider {
		l.mod.others[b.Labels[0]] = true
		l.note(b.DefRange, "the provider %q is another one's, and what is declared for it is not managed", b.Labels[0])
		return
	}
	s := &hcl.BodySchema{}
	for _, a := range providerArguments {
		s.Attributes = append(s.Attributes, hcl.AttributeSchema{Name: a.name})
	}
	content, _ := l.content(b.Body, s, "The provider block of "+hostProvider, b.DefRange)
	set := &settings{}
	name, alias := "provider", content.Attributes["alias"]
	if alias != nil {
		var text string
		l.constant(alias, &text)
		name = "provider " + hostProvider + "." + text
	}
	for _, a := range providerArguments {
		in := content.Attributes[a.name]
		switch {
		case in == nil || a.name == "alias":
		case a.why != "":
			l.passedOverIn(in, a.why, a.refused, "the provider block")
		default:
			set.attrs = append(set.attrs, in)
			if a.name == "token" {
				l.mask(in.Expr)
			}
		}
	}
	switch {
	case !l.settle(b, name, set):
	case l.provider == nil:
		l.provider = set
	default:
		l.hosts = append(l.hosts, set)
	}
}

func (l *loader) passedOverIn(in *hcl.Attribute, why string, refused bool, of string) {
	t := translation{loader: l}
	t.passedOver(&schema.Naming{Name: in.Name, Note: why, Refused: refused}, in.Expr, in.NameRange, of)
}

// implied are the providers that need no declaration.
var implied = []string{"archive", "aws", "azurerm", "external", "google", "helm", "http", "kubernetes", "local", "null", "random", "terraform", "time", "tls", "vault"}

// leave passes over a block that is not hew's to manage: of a type that it has no
// kind for, or of another provider. What refers to it is told so.
func (l *loader) leave(b *hcl.Block, mode addr.Mode) bool {
	typ := b.Labels[0]
	why := ""
	prefix, _, _ := strings.Cut(typ, "_")
	switch a := l.aliasOf(mode, typ); {
	case a != nil && a.Kind != nil:
		return false
	case a != nil:
		if why = a.Note; why == "" {
			why = "hew has no kind for it"
		}
	case isTerraform(b.DefRange.Filename) && (l.mod.others[prefix] || slices.Contains(implied, prefix)):
		why = "it is another provider's"
	default:
		return false
	}
	name := addr.Block{Mode: mode, Kind: typ, Name: b.Labels[1]}.String()
	l.mod.unmanaged[name] = why
	l.note(b.DefRange, "%s is not managed: %s", name, why)
	return true
}

// declaredAs is the name of the block that a reference begins with.
func declaredAs(t hcl.Traversal) string {
	n := 2
	if t.RootName() == "data" {
		n = 3
	}
	return spelled(t[:min(n, len(t))])
}

// likeType proposes a type where one is not known.
func (l *loader) likeType(typ, mode string, names []string) string {
	if !strings.HasPrefix(typ, hostProvider+"_") || len(l.kinds.Aliases) == 0 {
		return l.likeKind(typ, names) + " hew schema lists all kinds."
	}
	var types []string
	for name := range l.kinds.Aliases {
		if there, ok := strings.CutPrefix(name, mode); ok && strings.HasPrefix(name, "data.") == (mode == "data.") {
			types = append(types, there)
		}
	}
	slices.Sort(types)
	return didyoumean.Hint(typ, types)
}

// misleads tells whether what identifies an instance is stated where another
// kind is referred to. Ids are texts in the other tool's names, and so are paths,
// which say for themselves what they are of.
func (c *Config) misleads(i addr.Instance, ref string, v cty.Value) bool {
	kind := c.kinds.Resource(i.Kind)
	if kind == nil || kind.Name == ref || c.kinds.Resources[ref] == nil {
		return false
	}
	if v.Type() != cty.String {
		return true
	}
	return c.kinds.Aliases[i.Kind] != nil && (!v.IsKnown() || strings.Trim(v.AsString(), "0123456789") == "")
}

// importID is the id of an import as hew writes it: one that names an owner alone
// goes on with what is known of the object.
func (c *Config) importID(to addr.Instance, id string) string {
	a := c.kinds.Aliases[to.Kind]
	if a == nil || a.Kind.Owner() == nil {
		return id
	}
	parts := a.Parts()
	if len(parts) == 1 && !strings.Contains(id, ":") {
		for _, v := range a.Fixed {
			return id + ":" + v.AsString()
		}
		return id + ":"
	}
	if len(parts) > 2 { // the rest is compared by what is declared
		if given := strings.SplitN(id, ":", 3); len(given) == 3 {
			return given[0] + ":" + given[1]
		}
	}
	return id
}

// otherBlock reads a nested block of another tool's that makes no argument.
func (l *loader) otherBlock(b *Block, in *hcl.Block) {
	name := in.Type
	if name == "dynamic" {
		name = in.Labels[0]
	}
	n := b.Alias.Naming(name)
	switch {
	case in.Type == "timeouts":
		l.note(in.DefRange, "timeouts of %s has no effect: hew waits as long as the host works on a request", b.Addr)
	case n == nil || n.Shape == schema.Argument:
		l.fail(in.DefRange, "Unsupported block type", "%s has no blocks %q, so there is nothing that a dynamic block could make.", b.Addr.Kind, name)
	case n.Shape == schema.Beside && in.Type == "dynamic":
		l.fail(in.DefRange, "Unsupported block type", "%s of %s is an object of its own. Write resource %q %q { … } with for_each instead.", name, b.Addr, n.Attr, b.Addr.Name)
	case n.Shape == schema.Beside:
		l.beside(b, n, in)
	}
}

// beside reads a nested block that is an object of its own: it is declared under
// the name of the block that it stands in.
func (l *loader) beside(b *Block, n *schema.Naming, in *hcl.Block) {
	k := l.kinds.Resource(n.Attr)
	content, _ := l.content(in.Body, l.besideSchema(k), "The block "+in.Type, in.DefRange)
	of := b.Addr.Kind + "." + b.Addr.Name
	attrs := hcl.Attributes{}
	for name, a := range content.Attributes {
		attrs[name] = a
	}
	switch {
	case b.forEach != nil:
		of += "[each.key]"
		attrs["for_each"] = &hcl.Attribute{Name: "for_each", Expr: b.forEach, Range: in.DefRange, NameRange: in.DefRange}
	case b.count != nil:
		of += "[count.index]"
		attrs["count"] = &hcl.Attribute{Name: "count", Expr: b.count, Range: in.DefRange, NameRange: in.DefRange}
	}
	owner, _ := hclsyntax.ParseExpression([]byte(of+".id"), in.DefRange.Filename, in.DefRange.Start)
	attrs[k.Owner().Name] = &hcl.Attribute{Name: k.Owner().Name, Expr: owner, Range: in.DefRange, NameRange: in.DefRange}
	l.declareBlock(&Block{Addr: addr.Block{Mode: addr.Resource, Kind: k.Name, Name: b.Addr.Name}, Kind: k, Decl: in.DefRange}, &hcl.BodyContent{Attributes: attrs}, nil)
}

// besideSchema is what such a block holds: all but whose it is.
func (l *loader) besideSchema(k *schema.Kind) *hcl.BodySchema {
	s := &hcl.BodySchema{}
	for a := range k.Arguments() {
		if a != k.Owner() {
			s.Attributes = append(s.Attributes, hcl.AttributeSchema{Name: a.Name})
		}
	}
	return s
}

// ignoredName reads a path of ignore_changes by another tool's names. Blocks are
// lists there, of which one index leads to the object.
func (l *loader) ignoredName(b *Block, steps hcl.Traversal) (Ignore, bool) {
	name, at := stepName(steps[0]), steps.SourceRange()
	n := b.Alias.Naming(name)
	if !b.shows(n) {
		l.fail(at, "Unknown attribute", "ignore_changes lists attributes of %s, and %q is none.%s", b.Addr.Kind, name, didyoumean.Hint(name, b.names()))
		return Ignore{}, false
	}
	part, rest := Ignore{Attr: n.Attr}, steps[1:]
	switch {
	case n.Part != "" && n.Whole == nil:
		part.Path = cty.Path{}.Index(cty.StringVal(n.Part))
		return part, true
	case n.Part != "":
		return part, true
	case n.Shape == schema.Single && len(rest) > 0:
		rest = rest[1:]
		if len(rest) > 0 {
			for _, f := range n.Fields {
				if f.Name == stepName(rest[0]) && f.Attr != "" {
					part.Path = cty.Path{}.GetAttr(f.Attr)
					return part, true
				}
			}
			l.fail(at, "Invalid path", "There is nothing of that name within %s of %s.", name, b.Addr.Kind)
			return part, false
		}
	}
	part.Path = pathOf(rest)
	return part, true
}

package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

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

package foreign

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"hew/schema"
)

// IsFile reports whether a file is written for Terraform, by its name.
func IsFile(name string) bool {
	return strings.HasSuffix(name, ".tf") || strings.HasSuffix(name, ".tf.json")
}

// HostProvider is Terraform's name for the provider of the host.
const HostProvider = "gitlab"

// implied are providers that Terraform needs no declaration for.
var implied = []string{"archive", "aws", "azurerm", "external", "google", "helm", "http", "kubernetes", "local",
	"null", "random", "terraform", "time", "tls", "vault"}

// Unmanaged reports whether a block of a type is not hew's to manage, and why: the
// kind is not supported, or it is another provider's. prefix is DataPrefix for data
// sources, else ""; providers are those that the module declares.
func Unmanaged(kinds schema.Catalog, prefix, typ, file string, providers map[string]bool) (why string, unmanaged bool) {
	provider, _, _ := strings.Cut(typ, "_")
	switch a := kinds.AliasOf(prefix + typ); {
	case a != nil && a.Kind != nil:
		return "", false
	case a != nil && a.Note != "":
		return a.Note, true
	case a != nil:
		return "hew has no kind for it", true
	case IsFile(file) && (providers[provider] || slices.Contains(implied, provider)):
		return "it belongs to another provider", true
	}
	return "", false
}

// isHostType reports whether a type has the form of Terraform's types for the
// host.
func isHostType(typ string) bool { return strings.HasPrefix(typ, HostProvider+"_") }

// typeNames returns the types of resources, or of data sources, that have an
// alias, sorted and without their prefix.
func typeNames(kinds schema.Catalog, prefix string) (types []string) {
	for name := range kinds.Aliases() {
		if strings.HasPrefix(name, DataPrefix) == (prefix == DataPrefix) {
			types = append(types, strings.TrimPrefix(name, prefix))
		}
	}
	slices.Sort(types)
	return types
}

const ledgerHome = "To configure the ledger, write hew { ledger \"file\" { path = … } }."

// words are arguments and blocks that only Terraform has, with what to do instead.
var words = map[string]string{
	"provider":    "hew has no provider meta-argument, because a run uses one host. Remove the line.",
	"provisioner": "hew does not support provisioner blocks. Remove the block.",
	"connection":  "hew does not support connection blocks. Remove the block.",
	"timeouts":    "hew does not support timeouts blocks. Remove the block.",
	"ephemeral":   "hew has no ephemeral resources. Pass the secret in as a sensitive variable.",
	"backend":     ledgerHome,
	"cloud":       ledgerHome,
}

// Advice returns what to do instead of an argument or block that only Terraform
// has, or "".
func Advice(name string) string { return words[name] }

var terraformSchema = hcl.BodySchema{
	Attributes: []hcl.AttributeSchema{{Name: "required_version"}, {Name: "experiments"}},
	Blocks: []hcl.BlockHeaderSchema{
		{Type: "required_providers"},
		{Type: "backend", LabelNames: []string{"type"}},
		{Type: "cloud"},
		{Type: "provider_meta", LabelNames: []string{"provider"}},
	},
}

// RequiredProviders returns the providers that a terraform block requires.
func RequiredProviders(b *hcl.Block) (names []string) {
	content, _, _ := b.Body.PartialContent(&terraformSchema)
	for _, in := range content.Blocks.OfType("required_providers") {
		attrs, _ := in.Body.JustAttributes()
		for name := range attrs {
			names = append(names, name)
		}
	}
	return names
}

// CheckTerraform checks a terraform block, which changes nothing, and notes what
// of it people might expect to have an effect.
func CheckTerraform(b *hcl.Block, r Reporter) {
	content := r.Content(b.Body, &terraformSchema, "A terraform block", b.DefRange)
	for _, in := range content.Blocks {
		if in.Type == "backend" || in.Type == "cloud" {
			r.Note(in.DefRange,
				"hew neither reads nor writes Terraform's state. It finds existing objects itself, and keeps its "+
					"own ledger")
			return
		}
	}
	if IsFile(b.DefRange.Filename) && content.Attributes["experiments"] == nil {
		return // the version that it requires is Terraform's
	}
	r.Note(b.DefRange, "the terraform block has no effect. Use a hew block for hew's settings")
}

// Provider is a provider block for the host.
type Provider struct {
	Alias      *hcl.Attribute   // nil without one
	Attributes []*hcl.Attribute // base_url and token, which are hew's as well
}

// providerArguments are the arguments of Terraform's provider block for the host.
// Those with a reason are ignored or, where they would change what a run does,
// refused.
var providerArguments = []struct {
	name, why string
	refused   bool
}{
	{name: "token"}, {name: "base_url"}, {name: "alias"},
	{"early_auth_check", "hew always checks its token before a plan", false},
	{"retries", "hew decides itself how often it retries a request", false},
	{
		"insecure",
		"hew always verifies the certificate of the host. Put the certificate of its authority in a file, and set " +
			"HEW_CA_FILE to the name of the file",
		true,
	},
	{"cacert_file", "set HEW_CA_FILE to the name of the file", true},
	{"client_cert", "set HEW_CLIENT_CERT to the name of its file", true},
	{"client_key", "set HEW_CLIENT_KEY to the name of its file", true},
	{"headers", "hew sends no custom headers", true},
	{"config_file", "set HEW_TOKEN and HEW_URL in the environment", true},
	{"context", "set HEW_TOKEN and HEW_URL in the environment", true},
	{"enable_auto_ci_support", "set HEW_TOKEN and HEW_URL in the environment", true},
}

// ReadProvider reads a provider block with a label; ok is false, after a note, for
// another provider's.
func ReadProvider(b *hcl.Block, r Reporter) (p Provider, ok bool) {
	if b.Labels[0] != HostProvider {
		r.Note(b.DefRange, "hew does not manage objects of the provider %q", b.Labels[0])
		return p, false
	}
	s := &hcl.BodySchema{}
	for _, a := range providerArguments {
		s.Attributes = append(s.Attributes, hcl.AttributeSchema{Name: a.name})
	}
	content := r.Content(b.Body, s, "The provider block of "+HostProvider, b.DefRange)
	for _, a := range providerArguments {
		in := content.Attributes[a.name]
		switch {
		case in == nil:
		case a.name == "alias":
			p.Alias = in
		case a.why != "":
			n := &schema.Naming{Name: in.Name, Note: a.why, Refused: a.refused}
			ignored := ignoredArgument(n, in, "the provider block")
			if v, diags := in.Expr.Value(nil); !diags.HasErrors() && IsOff(v) {
				continue
			}
			if a.refused {
				r.Fail(in.NameRange, "Unsupported argument", "%s", ignored.Detail)
			} else {
				r.Note(in.NameRange, "%s", ignored.Detail)
			}
		default:
			if a.name == "token" {
				r.Mask(in.Expr)
			}
			p.Attributes = append(p.Attributes, in)
		}
	}
	return p, true
}

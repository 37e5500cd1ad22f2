package provider

import (
	"errors"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// Keys that machines fetch a project with, or push to it. One that the host has
// already, in another project or for all, is enabled in this one.
var deployKey = Kind{
	Kind: schema.Kind{
		Name: "deploy_key",
		Doc: "An SSH key that a machine reads a project with, and writes to it where it may push. It is recognised by the key itself, " +
			"without the comment at its end.",
		Collection: "projects/{project}/deploy_keys",
		Match:      schema.ByKey("key"),
		Called:     "title",
		Need:       inProject.need,
	},
	Table: []Attr{
		Reference("project", "project", "The project.", Required, ForceNew),
		String("title", "What the key is called, in all projects that have it.", Required, Check(NotEmpty), MaxLength(255)),
		String("key", "The public key, as its file has it.", Required, ForceNew,
			Norm(texts(withoutComment), "The comment behind the key does not count."), Check(publicKey)),
		Bool("can_push", "It may write, too.", Default(false)),
		ID(),
		String("fingerprint", "The MD5 sum of the key.", Computed),
		String("fingerprint_sha256", "The SHA-256 sum of the key.", Computed),
		String("created_at", "When the host got to know it.", Computed),
	},
}

// withoutComment is the type of a public key and the key.
func withoutComment(key string) string {
	words := strings.Fields(key)
	return strings.Join(words[:min(2, len(words))], " ")
}

func publicKey(v cty.Value) error {
	if strings.Contains(v.AsString(), "PRIVATE KEY") {
		return errors.New("it is a private key: state the public one, from the file that ends in .pub")
	}
	if words := strings.Fields(v.AsString()); len(words) != 2 || !strings.Contains(words[0], "-") || !strings.HasPrefix(words[1], "AAAA") {
		return errors.New("it is no public key of SSH: one begins with its type, as in ssh-ed25519 AAAA…")
	}
	return nil
}

package provider

import (
	"errors"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// Deploy keys: SSH keys with which machines fetch or push a project. A key that the
// host already has, in another project or for all, is enabled in this one.
func deployKey() Kind {
	return Kind{
		Kind: schema.Kind{
			Name: "deploy_key",
			Doc: "An SSH key with read access to a project, and write access if it may push. It is identified by the " +
				"key itself, " +
				"without the comment at its end.",
			Collection: "projects/{project}/deploy_keys",
			Match:      schema.ByKey("key"),
			Unique:     []schema.Unique{{Attrs: []string{"key"}}},
			Called:     "title",
			Need:       inProject.need,
		},
		API: REST{Shared: true},
		Table: []Attr{
			Reference("project", "project", "The project.", Required, ForceNew),
			String("title", "The title of the key, in all projects that have it.", Required, Check(NotEmpty),
				MaxLength(255)),
			String("key", "The public key, as in its .pub file.", Required, ForceNew,
				Norm(normString(withoutComment), "The comment after the key does not matter."), Check(checkPublicKey)),
			Bool("can_push", "Whether the key may push.", Default(false), OpensIf(true)),
			ID(),
			String("fingerprint", "The MD5 fingerprint of the key.", Computed),
			String("fingerprint_sha256", "The SHA-256 fingerprint of the key.", Computed),
			String("created_at", "The time of creation.", Computed),
		},
	}
}

// withoutComment returns the type of a public key and the key.
func withoutComment(key string) string {
	words := strings.Fields(key)
	return strings.Join(words[:min(2, len(words))], " ")
}

func checkPublicKey(v cty.Value) error {
	if strings.Contains(v.AsString(), "PRIVATE KEY") {
		return errors.New("is a private key; use the public key, from the file that ends in .pub")
	}
	if words := strings.Fields(v.AsString()); len(words) != 2 || !strings.Contains(words[0], "-") ||
		!strings.HasPrefix(words[1], "AAAA") {
		return errors.New("must be a public SSH key, such as ssh-ed25519 AAAA…")
	}
	return nil
}

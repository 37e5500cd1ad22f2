package provider

import (
	"errors"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
	"hew/schema/pattern"
)

// Deploy tokens of groups and projects (more-2 §7). A host shows the token once, in
// answer to its creation, and never changes it.
func groupDeployToken() Kind {
	return deployToken(inGroup, "all repositories in a group and its subgroups")
}

func projectDeployToken() Kind { return deployToken(inProject, "the repository of a project") }

// deployToken returns the kind of deploy tokens of a holder, which read what reads says.
func deployToken(in holder, reads string) Kind {
	return Kind{
		Kind: schema.Kind{
			Name: in.name + "_deploy_token",
			Doc: "A deploy token, with which programs read " + reads + " without being a user. " +
				"The host shows the token once: only the apply that creates it can pass it on. " +
				"hew replaces a token that was revoked or has expired.",
			Collection: in.path("deploy_tokens?active=true"),
			Match:      schema.ByKey("name"),
			Need:       in.need,
		},
		Table: []Attr{
			in.ref(),
			String("name", "The name of the token.", Required, ForceNew, Check(NotEmpty), MaxLength(255)),
			StringSet("scopes", "The scopes of the token: "+strings.Join(deployScopes, ", ")+".", Required, ForceNew,
				Check(checkScopes(deployScopes)), OpensGranting),
			String("username", "The username that programs send with the token. The default contains the id, as in "+
				"`gitlab+deploy-token-7`.", ForceNew, Check(checkDeployUsername), MaxLength(255)),
			Date("expires_at", "The last day on which the token is valid, as YYYY-MM-DD. Empty is never.", ForceNew,
				Check(checkNotPast), OpensLater),
			ID(),
			String("token", "The token, known only in the apply that creates it.", Computed, Secret),
		},
		API: REST{Reads: []string{"revoked", "expired"}, Decode: skipInactive},
	}
}

// deployScopes are the documented scopes of a deploy token.
var deployScopes = []string{
	"read_repository", "read_registry", "write_registry", "read_package_registry", "write_package_registry",
	"read_virtual_registry", "write_virtual_registry",
}

var deployUsername = pattern.Lazy(`^[a-zA-Z0-9.+_-]+$`)

func checkDeployUsername(v cty.Value) error {
	if !deployUsername().MatchString(v.AsString()) {
		return errors.New("can contain only letters, digits, '_', '-', '+' and '.'")
	}
	return nil
}

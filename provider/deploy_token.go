package provider

import (
	"errors"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
	"hew/schema/catalogue"
)

func groupDeployToken() Kind {
	return deployToken(inGroup, "the repositories and registries of a group and its subgroups")
}

func projectDeployToken() Kind {
	return deployToken(inProject, "the repository and the registries of a project")
}

// deployToken returns the kind of the deploy tokens of a group or project. reachable says in its
// documentation what they give access to. A host shows a token once, in answer to its creation, and
// never changes it.
func deployToken(in holder, reachable string) Kind {
	return Kind{
		Kind: schema.Kind{
			Name: in.name + "_deploy_token",
			Doc: "A deploy token, which gives programs access to " + reachable + " without being a user. " +
				"The host shows the token once: only the apply that creates it can pass it on. " +
				"hew replaces a token that was revoked or has expired.",
			Collection: in.path("deploy_tokens?active=true"),
			Match:      schema.ByKey("name"),
			Need:       in.need,
		},
		Table: []Attr{
			in.ref(),
			String("name", "The name of the token.", Required, ForceNew, Check(NotEmpty), MaxLength(255)),
			StringSet("scopes", "The scopes of the token: "+strings.Join(catalogue.DeployScopes, ", ")+".",
				Required, ForceNew, Check(checkScopes(catalogue.DeployScopes)), OpensGranting),
			String("username", "The username that programs send with the token. The default contains the id, as in "+
				"`gitlab+deploy-token-7`.", ForceNew, Check(checkDeployUsername), MaxLength(255)),
			Date("expires_at", "The last day on which the token is valid, as YYYY-MM-DD. "+
				"Omit it for a token that does not expire.", ForceNew, Check(checkNotPast), OpensLater),
			ID(),
			String("token", "The token, known only in the apply that creates it.", Computed, Secret),
		},
		API: REST{Reads: []string{"revoked", "expired"}, Decode: skipInactive},
	}
}

func checkDeployUsername(v cty.Value) error {
	if !catalogue.IsDeployUsername(v.AsString()) {
		return errors.New(catalogue.DeployUsernameRule)
	}
	return nil
}

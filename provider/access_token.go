package provider

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
	"hew/schema/catalogue"
)

// Access tokens of groups and projects (gaps §2.2). A host shows the token once, in
// answer to its creation, and never changes it. Its lists hold revoked and expired
// tokens for a while.
func groupAccessToken() Kind   { return accessToken(inGroup) }
func projectAccessToken() Kind { return accessToken(inProject) }

func accessToken(in holder) Kind {
	return Kind{
		Kind: schema.Kind{
			Name: in.name + "_access_token",
			Doc: "An access token of a " + in.name +
				", with a bot user that is a member of it. The host shows the token once: only the apply " +
				"that creates it can pass it on. hew replaces a token that was revoked or has expired.",
			Collection: in.path("access_tokens?state=active"),
			Match:      schema.ByKey("name"),
			Need:       in.need,
		},
		Table: []Attr{
			in.ref(),
			String("name", "The name of the token and of its bot user.", Required, ForceNew, Check(NotEmpty),
				MaxLength(255)),
			StringSet("scopes", "The scopes of the token: "+strings.Join(scopes, ", ")+".", Required, ForceNew,
				Check(checkScopes(scopes)), OpensGranting),
			AccessLevel("access_level", "The access level of the bot user: "+
				"`guest`, `planner`, `reporter`, `developer`, `maintainer`, `owner`, or a number.", ForceNew,
				Grants(catalogue.ShareLevels), Default(40), OpensRising),
			String("expires_at", "The expiration date, as YYYY-MM-DD. The default depends on the host.",
				ForceNew, Norm(normDate, "A time of day is ignored."), Encode(encodeDate), Check(NotEmpty),
				Check(checkNotPast), OpensLater),
			String("description", "A description of the token.", ForceNew, MaxLength(255), Default("")),
			ID(),
			String("token", "The token, known only in the apply that creates it.", Computed, Secret),
			Number("user_id", "The id of the bot user.", Computed),
			String("created_at", "The time of creation.", Computed),
		},
		API: REST{Reads: []string{"active", "revoked"}, Decode: skipInactive},
	}
}

// skipInactive makes tokens that are revoked or expired Absent.
func skipInactive(_ *Decoder, r Record, o *schema.Object) error {
	if _, told := r["active"]; told && !r.IsTrue("active") || r.IsTrue("revoked") || r.IsTrue("expired") {
		o.State = schema.Absent
	}
	return nil
}

// scopes are the documented scopes of a token.
var scopes = []string{
	"api", "read_api", "create_runner", "manage_runner", "ai_features", "k8s_proxy", "self_rotate",
	"read_repository", "write_repository", "read_registry", "write_registry",
}

// checkScopes returns a check that accepts some of the known scopes, and at least one.
func checkScopes(known []string) func(cty.Value) error {
	return func(v cty.Value) error {
		if v.LengthInt() == 0 {
			return errors.New("must have at least one scope")
		}
		for _, scope := range v.AsValueSlice() {
			if !slices.Contains(known, scope.AsString()) {
				return fmt.Errorf("%q is not a token scope; use any of %s", scope.AsString(), strings.Join(known, ", "))
			}
		}
		return nil
	}
}

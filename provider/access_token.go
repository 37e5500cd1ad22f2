package provider

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// Access tokens of groups and projects (gaps §2.2). A host shows one when it is
// made, keeps it as it is, and lists those that are revoked or have expired for a
// while: they are history.
var (
	groupAccessToken   = accessToken(inGroup)
	projectAccessToken = accessToken(inProject)
)

func accessToken(in holder) Kind {
	return Kind{
		Kind: schema.Kind{
			Name: in.name + "_access_token",
			Doc: "An access token of a " + in.name + ", whose bot is a member of it. It is shown once: the apply that makes it can hand it on, " +
				"and nobody can read it later. One that is revoked or has expired is made anew.",
			Collection: in.path("access_tokens?state=active"),
			Match:      schema.ByKey("name"),
			Need:       in.need,
		},
		Table: []Attr{
			in.ref(),
			String("name", "What the token is called, and its bot.", Required, ForceNew, Check(NotEmpty), MaxLength(255)),
			StringSet("scopes", "What it may be used for: "+strings.Join(scopes, ", ")+".", Required, ForceNew, Check(knownScopes)),
			AccessLevel("access_level", "What its bot may do: "+
				"`guest`, `planner`, `reporter`, `developer`, `maintainer`, `owner`, or a number.", ForceNew, Check(grantable), Default(40)),
			String("expires_at", "The last day on which it is good, as YYYY-MM-DD. Without it the host decides.",
				ForceNew, Norm(day, "Of a time the day counts."), Encode(sendDate), Check(NotEmpty), Check(notPast)),
			String("description", "What the token is for.", ForceNew, MaxLength(255), Default("")),
			ID(),
			String("token", "The token itself, in the apply that makes it.", Computed, Secret),
			Number("user_id", "The id of its bot.", Computed),
			String("created_at", "When it was created.", Computed),
		},
		API: REST{Reads: []string{"active", "revoked"}, Decode: history},
	}
}

// history tells a token that is good no longer from one that is.
func history(_ *Decoder, r Record, o *schema.Object) error {
	if _, told := r["active"]; told && !r.IsTrue("active") || r.IsTrue("revoked") {
		o.State = schema.Absent
	}
	return nil
}

// scopes are what the documentation lists.
var scopes = []string{
	"api", "read_api", "create_runner", "manage_runner", "ai_features", "k8s_proxy", "self_rotate",
	"read_repository", "write_repository", "read_registry", "write_registry",
}

func knownScopes(v cty.Value) error {
	if v.LengthInt() == 0 {
		return errors.New("it must not be empty, for a token without scopes is good for nothing: state one scope at least")
	}
	for _, scope := range v.AsValueSlice() {
		if !slices.Contains(scopes, scope.AsString()) {
			return fmt.Errorf("%q is no scope of a token: %s are accepted", scope.AsString(), strings.Join(scopes, ", "))
		}
	}
	return nil
}

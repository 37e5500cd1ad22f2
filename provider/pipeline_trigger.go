package provider

import (
	"time"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// pipelineTrigger is a token that starts pipelines of a project in the name of the user who
// created it (CI facts §2.3). Hosts show the whole token to this user alone.
func pipelineTrigger() Kind {
	return Kind{
		Kind: schema.Kind{
			Name: "pipeline_trigger",
			Doc: "A token with which programs start pipelines of a project in the name of the user who created it. " +
				"hew knows the token in the apply that creates it, and later if it works as that user. It replaces " +
				"a token that has expired. Only the owner can change the description.",
			Collection: inProject.path("triggers"),
			Match:      schema.ByKey("description"),
			Need:       inProject.need,
			Features:   []string{"builds_access_level"},
		},
		Table: []Attr{
			inProject.ref(),
			String("description", "The description of the token, which identifies it in the project.", Required,
				Check(NotEmpty), MaxLength(255)),
			Date("expires_at", "The last day on which the token is valid, as YYYY-MM-DD. "+
				"Omit it for a token that does not expire.", ForceNew, Check(checkNotPast), OpensLater),
			ID(),
			String("token", "The token, known to hew only as its owner.", Computed, Secret, Decode(wholeToken)),
			String("owner", "The username of the user in whose name pipelines run.", Computed, Decode(usernameOf)),
			String("last_used", "The time at which the token was last used.", Computed),
			String("created_at", "The time of creation.", Computed),
		},
		API: REST{Reads: []string{"expires_at"}, Decode: skipExpired},
	}
}

// shortToken is how many characters of a token hosts show to others than its owner.
const shortToken = 4

// wholeToken returns a token that is whole.
func wholeToken(raw []byte) (cty.Value, error) {
	token := textOf(raw)
	if len(token) <= shortToken {
		return cty.NilVal, nil
	}
	return cty.StringVal(token), nil
}

// usernameOf returns the username of a user.
func usernameOf(raw []byte) (cty.Value, error) {
	name := Record{"user": raw}.TextIn("user", "username")
	if name == "" {
		return cty.NullVal(cty.String), nil
	}
	return cty.StringVal(name), nil
}

// skipExpired makes tokens that have expired Absent.
func skipExpired(_ *Decoder, r Record, o *schema.Object) error {
	if at, err := time.Parse(time.RFC3339, r.Text("expires_at")); err == nil && !at.After(time.Now()) {
		o.State = schema.Absent
	}
	return nil
}

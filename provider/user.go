package provider

import (
	"net/http"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// user is an account, which administrators make (gaps §2.1). userSource tells of
// one that is there. References to users are resolved by either.
var (
	user = Kind{
		Kind: schema.Kind{
			Name: "user",
			Doc: "The account of a person. It is recognised by its username. Whoever is deactivated, banned or waits for approval " +
				"is none of active and blocked, and is let in by hand.",
			Collection: "users", Root: "users",
			Match: schema.ByKey("username"),
			Tree:  &schema.Tree{Segment: "username", Full: "username"},
			Check: outsider,
			Need:  theInstance.need,
		},
		Table: Join([]Attr{
			String("username", "The name that the user signs in with.", Required, CaseInsensitive, Check(NotEmpty), MaxLength(255)),
			String("name", "The name that people read.", Required, Check(NotEmpty), MaxLength(255)),
			String("email", "The e-mail address.", Required, CaseInsensitive, Check(NotEmpty)),
		}, firstPassword, userRights, userProfile, []Attr{
			String("state", "Whether the user is let in: active or blocked.", OneOf("active", "blocked"), Default("active")),
			ID(),
			String("web_url", "The user's page.", Computed),
		}),
		API: REST{
			Item: "users/{id}", Lookup: lookUpUsers, Reads: []string{"bot"}, Decode: botOrNot, Delete: "users/{id}?hard_delete=false", CreateBody: someWayIn,
			After: []Action{
				{Attr: "state", When: cty.StringVal("blocked"), Method: http.MethodPost, Path: "users/{id}/block"},
				{Attr: "state", When: cty.StringVal("active"), Method: http.MethodPost, Path: "users/{id}/unblock"},
			},
		},
	}

	userSource = Kind{
		Kind: schema.Kind{
			Name:  "user",
			Doc:   "A user, by name, id or e-mail address.",
			Match: schema.ByKey("username"),
			Data:  &schema.Data{Of: "user", Single: true, Keys: []string{"id", "username", "email"}},
			Need:  "a signed-in user",
		},
		Table: []Attr{
			Number("id", "The id on the host."),
			String("username", "The name that the user signs in with.", CaseInsensitive),
			String("email", "The e-mail address. Others than the public one are shown to administrators alone.", CaseInsensitive),
			String("name", "The name that people read.", Computed),
			String("state", "The state of the account, such as active or blocked.", Computed),
			String("web_url", "The user's page.", Computed),
			String("public_email", "The address that everybody may see.", Computed, CaseInsensitive),
		},
		API: REST{Item: "users/{id}", Lookup: lookUpUsers, Reads: []string{"bot"}, Decode: botOrNot},
	}
)

// firstPassword is how a new user gets in. It matters at creation alone: a
// password is the user's own afterwards.
var firstPassword = []Attr{
	String("password", "The first password. Without it, the user gets an e-mail to choose one by.", Secret, CreateOnly),
	Bool("reset_password", "The user gets an e-mail to choose a password by, which is what happens where nothing else is stated.", CreateOnly),
	Bool("force_random_password", "The first password is one that nobody knows.", CreateOnly),
	Bool("skip_confirmation", "The e-mail address needs no confirmation.", CreateOnly),
}

// userRights are what the settings of the instance decide on, but for the first
// two, where nothing is stated.
var userRights = []Attr{
	Bool("admin", "The user is an administrator.", Field("is_admin"), Default(false)),
	Bool("auditor", "The user may see everything and change nothing.", Field("is_auditor"), Default(false)),
	Bool("can_create_group", "The user may make groups at the top.", Usual(true)),
	Bool("external", "The user sees only what he is a member of, and what is public.", Usual(false)),
	Bool("private_profile", "Others do not see the profile.", Usual(false)),
	Number("projects_limit", "How many projects of his own the user may have.", Between(0, Unbounded), Usual(100_000)),
}

var userProfile = []Attr{
	String("note", "What administrators note about the user.", Default("")),
	String("bio", "What the user says of himself.", MaxLength(255), Default("")),
	String("job_title", "What the user works as.", Default("")),
	String("organization", "Where the user works.", Default("")),
	String("location", "Where the user is.", Default("")),
	String("public_email", "The address that everybody may see.", CaseInsensitive, Default("")),
	String("website_url", "The user's own site.", Default("")),
	String("linkedin", "The user's name there.", Default("")),
	String("skype", "The user's name there.", Default("")),
	String("twitter", "The user's name there.", Default("")),
	String("discord", "The user's number there.", Default("")),
	String("pronouns", "How to speak of the user.", Default("")),
}

// someWayIn lets a new user in of whom nothing says how: hosts insist on that.
func someWayIn(_ schema.Object, body map[string]any) {
	for _, name := range []string{"password", "reset_password", "force_random_password"} {
		if _, stated := body[name]; stated {
			return
		}
	}
	body["reset_password"] = true
}

// outsider refuses rights that no host gives to somebody external.
func outsider(o schema.Object) []schema.Problem {
	is := func(name string) bool { return isTrue(o.Get(name)) }
	if !is("external") || !is("can_create_group") {
		return nil
	}
	return []schema.Problem{{Attr: "can_create_group", Text: "an external user makes no groups: leave out can_create_group, or state external = false"}}
}

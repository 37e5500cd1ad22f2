package provider

import (
	"net/http"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// user is an account, which administrators make (gaps §2.1). userSource tells of
// one that is there. References to users are resolved by either.
var (
	user = kind{
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
		Table: join([]attr{
			text("username", "The name that the user signs in with.", required, caseless, check(notEmpty), atMost(255)),
			text("name", "The name that people read.", required, check(notEmpty), atMost(255)),
			text("email", "The e-mail address.", required, caseless, check(notEmpty)),
		}, firstPassword, userRights, userProfile, []attr{
			text("state", "Whether the user is let in: active or blocked.", oneOf("active", "blocked"), def("active")),
			id(),
			text("web_url", "The user's page.", computed),
		}),
		API: rest{
			Item: "users/{id}", Lookup: lookUpUsers, Reads: []string{"bot"}, Decode: botOrNot, Delete: "users/{id}?hard_delete=false", New: someWayIn,
			After: []act{
				{Attr: "state", When: cty.StringVal("blocked"), Method: http.MethodPost, Path: "users/{id}/block"},
				{Attr: "state", When: cty.StringVal("active"), Method: http.MethodPost, Path: "users/{id}/unblock"},
			},
		},
	}

	userSource = kind{
		Kind: schema.Kind{
			Name:  "user",
			Doc:   "A user, by name, id or e-mail address.",
			Match: schema.ByKey("username"),
			Data:  &schema.Data{Of: "user", Single: true, Keys: []string{"id", "username", "email"}},
			Need:  "a signed-in user",
		},
		Table: []attr{
			number("id", "The id on the host."),
			text("username", "The name that the user signs in with.", caseless),
			text("email", "The e-mail address. Others than the public one are shown to administrators alone.", caseless),
			text("name", "The name that people read.", computed),
			text("state", "The state of the account, such as active or blocked.", computed),
			text("web_url", "The user's page.", computed),
			text("public_email", "The address that everybody may see.", computed, caseless),
		},
		API: rest{Item: "users/{id}", Lookup: lookUpUsers, Reads: []string{"bot"}, Decode: botOrNot},
	}
)

// firstPassword is how a new user gets in. It matters at creation alone: a
// password is the user's own afterwards.
var firstPassword = []attr{
	text("password", "The first password. Without it, the user gets an e-mail to choose one by.", secret, once),
	boolean("reset_password", "The user gets an e-mail to choose a password by, which is what happens where nothing else is stated.", once),
	boolean("force_random_password", "The first password is one that nobody knows.", once),
	boolean("skip_confirmation", "The e-mail address needs no confirmation.", once),
}

// userRights are what the settings of the instance decide on, but for the first
// two, where nothing is stated.
var userRights = []attr{
	boolean("admin", "The user is an administrator.", column("is_admin"), def(false)),
	boolean("auditor", "The user may see everything and change nothing.", column("is_auditor"), def(false)),
	boolean("can_create_group", "The user may make groups at the top.", usual(true)),
	boolean("external", "The user sees only what he is a member of, and what is public.", usual(false)),
	boolean("private_profile", "Others do not see the profile.", usual(false)),
	number("projects_limit", "How many projects of his own the user may have.", between(0, many), usual(100_000)),
}

var userProfile = []attr{
	text("note", "What administrators note about the user.", def("")),
	text("bio", "What the user says of himself.", atMost(255), def("")),
	text("job_title", "What the user works as.", def("")),
	text("organization", "Where the user works.", def("")),
	text("location", "Where the user is.", def("")),
	text("public_email", "The address that everybody may see.", caseless, def("")),
	text("website_url", "The user's own site.", def("")),
	text("linkedin", "The user's name there.", def("")),
	text("skype", "The user's name there.", def("")),
	text("twitter", "The user's name there.", def("")),
	text("discord", "The user's number there.", def("")),
	text("pronouns", "How to speak of the user.", def("")),
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

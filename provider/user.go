package provider

import (
	"net/http"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// user is an account, which administrators create (gaps §2.1). userSource reads one.
// References to users are resolved by either.
func user() Kind {
	return Kind{
		Kind: schema.Kind{
			Name: "user",
			Doc: "A user account. It is identified by its username. A user who is deactivated, banned or awaits " +
				"approval " +
				"is neither active nor blocked, and must be activated on the host.",
			Collection: "users", Root: "users",
			Match:  schema.ByKey("username"),
			Unique: []schema.Unique{{Attrs: []string{"email"}}},
			Tree:   &schema.Tree{Segment: "username", Full: "username"},
			Soft:   true, // a job deletes what the user leaves behind, and then the user
			Check:  checkExternalUser,
			Need:   theInstance.need,
		},
		Table: Join([]Attr{
			String("username", "The username.", Required, CaseInsensitive, Check(NotEmpty), MaxLength(255),
				Check(checkUsername)),
			String("name", "The display name.", Required, Check(NotEmpty), MaxLength(255)),
			String("email", "The e-mail address.", Required, CaseInsensitive, Check(NotEmpty), Check(checkUserEmail)),
		}, firstPassword(), userRights(), userProfile(), []Attr{
			String("state", "The state of the account: active or blocked.", OneOf("active", "blocked"),
				Default("active"), OpensAlong("blocked", "active")),
			ID(),
			String("web_url", "The URL of the user's profile.", Computed),
		}),
		API: REST{
			Item: "users/{id}", Lookup: lookUpUsers, Reads: []string{"bot"}, Decode: decodeUser,
			Delete: "users/{id}?hard_delete=false", CreateBody: addPasswordReset,
			After: []Action{
				{Attr: "state", When: cty.StringVal("blocked"), Method: http.MethodPost, Path: "users/{id}/block"},
				{Attr: "state", When: cty.StringVal("active"), Method: http.MethodPost, Path: "users/{id}/unblock"},
			},
		},
	}
}

func userSource() Kind {
	return Kind{
		Kind: schema.Kind{
			Name:  "user",
			Doc:   "A user, by username, id or e-mail address.",
			Match: schema.ByKey("username"),
			Data:  &schema.Data{Of: "user", Single: true, Keys: []string{"id", "username", "email"}},
			Need:  "a signed-in user",
		},
		Table: []Attr{
			Number("id", "The id on the host."),
			String("username", "The username.", CaseInsensitive),
			String("email", "The e-mail address. Only administrators see addresses that are not public.",
				CaseInsensitive),
			String("name", "The display name.", Computed),
			String("state", "The state of the account, such as active or blocked.", Computed),
			String("web_url", "The URL of the user's profile.", Computed),
			String("public_email", "The public e-mail address.", Computed, CaseInsensitive),
		},
		API: REST{Item: "users/{id}", Lookup: lookUpUsers, Reads: []string{"bot"}, Decode: decodeUser},
	}
}

// firstPassword are the ways in which a new user can sign in first. They matter at
// creation alone: later the password is the user's own.
func firstPassword() []Attr {
	return []Attr{
		String("password", "The initial password. Without it, the user gets an e-mail to set one.", Secret, CreateOnly),
		Bool("reset_password", "Whether the user gets an e-mail to set a password. This is the default if no password "+
			"is set.", CreateOnly),
		Bool("force_random_password", "Whether the initial password is random and unknown.", CreateOnly),
		Bool("skip_confirmation", "Whether the e-mail address needs no confirmation.", CreateOnly),
	}
}

// userRights are limits and rights of a user. The instance's settings decide on all but
// the first two if they are not stated.
func userRights() []Attr {
	return []Attr{
		Bool("admin", "Whether the user is an administrator.", Field("is_admin"), Default(false), OpensIf(true)),
		Bool("auditor", "Whether the user is an auditor, who can see everything and change nothing.",
			Field("is_auditor"),
			Default(false), OpensIf(true)),
		Bool("can_create_group", "Whether the user may create top-level groups.", Usual(true), OpensIf(true)),
		Bool("external", "Whether the user is external, and sees only public projects and those with a membership.",
			Usual(false), OpensIf(false)),
		Bool("private_profile", "Whether the profile is private.", Usual(false), OpensIf(false)),
		Number("projects_limit", "The number of personal projects that the user may have.", Between(0, Unbounded),
			Usual(100_000)),
	}
}

func userProfile() []Attr {
	return []Attr{
		String("note", "A note for administrators.", Default("")),
		String("bio", "The biography in the profile.", MaxLength(255), Default("")),
		String("job_title", "The job title.", Default("")),
		String("organization", "The organization.", Default("")),
		String("location", "The location.", Default("")),
		String("public_email", "The public e-mail address.", CaseInsensitive, Default("")),
		String("website_url", "The URL of the website in the profile.", Default("")),
		String("linkedin", "The LinkedIn name.", Default("")),
		String("skype", "The Skype name.", Default("")),
		String("twitter", "The Twitter (X) name.", Default("")),
		String("discord", "The Discord user id.", Default("")),
		String("pronouns", "The pronouns of the user.", Default("")),
	}
}

// addPasswordReset sends a reset link to a new user without a password: hosts require
// one of the two.
func addPasswordReset(_ schema.Object, body map[string]any) error {
	for _, name := range []string{"password", "reset_password", "force_random_password"} {
		if _, stated := body[name]; stated {
			return nil
		}
	}
	body["reset_password"] = true
	return nil
}

// checkExternalUser rejects rights that external users cannot have.
func checkExternalUser(o schema.Object) []schema.Problem {
	is := func(name string) bool { return isTrue(o.Get(name)) }
	if !is("external") || !is("can_create_group") {
		return nil
	}
	return []schema.Problem{{Attr: "can_create_group",
		Text: "an external user cannot create groups; remove can_create_group, or set external = false"}}
}

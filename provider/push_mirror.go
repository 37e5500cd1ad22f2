package provider

import (
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// Where projects are pushed to (spec 1 §2.10 and §4.8, gaps §12.4). Hosts mask
// the credentials in the address and cannot change them: others are another
// mirror, the same as before is known by its digest.
var pushMirror = Kind{
	Kind: schema.Kind{
		Name: "push_mirror",
		Doc: "A place that a project is pushed to. It is recognised by its url without the credentials in it, which hosts never show; " +
			"with other credentials it is made anew.",
		Collection: "projects/{project}/remote_mirrors",
		Match:      schema.ByKey("url"),
		Check:      oneChoiceOfBranches,
		Need:       inProject.need,
	},
	Table: []Attr{
		Reference("project", "project", "The project.", Required, ForceNew),
		String("url", "Where to push: ssh, git, http or https, with credentials if the receiver asks for some.", Required, ForceNew,
			Norm(cleanURL, "Upper and lower case of the host do not count, nor does the scheme's usual port."),
			ShowAs(cleanURL), Masked(schema.SecretPart{Whole: wholeURL}), Check(mirrorURL)),
		Bool("enabled", "It is pushed to.", Default(false)),
		Bool("keep_divergent_refs", "Branches that have gone their own way there are left alone.", Default(false)),
		Bool("only_protected_branches", "Protected branches alone are pushed.", Default(false)),
		String("mirror_branch_regex", "Branches that match are pushed alone; empty is all.", pattern),
		String("auth_method", "How the host signs in there: by the password in the url, or by a key of its own.",
			OneOf("password", "ssh_public_key"), Default("password")),
		ID(),
		String("update_status", "What came of the last push: `none`, `scheduled`, `started`, `finished`, `failed` or `to_retry`.", Computed),
		String("last_error", "What went wrong in it.", Computed),
		String("last_update_at", "When that was.", Computed),
	},
	API: REST{CreateBody: oneParameterForBranches},
}

// mirrorURL accepts what hosts push to, without what they show in the place of
// credentials. It tells nothing of the address, which may hold some.
func mirrorURL(v cty.Value) error {
	u, err := url.Parse(v.AsString())
	switch {
	case strings.ContainsAny(v.AsString(), "\r\n"):
		return errors.New("it has a line break: state the URL in one line")
	case err != nil || u.Host == "" || !slices.Contains([]string{"ssh", "git", "http", "https"}, u.Scheme):
		return errors.New("it is no URL of a repository: ssh://, git://, http:// or https:// with a host and a path is accepted")
	case strings.Contains(credentials(v.AsString()), "*****"):
		return errors.New("it has ***** for its credentials, which is what hosts show in the place of them: state the real ones, or none")
	}
	return nil
}

// oneChoiceOfBranches refuses two ways to say which branches are pushed.
func oneChoiceOfBranches(o schema.Object) []schema.Problem {
	protected, _ := o.Get("only_protected_branches").Unmark()
	regex, _ := o.Get("mirror_branch_regex").Unmark()
	for _, v := range []cty.Value{protected, regex} {
		if v == cty.NilVal || !v.IsKnown() || v.IsNull() {
			return nil
		}
	}
	if protected.False() || regex.AsString() == "" {
		return nil
	}
	return []schema.Problem{{Attr: "mirror_branch_regex", Text: "it is not taken together with only_protected_branches: leave one of the two out"}}
}

// oneParameterForBranches leaves out the way that is not taken: hosts refuse to
// be told of both.
func oneParameterForBranches(_ schema.Object, body map[string]any) {
	if regex, _ := body["mirror_branch_regex"].(string); regex == "" {
		delete(body, "mirror_branch_regex")
		return
	}
	delete(body, "only_protected_branches")
}

package provider

import (
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// Push mirrors of projects (spec 1 §2.10 and §4.8, gaps §12.4). Hosts mask the
// credentials in the URL and cannot change them: other credentials replace the mirror,
// and the digest in the ledger tells whether they changed.
func pushMirror() Kind {
	return Kind{
		Kind: schema.Kind{
			Name: "push_mirror",
			Doc: "A remote repository that a project is pushed to. It is identified by its url without credentials, " +
				"which hosts never show. " +
				"New credentials replace it.",
			Collection: "projects/{project}/remote_mirrors",
			Match:      schema.ByKey("url"),
			Check:      checkMirroredBranches,
			Need:       inProject.need,
		},
		Table: []Attr{
			Reference("project", "project", "The project.", Required, ForceNew),
			String("url", "The ssh, git, http or https URL to push to, with credentials if required.", Required,
				ForceNew,
				Norm(normURL, "The case of the host and the default port of the scheme do not matter."),
				ShowAs(normURL), Masked(schema.SecretPart{Whole: normWholeURL}), Check(checkMirrorURL)),
			Bool("enabled", "Whether the mirror is on.", Default(false)),
			Bool("keep_divergent_refs", "Whether diverged branches of the remote are kept.", Default(false)),
			Bool("only_protected_branches", "Whether only protected branches are pushed.", Default(false)),
			String("mirror_branch_regex", "The regular expression of branches to push. Empty is all.", Regexp),
			String("auth_method", "The authentication method: the password in the url, or an SSH key of the host.",
				OneOf("password", "ssh_public_key"), Default("password")),
			ID(),
			String("update_status", "The status of the last push: `none`, `scheduled`, `started`, `finished`, "+
				"`failed` or `to_retry`.", Computed),
			String("last_error", "The error of the last push.", Computed),
			String("last_update_at", "The time of the last push.", Computed),
			String("last_update_started_at", "The time at which the last push started.", Computed),
			String("last_successful_update_at", "The time of the last push that succeeded.", Computed),
		},
		API: REST{CreateBody: sendOneBranchParameter, Reads: []string{"enabled", "update_status", "last_error"},
			Decode: decodePushMirror},
	}
}

// decodePushMirror tells of a mirror whose last push has failed for good. One that is to
// be tried again has not.
func decodePushMirror(_ *Decoder, r Record, o *schema.Object) error {
	if r.IsTrue("enabled") && r.Text("update_status") == "failed" {
		o.Failure = failureOf("push", r.Text("last_error"))
	}
	return nil
}

// failureOf returns that the last run of a mirror failed, and why, if the host says so.
func failureOf(what, why string) string {
	text := "the last " + what + " failed"
	if why != "" {
		text += ": " + why
	}
	return text
}

// checkMirrorURL accepts URLs that hosts can push to. It rejects the mask that hosts
// show for credentials. Errors do not quote the URL, which may hold credentials.
func checkMirrorURL(v cty.Value) error {
	u, err := url.Parse(v.AsString())
	switch {
	case strings.ContainsAny(v.AsString(), "\r\n"):
		return errors.New("must not contain a line break")
	case err != nil || u.Host == "" || !slices.Contains([]string{"ssh", "git", "http", "https"}, u.Scheme):
		return errors.New("must be an ssh, git, http or https URL with a host, such as https://host/group/project.git")
	case strings.Contains(credentials(v.AsString()), "*****"):
		return errors.New("has ***** for credentials, which is how hosts mask them; use the real credentials, or none")
	}
	return nil
}

// checkMirroredBranches rejects two ways to select branches.
func checkMirroredBranches(o schema.Object) []schema.Problem {
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
	return []schema.Problem{{Attr: "mirror_branch_regex",
		Text: "mirror_branch_regex conflicts with only_protected_branches; remove one of the two"}}
}

// sendOneBranchParameter drops the unused way to select branches: hosts reject both
// together.
func sendOneBranchParameter(_ schema.Object, body map[string]any) error {
	if regex, _ := body["mirror_branch_regex"].(string); regex == "" {
		delete(body, "mirror_branch_regex")
		return nil
	}
	delete(body, "only_protected_branches")
	return nil
}

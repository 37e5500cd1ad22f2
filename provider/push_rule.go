package provider

import (
	"fmt"
	"regexp/syntax"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// Push rules: which pushes are rejected, in a project or in new projects of a group
// (spec 2 §2.9, gaps §3.4 and §4.3). There is one or none.
func groupPushRule() Kind   { return pushRule(inGroup, "The push rules of new projects in a group.") }
func projectPushRule() Kind { return pushRule(inProject, "The push rules of a project.") }

func pushRule(in holder, doc string) Kind {
	return Kind{
		Kind: schema.Kind{
			Name:       in.name + "_push_rule",
			Doc:        doc + " A " + in.name + " has at most one set of push rules.",
			Collection: in.path("push_rule"),
			Holds:      schema.OneOrNone,
			Match:      schema.ByKey(in.name),
			Need:       in.need,
			Protects:   true,
			Gated:      true, // needs a license
		},
		Table: Join([]Attr{
			in.ref(),
		}, pushChecks(), []Attr{
			ID(),
			String("created_at", "The time of creation.", Computed),
		}),
		API: REST{CreateBody: addSomeField},
	}
}

// addSomeField adds one field to a rule that states none: hosts reject an empty one.
func addSomeField(_ schema.Object, body map[string]any) error {
	if len(body) == 0 {
		body["deny_delete_tag"] = false
	}
	return nil
}

func pushChecks() []Attr {
	return []Attr{
		String("commit_message_regex", "The regular expression that commit messages must match. Empty allows all.",
			Regexp,
			OpensEmptied),
		String("commit_message_negative_regex",
			"The regular expression that commit messages must not match. Empty allows all.", Regexp, OpensEmptied),
		String("branch_name_regex", "The regular expression that branch names must match. Empty allows all.", Regexp,
			OpensEmptied),
		String("author_email_regex",
			"The regular expression that e-mail addresses of authors must match. Empty allows all.", Regexp,
			OpensEmptied),
		String("file_name_regex", "The regular expression that file names must not match. Empty allows all.", Regexp,
			OpensEmptied),
		Number("max_file_size", "The maximum file size in megabytes. 0 means no limit.", Between(0, Unbounded),
			Default(0),
			OpensRaised),
		Bool("deny_delete_tag", "Whether to reject pushes that delete tags.", Default(false), OpensIf(false)),
		Bool("member_check", "Whether commit authors must be users of the host.", Default(false), OpensIf(false)),
		Bool("prevent_secrets", "Whether to reject files that look like secrets.", Default(false), OpensIf(false)),
		Bool("commit_committer_check",
			"Whether the committer address must be a confirmed address of the user who pushes.",
			Default(false), OpensIf(false)),
		Bool("commit_committer_name_check", "Whether the committer name must be the name of the user who pushes.",
			Default(false), OpensIf(false)),
		Bool("reject_unsigned_commits", "Whether commits must be signed.", Default(false), OpensIf(false)),
		Bool("reject_non_dco_commits", "Whether commits must have a DCO sign-off.", Default(false), OpensIf(false)),
	}
}

// Regexp makes a row a regular expression of up to 511 characters, "" by default.
func Regexp(a *Attr) { RegexpUpTo(511)(a) }

// RegexpUpTo makes a row a regular expression of up to n characters, "" by default.
func RegexpUpTo(n int) Option {
	return func(a *Attr) {
		for _, o := range []Option{Default(""), MaxLength(n), Check(checkRegexp)} {
			o(a)
		}
	}
}

// checkRegexp rejects what is a syntax error in every dialect. The host's dialect knows
// more than Go's, so the rest is up to the host.
func checkRegexp(v cty.Value) error {
	_, err := syntax.Parse(v.AsString(), syntax.Perl)
	if e, ok := err.(*syntax.Error); ok && e.Code != syntax.ErrInvalidPerlOp && e.Code != syntax.ErrInvalidEscape &&
		e.Code != syntax.ErrInvalidRepeatSize {
		return fmt.Errorf("%q is not a valid regular expression: %s", v.AsString(), e.Code)
	}
	return nil
}

package provider

import (
	"fmt"
	"regexp/syntax"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// What is refused when somebody pushes, of a group for its new projects and of a
// project itself (spec 2 §2.9, gaps §3.4 and §4.3). There is one or none.
var (
	groupPushRule   = pushRule(inGroup, "What new projects of a group refuse when somebody pushes.")
	projectPushRule = pushRule(inProject, "What a project refuses when somebody pushes.")
)

func pushRule(in holder, doc string) Kind {
	return Kind{
		Kind: schema.Kind{
			Name:       in.name + "_push_rule",
			Doc:        doc + " A " + in.name + " has one such rule or none.",
			Collection: in.path("push_rule"),
			Holds:      schema.OneOrNone,
			Match:      schema.ByKey(in.name),
			Need:       in.need,
			Gated:      true, // by a licence
		},
		Table: Join([]Attr{
			in.ref(),
		}, pushChecks, []Attr{
			ID(),
			String("created_at", "When it was created.", Computed),
		}),
		API: REST{CreateBody: someField},
	}
}

// someField states something of a rule of which nothing is stated: hosts insist
// on that.
func someField(_ schema.Object, body map[string]any) {
	if len(body) == 0 {
		body["deny_delete_tag"] = false
	}
}

var pushChecks = []Attr{
	String("commit_message_regex", "What messages of commits have to match; empty is anything.", pattern),
	String("commit_message_negative_regex", "What messages of commits must not match; empty is nothing.", pattern),
	String("branch_name_regex", "What names of branches have to match; empty is anything.", pattern),
	String("author_email_regex", "What e-mail addresses of authors have to match; empty is anything.", pattern),
	String("file_name_regex", "What names of files must not match; empty is nothing.", pattern),
	Number("max_file_size", "The megabytes that a file may have; 0 is no limit.", Between(0, Unbounded), Default(0)),
	Bool("deny_delete_tag", "Tags cannot be deleted by a push.", Default(false)),
	Bool("member_check", "Authors have to be users of the host.", Default(false)),
	Bool("prevent_secrets", "Files that look like secrets are refused.", Default(false)),
	Bool("commit_committer_check", "Committers push under an e-mail address of their own that they have confirmed.", Default(false)),
	Bool("commit_committer_name_check", "Committers push under their own name.", Default(false)),
	Bool("reject_unsigned_commits", "Commits have to be signed.", Default(false)),
	Bool("reject_non_dco_commits", "Commits have to be signed off.", Default(false)),
}

// pattern is a regular expression of up to 511 characters, empty unless stated.
func pattern(a *Attr) {
	for _, o := range []Option{Default(""), MaxLength(511), Check(regularExpression)} {
		o(a)
	}
}

// regularExpression refuses what nobody could match. The host's own dialect has
// the last word: it knows more than Go's.
func regularExpression(v cty.Value) error {
	_, err := syntax.Parse(v.AsString(), syntax.Perl)
	if e, ok := err.(*syntax.Error); ok && e.Code != syntax.ErrInvalidPerlOp && e.Code != syntax.ErrInvalidEscape && e.Code != syntax.ErrInvalidRepeatSize {
		return fmt.Errorf("%q is no regular expression: %s", v.AsString(), e.Code)
	}
	return nil
}

package protect

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/tree"
)

// PushRule restricts pushes to a project. That of a group is the template for new projects in it
// (spec 2 §2.9, gaps §3.4). The zero value allows everything.
type PushRule struct {
	ID int64 `db:"id,auto" json:"id"`
	db.Container
	CommitMessageRegex         string    `db:"commit_message_regex" json:"commit_message_regex"`
	CommitMessageNegativeRegex string    `db:"commit_message_negative_regex" json:"commit_message_negative_regex"`
	BranchNameRegex            string    `db:"branch_name_regex" json:"branch_name_regex"`
	AuthorEmailRegex           string    `db:"author_email_regex" json:"author_email_regex"`
	FileNameRegex              string    `db:"file_name_regex" json:"file_name_regex"`
	DenyDeleteTag              bool      `db:"deny_delete_tag" json:"deny_delete_tag"`
	MemberCheck                bool      `db:"member_check" json:"member_check"`
	PreventSecrets             bool      `db:"prevent_secrets" json:"prevent_secrets"`
	CommitCommitterCheck       bool      `db:"commit_committer_check" json:"commit_committer_check"`
	CommitCommitterNameCheck   bool      `db:"commit_committer_name_check" json:"commit_committer_name_check"`
	RejectUnsignedCommits      bool      `db:"reject_unsigned_commits" json:"reject_unsigned_commits"`
	RejectNonDCOCommits        bool      `db:"reject_non_dco_commits" json:"reject_non_dco_commits"`
	MaxFileSize                int       `db:"max_file_size" json:"max_file_size"` // in MB; 0: any
	CreatedAt                  time.Time `db:"created_at,auto" json:"created_at"`
	UpdatedAt                  time.Time `db:"updated_at,auto" json:"-"`
}

// PushRules returns the push rule of a group or project, which has at most one.
func PushRules(s *db.Store, c db.Container) db.Held[PushRule] {
	rules := db.NewHeld[PushRule](s, c, "push_rules")
	rules.What = "Push rule"
	return rules
}

// inheritPushRule gives a new project a copy of the push rule of the nearest group above that has
// one.
func inheritPushRule(ctx context.Context, s *db.Store, p tree.Project) error {
	all, _ := db.Columns(PushRule{})
	var names []string
	for _, name := range all {
		if name != "namespace_id" && name != "project_id" {
			names = append(names, name)
		}
	}
	list := strings.Join(names, ", ")
	return s.Exec(ctx, `
		insert into push_rules (project_id, `+list+`)
		select @project, `+list+` from push_rules
		where namespace_id = any(@namespaces)
		order by array_position(@namespaces::bigint[], namespace_id) desc limit 1`,
		pgx.NamedArgs{"project": p.ID, "namespaces": p.NamespaceIDs})
}

// CreatePushRule creates the push rule of a group or project, which fill completes (gaps §3.4,
// §4.3). There is at most one.
func CreatePushRule(
	ctx context.Context, st *db.Store, c db.Container, fill func(*PushRule) error,
) (r PushRule, err error) {
	r.Container = c
	err = st.Tx(ctx, func(st *db.Store) error {
		n, err := PushRules(st, c).Count(ctx)
		switch {
		case err != nil:
			return err
		case n > 0 && c.NamespaceID != nil:
			return fault.Unprocessable("Group push rule exists, try updating")
		case n > 0:
			return fault.Unprocessable("Project push rule exists").In(fault.Parameter)
		}
		if err := db.Checked(fill, checkPushRule)(st, &r); err != nil {
			return err
		}
		r, err = PushRules(st, c).Create(ctx, r)
		return err
	})
	return r, err
}

// ChangePushRule applies change to the push rule of a group or project and stores it.
func ChangePushRule(
	ctx context.Context, st *db.Store, c db.Container, change func(*PushRule) error,
) (PushRule, error) {
	return PushRules(st, c).Change(ctx, db.AnyRow, db.Checked(change, checkPushRule))
}

// checkPushRule returns the problems of a push rule.
func checkPushRule(r PushRule) error {
	var wrong check.Problems
	for _, regex := range []struct{ field, text string }{
		{"commit_message_regex", r.CommitMessageRegex},
		{"commit_message_negative_regex", r.CommitMessageNegativeRegex},
		{"branch_name_regex", r.BranchNameRegex},
		{"author_email_regex", r.AuthorEmailRegex},
		{"file_name_regex", r.FileNameRegex},
	} {
		if !wrong.Fits(regex.field, regex.text, check.MaxRegexLength) {
			continue
		}
		if err := check.Regex(regex.text); err != nil {
			wrong.On(regex.field, "not valid RE2 syntax: "+strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
	}
	return wrong.Err()
}

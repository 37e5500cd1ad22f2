package protect

import (
	"context"
	"strings"

	"hew/server/check"
	"hew/server/db"
	"hew/server/fault"
)

// CreatePushRule makes the push rule of a group or project out of what fill says (gaps §3.4, §4.3). There is one at most.
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
		if err := db.Checked(fill, CheckPushRule)(st, &r); err != nil {
			return err
		}
		r, err = PushRules(st, c).Create(ctx, r)
		return err
	})
	return r, err
}

// ChangePushRule lets change edit the push rule of a group or project, and stores the outcome.
func ChangePushRule(
	ctx context.Context, st *db.Store, c db.Container, change func(*PushRule) error,
) (PushRule, error) {
	return PushRules(st, c).Change(ctx, db.Only, db.Checked(change, CheckPushRule))
}

// CheckPushRule says what is wrong with a push rule, if anything.
func CheckPushRule(r PushRule) error {
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

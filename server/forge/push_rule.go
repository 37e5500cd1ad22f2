package forge

import (
	"context"
	"strings"

	"hew/server/fault"
	"hew/server/store"
)

// CreatePushRule makes the push rule of a group or project out of what fill says (gaps §3.4, §4.3). There is one at most.
func CreatePushRule(
	ctx context.Context, st *store.Store, c store.Container, fill func(*store.PushRule) error,
) (r store.PushRule, err error) {
	r.Container = c
	err = st.Tx(ctx, func(st *store.Store) error {
		n, err := st.PushRules(c).Count(ctx)
		switch {
		case err != nil:
			return err
		case n > 0 && c.NamespaceID != nil:
			return fault.Unprocessable("Group push rule exists, try updating")
		case n > 0:
			return fault.Unprocessable("Project push rule exists").In(fault.Parameter)
		}
		if err := checked(fill, checkPushRule)(&r); err != nil {
			return err
		}
		r, err = st.PushRules(c).Create(ctx, r)
		return err
	})
	return r, err
}

// ChangePushRule lets change edit the push rule of a group or project, and stores the outcome.
func ChangePushRule(
	ctx context.Context, st *store.Store, c store.Container, change func(*store.PushRule) error,
) (store.PushRule, error) {
	return st.PushRules(c).Change(ctx, store.Only, checked(change, checkPushRule))
}

// longestRegex is how long a regular expression may be (gaps §3.4): whoever pushes waits until it has been looked at.
const longestRegex = 511

// checkPushRule says what is wrong with a push rule, if anything.
func checkPushRule(r store.PushRule) error {
	var wrong problems
	for _, regex := range []struct{ field, text string }{
		{"commit_message_regex", r.CommitMessageRegex},
		{"commit_message_negative_regex", r.CommitMessageNegativeRegex},
		{"branch_name_regex", r.BranchNameRegex},
		{"author_email_regex", r.AuthorEmailRegex},
		{"file_name_regex", r.FileNameRegex},
	} {
		if !wrong.fits(regex.field, regex.text, longestRegex) {
			continue
		}
		if err := checkRegex(regex.text); err != nil {
			wrong.on(regex.field, "not valid RE2 syntax: "+strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
	}
	return wrong.err()
}

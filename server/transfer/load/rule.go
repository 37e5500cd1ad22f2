package load

import (
	"context"

	"github.com/jackc/pgx/v5"

	"hew/server/check"
	"hew/server/db"
	"hew/server/transfer/archive"
)

// storePushRule stores the push rules of the project, in place of those it has.
func storePushRule(ctx context.Context, b *batch, documents []Document) error {
	err := each(b, documents, func(_ Document, p *archive.PushRule) error {
		r := row{"project_id": b.project.ID, "max_file_size": 0, "created_at": now(), "updated_at": now()}
		for column, value := range map[string]*string{
			"commit_message_regex": p.CommitMessageRegex, "commit_message_negative_regex": p.CommitMessageNegativeRegex,
			"branch_name_regex": p.BranchNameRegex, "author_email_regex": p.AuthorEmailRegex,
			"file_name_regex": p.FileNameRegex,
		} {
			r[column] = db.OrZero(value)
			if check.Regex(db.OrZero(value)) != nil {
				return invalid(column + ": is not a regular expression of RE2")
			}
		}
		for column, value := range map[string]*bool{
			"deny_delete_tag": p.DenyDeleteTag, "member_check": p.MemberCheck, "prevent_secrets": p.PreventSecrets,
			"commit_committer_check":      p.CommitCommitterCheck,
			"commit_committer_name_check": p.CommitCommitterNameCheck,
			"reject_unsigned_commits":     p.RejectUnsignedCommits,
			"reject_non_dco_commits":      p.RejectNonDCOCommits,
		} {
			r[column] = db.OrZero(value)
		}
		if size := db.OrZero(p.MaxFileSize); size > 0 && size < 1<<31 {
			r["max_file_size"] = size
		}
		b.add("push_rules", r)
		return nil
	})
	if err != nil || len(b.rows["push_rules"]) == 0 {
		return err
	}
	b.rows["push_rules"] = b.rows["push_rules"][:1]
	return b.st.Exec(ctx, `delete from push_rules where project_id = @project`,
		pgx.NamedArgs{"project": b.project.ID})
}

// storeApprovalRules stores the approval rules of the project. Their branches are there.
func storeApprovalRules(ctx context.Context, b *batch, documents []Document) error {
	branches, err := db.Many[named](ctx, b.st, `
		select id, name from protected_refs where project_id = @project and kind = 'branch'`,
		pgx.NamedArgs{"project": b.project.ID})
	if err != nil {
		return err
	}
	byName := map[string]int64{}
	for _, r := range branches {
		byName[r.Name] = r.ID
	}
	return each(b, documents, func(_ Document, a *archive.ApprovalRule) error {
		kind := oneOf(a.RuleType, "regular", "any_approver", "report_approver")
		switch {
		case a.Name == "" || len([]rune(a.Name)) > 255:
			return invalid("name: can't be blank or longer than 255 characters")
		case a.ApprovalsRequired < 0 || a.ApprovalsRequired > 100:
			return invalid("approvals_required: must be between 0 and 100")
		}
		var report any
		if kind == "report_approver" {
			if a.ReportType != nil {
				report = oneOf(*a.ReportType, nil, "license_scanning", "code_coverage")
			}
			if report == nil {
				return invalid("report_type: this type of report does not exist here")
			}
		}
		users, refs := []int64{}, []int64{}
		for _, u := range a.Users {
			if id, ok := b.known(u.UserID); ok {
				users = append(users, id)
			}
		}
		for _, p := range a.ProtectedBranches {
			if id := byName[p.BranchName]; id != 0 {
				refs = append(refs, id)
			}
		}
		created, updated := span(a.CreatedAt, a.UpdatedAt)
		b.add("approval_rules", row{
			"project_id": b.project.ID, "name": a.Name, "rule_type": kind, "report_type": report,
			"approvals_required": a.ApprovalsRequired, "user_ids": users, "group_ids": []int64{},
			"protected_branch_ids": refs, "applies_to_all_protected_branches": a.AppliesToAllProtectedBranches,
			"created_at": created, "updated_at": updated,
		})
		return nil
	})
}

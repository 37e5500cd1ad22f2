package protect

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/tree"
)

// ApprovalSettings are what approvals of merge requests are held to beside the rules: of a project, or of a group for all
// that is in it (gaps §7.3).
type ApprovalSettings struct {
	ID int64 `db:"id,auto"`
	db.Container
	ApprovalSwitches[bool]
	CreatedAt time.Time `db:"created_at,auto"`
	UpdatedAt time.Time `db:"updated_at,auto"`
}

// ApprovalSwitches are the settings of approvals: as values, as parameters, or as what is shown of them.
type ApprovalSwitches[S any] struct {
	AuthorApproval    S `db:"allow_author_approval" json:"allow_author_approval" param:"allow_author_approval"`
	CommitterApproval S `db:"allow_committer_approval" json:"allow_committer_approval" param:"allow_committer_approval"`
	Overrides         S `db:"allow_overrides_to_approver_list_per_merge_request" json:"allow_overrides_to_approver_list_per_merge_request" param:"allow_overrides_to_approver_list_per_merge_request"`
	RetainApprovals   S `db:"retain_approvals_on_push" json:"retain_approvals_on_push" param:"retain_approvals_on_push"`
	SelectiveRemovals S `db:"selective_code_owner_removals" json:"selective_code_owner_removals" param:"selective_code_owner_removals"`
	Reauthentication  S `db:"require_reauthentication_to_approve" json:"require_reauthentication_to_approve" param:"require_reauthentication_to_approve"`
}

// All are the settings, in the order of the fields.
func (s *ApprovalSwitches[S]) All() [6]*S {
	return [...]*S{
		&s.AuthorApproval, &s.CommitterApproval, &s.Overrides, &s.RetainApprovals, &s.SelectiveRemovals, &s.Reauthentication,
	}
}

// NewApprovalSwitches are the settings of a group or project that chose none: those of a group forbid nothing in it.
func NewApprovalSwitches(c db.Container) ApprovalSwitches[bool] {
	group := c.NamespaceID != nil
	return ApprovalSwitches[bool]{AuthorApproval: group, CommitterApproval: true, Overrides: true, RetainApprovals: group}
}

// updateApprovalSettings lets edit change the settings of a group or project, as Put does: who chose none has the defaults.
func updateApprovalSettings(ctx context.Context, s *db.Store, c db.Container, edit db.Edit[ApprovalSettings],
) (ApprovalSettings, error) {
	return db.HeldIn[ApprovalSettings](s, c, "approval_settings").Put(
		ctx, db.Only, ApprovalSettings{Container: c, ApprovalSwitches: NewApprovalSwitches(c)}, edit)
}

// FindApprovalSettings are the settings of a source, and those of the groups around it as far as these chose any.
func FindApprovalSettings(ctx context.Context, s *db.Store, src tree.Source) (own ApprovalSwitches[bool], above []ApprovalSwitches[bool], err error) {
	c := src.Container()
	own = NewApprovalSwitches(c)
	rows, err := db.Many[ApprovalSettings](ctx, s, `
		select t.* from approval_settings t where t.project_id = @project or t.namespace_id = any(@namespaces)`,
		pgx.NamedArgs{"project": src.Project, "namespaces": src.Namespaces})
	for _, row := range rows {
		if row.Container.String() == c.String() {
			own = row.ApprovalSwitches
		} else {
			above = append(above, row.ApprovalSwitches)
		}
	}
	return own, above, err
}

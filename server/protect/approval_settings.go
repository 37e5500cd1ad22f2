package protect

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"hew/server/db"
	"hew/server/event"
	"hew/server/fault"
	"hew/server/setting"
	"hew/server/tree"
)

// ApprovalSettings are the settings of approvals beside the rules: of a project, or of a group for
// everything in it (gaps §7.3).
type ApprovalSettings struct {
	ID int64 `db:"id,auto"`
	db.Container
	ApprovalSwitches[bool]
	CreatedAt time.Time `db:"created_at,auto"`
	UpdatedAt time.Time `db:"updated_at,auto"`
}

// ApprovalSwitches are the settings of approvals, with S as a value, a parameter or a view.
type ApprovalSwitches[S any] struct {
	AuthorApproval    S `db:"allow_author_approval" json:"allow_author_approval" param:"allow_author_approval"`
	CommitterApproval S `db:"allow_committer_approval" json:"allow_committer_approval" param:"allow_committer_approval"`
	Overrides         S `db:"allow_overrides_to_approver_list_per_merge_request" json:"allow_overrides_to_approver_list_per_merge_request" param:"allow_overrides_to_approver_list_per_merge_request"`
	RetainApprovals   S `db:"retain_approvals_on_push" json:"retain_approvals_on_push" param:"retain_approvals_on_push"`
	SelectiveRemovals S `db:"selective_code_owner_removals" json:"selective_code_owner_removals" param:"selective_code_owner_removals"`
	Reauthentication  S `db:"require_reauthentication_to_approve" json:"require_reauthentication_to_approve" param:"require_reauthentication_to_approve"`
}

// All returns pointers to the settings in the order of the fields.
func (s *ApprovalSwitches[S]) All() [6]*S {
	return [...]*S{
		&s.AuthorApproval, &s.CommitterApproval, &s.Overrides, &s.RetainApprovals, &s.SelectiveRemovals,
		&s.Reauthentication,
	}
}

// NewApprovalSwitches returns the defaults of a group or project. Those of a group forbid nothing
// in it.
func NewApprovalSwitches(c db.Container) ApprovalSwitches[bool] {
	group := c.NamespaceID != nil
	return ApprovalSwitches[bool]{
		AuthorApproval: group, CommitterApproval: true, Overrides: true, RetainApprovals: group,
	}
}

// updateApprovalSettings stores what edit makes of the settings of a group or project. It starts
// from the defaults where there are none.
func updateApprovalSettings(ctx context.Context, s *db.Store, c db.Container, edit db.Edit[ApprovalSettings],
) (ApprovalSettings, error) {
	return db.NewHeld[ApprovalSettings](s, c, "approval_settings").Put(
		ctx, db.AnyRow, ApprovalSettings{Container: c, ApprovalSwitches: NewApprovalSwitches(c)}, edit)
}

// findApprovalSettings returns the settings of a source, and those of the groups above it that have
// any.
func findApprovalSettings(
	ctx context.Context, s *db.Store, src tree.Source,
) (own ApprovalSwitches[bool], above []ApprovalSwitches[bool], err error) {
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

// ApprovalSetting is a setting as it is in effect in a group or project, and who decides it.
type ApprovalSetting struct {
	Value         bool    `json:"value"`
	Locked        bool    `json:"locked"`         // from above: what is chosen here counts for nothing
	InheritedFrom *string `json:"inherited_from"` // instance, group; nil unless it is locked
}

// strictApproval has the value of each setting that a level below cannot take back.
var strictApproval = ApprovalSwitches[bool]{SelectiveRemovals: true, Reauthentication: true}

// ReadApprovalSettings returns the settings that are in effect in a source (gaps §7.3). A strict
// value of the instance or of a group above wins.
func ReadApprovalSettings(
	ctx context.Context, st *db.Store, src tree.Source,
) (ApprovalSwitches[ApprovalSetting], error) {
	own, above, err := findApprovalSettings(ctx, st, src)
	if err != nil {
		return ApprovalSwitches[ApprovalSetting]{}, err
	}
	host, err := setting.Read(ctx, st)
	if err != nil {
		return ApprovalSwitches[ApprovalSetting]{}, err
	}
	strict := strictApproval
	decided := ApprovalSwitches[bool]{ // by the instance, for everybody
		AuthorApproval: host.NoAuthorApproval, CommitterApproval: host.NoCommitterApproval,
		Overrides: host.NoApproverOverrides,
	}
	var counts ApprovalSwitches[ApprovalSetting]
	for i, setting := range counts.All() {
		asStrict := func(group ApprovalSwitches[bool]) bool { return *group.All()[i] == *strict.All()[i] }
		switch {
		case *decided.All()[i]:
			*setting = ApprovalSetting{Value: *strict.All()[i], Locked: true, InheritedFrom: new("instance")}
		case slices.ContainsFunc(above, asStrict):
			*setting = ApprovalSetting{Value: *strict.All()[i], Locked: true, InheritedFrom: new("group")}
		default:
			*setting = ApprovalSetting{Value: *own.All()[i]}
		}
	}
	return counts, nil
}

// ChangeApprovalSettings applies change to the settings of a group or project and returns what is
// in effect afterwards. A locked setting is stored as well, for the day when it is unlocked.
func ChangeApprovalSettings(
	ctx context.Context, st *db.Store, src tree.Source, change func(*ApprovalSettings) error,
) (ApprovalSwitches[ApprovalSetting], error) {
	var now ApprovalSwitches[ApprovalSetting]
	err := st.Tx(ctx, func(st *db.Store) (err error) {
		if now, err = changeApprovalSettings(ctx, st, src, change); err != nil {
			return err
		}
		return event.Emit(ctx, st, ApprovalSettingsChanged{Source: src, Now: now})
	})
	return now, err
}

// ApprovalSettingsChanged is emitted after approval settings of a group or project were changed, in
// the transaction that does it.
type ApprovalSettingsChanged struct {
	Source tree.Source
	Now    ApprovalSwitches[ApprovalSetting] // in effect in the source
}

func changeApprovalSettings(
	ctx context.Context, st *db.Store, src tree.Source, change func(*ApprovalSettings) error,
) (ApprovalSwitches[ApprovalSetting], error) {
	_, err := updateApprovalSettings(ctx, st, src.Container(), db.Checked(change, func(s ApprovalSettings) error {
		if s.SelectiveRemovals && !s.RetainApprovals {
			return fault.Invalid("selective_code_owner_removals",
				"can only be enabled when retain_approvals_on_push is enabled (reset_approvals_on_push is disabled)")
		}
		return nil
	}))
	if err != nil {
		return ApprovalSwitches[ApprovalSetting]{}, err
	}
	return ReadApprovalSettings(ctx, st, src)
}

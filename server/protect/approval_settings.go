package protect

import (
	"context"
	"slices"

	"hew/server/db"
	"hew/server/fault"
	"hew/server/setting"
	"hew/server/tree"
)

// ApprovalSetting is a setting of approvals as it counts in a group or project, and who decides on it.
type ApprovalSetting struct {
	Value         bool    `json:"value"`
	Locked        bool    `json:"locked"`         // from above: what is chosen here counts for nothing
	InheritedFrom *string `json:"inherited_from"` // instance, group; nil unless it is locked
}

// strictApproval has the value of each setting that nobody below can take back: some forbid, some demand.
var strictApproval = ApprovalSwitches[bool]{SelectiveRemovals: true, Reauthentication: true}

// ReadApprovalSettings are the settings as they count in a source (gaps §7.3). What the instance or a group forbids, or demands,
// is so for all that is in it.
func ReadApprovalSettings(ctx context.Context, st *db.Store, src tree.Source) (ApprovalSwitches[ApprovalSetting], error) {
	own, above, err := FindApprovalSettings(ctx, st, src)
	if err != nil {
		return ApprovalSwitches[ApprovalSetting]{}, err
	}
	host, err := setting.Read(ctx, st)
	if err != nil {
		return ApprovalSwitches[ApprovalSetting]{}, err
	}
	strict := strictApproval
	decided := ApprovalSwitches[bool]{ // by the instance, for everybody
		AuthorApproval: host.NoAuthorApproval, CommitterApproval: host.NoCommitterApproval, Overrides: host.NoApproverOverrides,
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

// ChangeApprovalSettings lets change edit the settings of a group or project, and returns what counts there afterwards. What
// is locked is stored all the same, for the day when it is not.
func ChangeApprovalSettings(
	ctx context.Context, st *db.Store, src tree.Source, change func(*ApprovalSettings) error,
) (ApprovalSwitches[ApprovalSetting], error) {
	_, err := updateApprovalSettings(ctx, st, src.Container(), db.Checked(change, func(s ApprovalSettings) error {
		if s.SelectiveRemovals && !s.RetainApprovals {
			return fault.Invalid("selective_code_owner_removals", "can only be enabled when retain_approvals_on_push is enabled (reset_approvals_on_push is disabled)")
		}
		return nil
	}))
	if err != nil {
		return ApprovalSwitches[ApprovalSetting]{}, err
	}
	return ReadApprovalSettings(ctx, st, src)
}

package forge

import (
	"context"

	"hew/server/fault"
	"hew/server/store"
)

// ApprovalSetting is a setting of approvals as it counts in a group or project, and who decides on it.
type ApprovalSetting struct {
	Value         bool    `json:"value"`
	Locked        bool    `json:"locked"`         // from above: what is chosen here counts for nothing
	InheritedFrom *string `json:"inherited_from"` // instance, group; nil unless it is locked
}

// ApprovalSettings are the settings as they count in a source (gaps §7.3). What the instance or a group forbids, or demands,
// is so for all that is in it.
func ApprovalSettings(ctx context.Context, st *store.Store, src store.Source) (store.ApprovalSwitches[ApprovalSetting], error) {
	own, above, err := st.ApprovalSettings(ctx, src)
	if err != nil {
		return store.ApprovalSwitches[ApprovalSetting]{}, err
	}
	host, err := st.Settings(ctx)
	if err != nil {
		return store.ApprovalSwitches[ApprovalSetting]{}, err
	}
	type switches = store.ApprovalSwitches[bool]
	// judge finds what counts: strict is the value that nobody below can take back.
	judge := func(strict, everywhere bool, of func(switches) bool) ApprovalSetting {
		if everywhere {
			return ApprovalSetting{Value: strict, Locked: true, InheritedFrom: new("instance")}
		}
		for _, group := range above {
			if of(group) == strict {
				return ApprovalSetting{Value: strict, Locked: true, InheritedFrom: new("group")}
			}
		}
		return ApprovalSetting{Value: of(own)}
	}
	return store.ApprovalSwitches[ApprovalSetting]{
		AuthorApproval:    judge(false, host.NoAuthorApproval, func(s switches) bool { return s.AuthorApproval }),
		CommitterApproval: judge(false, host.NoCommitterApproval, func(s switches) bool { return s.CommitterApproval }),
		Overrides:         judge(false, host.NoApproverOverrides, func(s switches) bool { return s.Overrides }),
		RetainApprovals:   judge(false, false, func(s switches) bool { return s.RetainApprovals }),
		SelectiveRemovals: judge(true, false, func(s switches) bool { return s.SelectiveRemovals }),
		Reauthentication:  judge(true, false, func(s switches) bool { return s.Reauthentication }),
	}, nil
}

// ChangeApprovalSettings lets change edit the settings of a group or project, and returns what counts there afterwards. What
// is locked is stored all the same, for the day when it is not. Field is what the caller calls the setting without which
// removals cannot be selective, and how it has to be.
func ChangeApprovalSettings(
	ctx context.Context, st *store.Store, src store.Source, field string, change func(*store.ApprovalSettings) error,
) (store.ApprovalSwitches[ApprovalSetting], error) {
	_, err := st.ChangeApprovalSettings(ctx, src.Container(), checked(change, func(s store.ApprovalSettings) error {
		if s.SelectiveRemovals && !s.RetainApprovals {
			return fault.Invalid("selective_code_owner_removals", "can only be enabled when "+field)
		}
		return nil
	}))
	if err != nil {
		return store.ApprovalSwitches[ApprovalSetting]{}, err
	}
	return ApprovalSettings(ctx, st, src)
}

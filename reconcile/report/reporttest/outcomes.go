package reporttest

import (
	"errors"

	"hew/reconcile/apply"
	"hew/reconcile/plan"
)

// Outcome is an apply of which one change failed and kept another from
// being begun.
var Outcome = &apply.Outcome{
	Done:     Plans["sample"].Changes[:1],
	Recorded: Plans["values"].Changes[len(Plans["values"].Changes)-1:],
	Failed: []apply.Failure{{Change: plan.Change{
		Addr: At(GroupKind, "new", "", ""), Action: plan.Create, Kind: GroupKind, Decl: Declared(7),
	},
		Err: errors.New("POST groups: 400 path has already been taken")},
		{Change: plan.Change{
			Addr: At(GroupKind, "hall", "", ""), Action: plan.Create, Kind: GroupKind, Decl: Declared(8),
		},
			Err: errors.New("its planned value differs: the path is hall-1, not hall"), Made: true}},
	Skipped: []apply.Failure{{Change: plan.Change{
		Addr: At(HookKind, "ci", "", ""), Action: plan.Create, Kind: HookKind, Decl: Declared(9),
	},
		Err: errors.New("not started because group.new failed")}},
	Requests: 12, Seconds: 1.26,
}

// Interrupted is an apply that ended long before it was done.
var Interrupted = func() *apply.Outcome {
	o := &apply.Outcome{Interrupted: true, Requests: 1, Seconds: 125, Checks: estate().Checks}
	for i := range 20 {
		c := plan.Change{Addr: At(HookKind, "ci", "acme/"+string(rune('a'+i)), ""), Action: plan.Create, Kind: HookKind,
			Decl: Declared(9)}
		o.Skipped = append(
			o.Skipped, apply.Failure{Change: c, Err: errors.New("not started because the run was interrupted")},
		)
	}
	return o
}()

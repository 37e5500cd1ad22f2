package plan

import "fmt"

// This file has the guards that check for objects missing from the configuration or the host.

func emptyConfig(_ []*Change, _ *Plan, f *Facts) []Finding {
	if f.Destroy || f.Declared > 0 || f.Ledger == nil || len(f.Ledger.Entries) == 0 || f.Limits.AllowEmpty {
		return nil
	}
	return []Finding{{
		Text: fmt.Sprintf("The configuration declares no resources, but the ledger has %s.",
			countNoun(len(f.Ledger.Entries), "object")),
		Fix: "Check that this is the right workspace directory and that every count and for_each is correct. To " +
			"delete everything, run hew destroy, or set allow_empty = true in hew { guards { … } }.",
	}}
}

func mass404(_ []*Change, _ *Plan, f *Facts) []Finding {
	if f.Limits.AllowRecreate {
		return nil
	}
	owners := 0
	whole := false
	var titles []string
	for _, l := range f.NotFound {
		titles = append(titles, l.Title)
		if l.Whole {
			whole = true
		} else {
			owners++
		}
	}
	if owners < 2 && !whole {
		return nil
	}
	return []Finding{{
		Text: fmt.Sprintf("The host answers 404 for %s in the ledger; the token has probably lost access.",
			countNoun(len(f.NotFound), "object")),
		Fix: "Check the host and the token's access. If the objects were deleted, remove them with hew ledger rm and " +
			"run hew plan again, or set allow_recreate = true in hew { guards { … } } to create them again.",
		Objects: titles,
	}}
}

func recreate(changes []*Change, _ *Plan, f *Facts) []Finding {
	if f.Limits.AllowRecreate {
		return nil
	}
	var out []Finding
	for _, c := range changes {
		if c.Action == Create && c.Gone && c.Kind.Tree != nil {
			out = append(out, finding(fmt.Sprintf("%s is in the ledger but not on the host; the plan would create an "+
				"empty %s with a new id.", c.title(), c.Kind.Name),
				"If it was deleted on purpose, remove its block, or remove its address with hew ledger rm. To "+
					"create it again, set allow_recreate = true in hew { guards { … } }.", c))
		}
	}
	return out
}

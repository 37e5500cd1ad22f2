package plan

import "fmt"

// The guards that look at what is not there: in the configuration, or on the
// host.

func emptyConfig(_ []*Change, _ *Plan, f *Facts) []Finding {
	if f.Destroy || f.Declared > 0 || f.Ledger == nil || len(f.Ledger.Entries) == 0 || f.Limits.AllowEmpty {
		return nil
	}
	return []Finding{{
		Text: fmt.Sprintf("The configuration declares nothing, while the ledger has %s.", countNoun(len(f.Ledger.Entries),
			"object")),
		Fix: "Check that this is the right directory and that every count and for_each is as meant. To delete it all " +
			"run hew destroy, or set allow_empty = true in hew { guards { … } }.",
	}}
}

func mass404(_ []*Change, _ *Plan, f *Facts) []Finding {
	if f.Limits.AllowRecreate {
		return nil
	}
	owners := 0
	whole := false
	var titles []string
	for _, l := range f.Lost {
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
		Text: fmt.Sprintf("%s that the ledger knows answer 404: more likely out of sight than gone.",
			countNoun(len(f.Lost), "object")),
		Fix: "Check the token's access and the host. If they are really gone, remove them with hew ledger rm and " +
			"plan again, or set allow_recreate = true in hew { guards { … } } to make them anew.",
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
			out = append(out, finding(fmt.Sprintf("%s was managed by hew and is gone from the host; creating it again "+
				"makes an empty %s with a new id.", c.title(), c.Kind.Name),
				"If it was deleted on purpose remove its block, or hew ledger rm its address; to create it again set "+
					"allow_recreate = true in hew { guards { … } }.", c))
		}
	}
	return out
}

package report

import (
	"cmp"

	"hew/reconcile/plan"
	"hew/reconcile/report/prose"
)

// createRows returns the declared values of a new object, then the defaults of the host.
func createRows(c *Change) []Row {
	var rows []Row
	for _, p := range c.Paths {
		rows = append(rows, Row{Name: p.name(), difference: p.stated(), Cause: p.remark(), Keyed: c.keyed(p)})
	}
	return append(rows, defaultRows(c)...)
}

// defaultRows returns the host's defaults if they are few, else only a row that there are some.
func defaultRows(c *Change) []Row {
	rows := []Row{}
	given := c.defaults()
	for _, text := range given {
		if last := len(rows) - 1; last >= 0 && prose.Columns(rows[last].Value+text) < LongLine {
			rows[last].Value += ", " + text
			continue
		}
		rows = append(rows, Row{difference: difference{Value: text}})
	}
	switch {
	case len(given) == 0:
		return nil
	case len(rows) > 2:
		rows = []Row{{difference: difference{Value: prose.Count(len(given), "attribute")}}}
	}
	rows[0].Name, rows[0].Cause = NotSet, "host defaults"
	return rows
}

// NotSet replaces the name before values that the host decides.
const NotSet = "(not set)"

func attrRows(c *Change, paths []Path) []Row {
	var rows []Row
	for i, p := range paths {
		r := Row{Name: p.name(), By: p.Cause}
		note := p.remark()
		if p.Secret {
			r.Value = Secret
			note = "secret " + cmp.Or(note, "changed")
		} else {
			r.difference = p.difference()
		}
		if c.Event != nil {
			r.Cause = c.Event.describeArgument(&c.Event.Paths[i])
		} else {
			r.Cause = because(plan.Cause(p.Cause), note, "set by hand since the last apply"+traced(c))
		}
		rows = append(rows, r)
	}
	return rows
}

// name returns the name of the argument in the block, which is the one users look for.
func (p Path) name() string { return cmp.Or(p.Written, p.Path) }

// remark returns the note of an argument's change, unless its value says the same.
func (p Path) remark() string {
	if "("+p.Note+")" == unknown {
		return ""
	}
	return prose.Clean(p.Note)
}

package report

import (
	"io"

	"hew/reconcile/plan"
)

// widget is what the widget of a merge request reads: how much comes, changes and
// goes.
type widget struct {
	Create int `json:"create"`
	Update int `json:"update"`
	Delete int `json:"delete"`
}

// writeWidget counts what is sent to the host, in all directories together. A
// replacement is a deletion and a creation; what is adopted or has moved counts as
// updated where something of it changes. Where anything has no plan there are no
// numbers, for these would be of a part: hosts then say that the report failed.
func writeWidget(out io.Writer, parts []Part) error {
	var w widget
	for _, p := range parts {
		if !p.Planned {
			return WriteJSON(out, struct{}{})
		}
		for _, c := range p.Changes {
			w.count(c)
		}
	}
	return WriteJSON(out, w)
}

func (w *widget) count(c Change) {
	switch {
	case !c.Sends || c.Founder && c.Action == plan.Delete.Name(): // nothing of what is there now
	case c.Action == plan.Create.Name():
		w.Create++
	case c.Action == plan.Delete.Name():
		w.Delete++
	case c.Action == plan.Replace.Name():
		w.Create++
		w.Delete++
	default:
		w.Update++
	}
}

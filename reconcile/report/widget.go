package report

import (
	"io"

	"hew/reconcile/plan"
)

// widget is the report for the widget of a merge request: the numbers of creates, updates and
// deletes.
type widget struct {
	Create int `json:"create"`
	Update int `json:"update"`
	Delete int `json:"delete"`
}

// writeWidget counts the changes sent to the host, of all directories together. A replacement is a
// deletion and a creation. An adopted or moved object counts as updated if anything of it changes.
// If a directory has no plan there are no numbers, because they would be partial; hosts then say
// that the report failed.
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
	case !c.Sends || c.Founder && c.Action == plan.Delete.Name(): // no existing object
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

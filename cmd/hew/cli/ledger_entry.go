package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/ledger"
	"hew/reconcile/report"
	"hew/reconcile/report/prose"
)

// entriesDoc is the output of ledger list and show with -json. It has no digests, which only hew
// can use.
type entriesDoc struct {
	FormatVersion string     `json:"format_version"`
	Host          string     `json:"host"`
	Serial        uint64     `json:"serial"`
	Entries       []entryDoc `json:"entries"`
}

type entryDoc struct {
	Address    string   `json:"address"`
	Kind       string   `json:"kind"`
	Collection string   `json:"collection,omitempty"`
	Key        string   `json:"key,omitempty"`
	ID         string   `json:"id,omitempty"`
	Created    bool     `json:"created"` // false: adopted
	Protected  bool     `json:"protected"`
	Pending    bool     `json:"pending"`
	Owned      []string `json:"owned"`
	Needs      []string `json:"needs"`
	Due        string   `json:"due,omitempty"` // the object because of which it will be replaced
}

func entriesOf(led *ledger.Ledger, at []addr.Instance) entriesDoc {
	doc := entriesDoc{report.FormatVersion, led.Host, led.Serial, []entryDoc{}}
	for _, i := range at {
		e := led.Entries[i]
		d := entryDoc{Address: i.String(), Kind: e.Kind, Collection: e.Collection, Key: e.Key, ID: e.ID,
			Created: e.Created, Protected: e.Protected, Pending: e.Pending, Owned: ownedBy(e), Needs: []string{}}
		if e.ReplacedFor != (addr.Instance{}) {
			d.Due = e.ReplacedFor.String()
		}
		for _, n := range e.DependsOn {
			d.Needs = append(d.Needs, n.String())
		}
		doc.Entries = append(doc.Entries, d)
	}
	return doc
}

func ownedBy(e ledger.Entry) []string {
	return append([]string{}, slices.Sorted(maps.Keys(e.Owned))...)
}

func (a *app) showEntry(at addr.Instance, e ledger.Entry) {
	origin := "adopted"
	if e.Created {
		origin = "created by hew"
	}
	var marks []string
	if e.Protected {
		marks = append(marks, "prevent_destroy")
	}
	if e.Pending {
		marks = append(marks, "creation pending: its answer was lost, and the next run looks for the object")
	}
	if e.ReplacedFor != (addr.Instance{}) {
		marks = append(marks, fmt.Sprintf("will be replaced because %s has changed", e.ReplacedFor))
	}
	fmt.Fprintln(a.out, at)
	for _, row := range [][2]string{
		{"id", e.ID}, {"key", e.Key}, {"collection", e.Collection}, {"origin", origin}, {"marks", strings.Join(marks,
			"; ")},
		{"set by hew", strings.Join(ownedBy(e), ", ")}, {"needs", prose.List(e.DependsOn)},
	} {
		if row[1] != "" {
			fmt.Fprintf(a.out, "  %s%s\n", prose.Pad(row[0], 2, 16), prose.Clean(row[1]))
		}
	}
}

package report

import (
	"encoding/json"
	"fmt"
	"slices"
)

// movesTold is how many differences of a stale plan are listed.
const movesTold = 50

// Moves lists the differences between two plans, by address.
func Moves(was, now *Document) []string {
	moves := allMoves(was, now)
	if more := len(moves) - movesTold; more > 0 {
		return append(moves[:movesTold], fmt.Sprintf("and %d more", more))
	}
	if len(moves) == 0 {
		return []string{
			"nothing that is shown: a secret, or hew itself (" + was.HewVersion + " then, " + now.HewVersion + " now)",
		}
	}
	return moves
}

func allMoves(was, now *Document) []string {
	var moves []string
	if was.Host != now.Host {
		moves = append(moves, fmt.Sprintf("the host: it was made for %s, and this is %s", was.Host, now.Host))
	}
	byAddress := func(d *Document) map[string]*Change {
		m := map[string]*Change{}
		for i := range d.Changes {
			m[d.Changes[i].Address] = &d.Changes[i]
		}
		return m
	}
	before, after := byAddress(was), byAddress(now)
	for _, at := range sortedKeys(before, after) {
		moves = append(moves, changeMoves(at, before[at], after[at])...)
	}
	stuck, stuckNow := addressesOf(was.Blocked), addressesOf(now.Blocked)
	for _, at := range sortedKeys(stuck, stuckNow) {
		switch {
		case !stuck[at]:
			moves = append(moves, at+": it cannot be planned now")
		case !stuckNow[at]:
			moves = append(moves, at+": it could not be planned then, and can be now")
		}
	}
	for _, g := range now.Guards {
		moves = append(moves, fmt.Sprintf("the guard %s stops it: %s", g.Code, g.Text))
	}
	return moves
}

func sortedKeys[V any](maps ...map[string]V) []string {
	var keys []string
	for _, m := range maps {
		for k := range m {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

func addressesOf(all []Blocked) map[string]bool {
	m := map[string]bool{}
	for _, b := range all {
		m[b.Address] = true
	}
	return m
}

// changeMoves lists the differences between two changes of one object. Either may be nil.
func changeMoves(at string, was, now *Change) []string {
	switch {
	case was == nil:
		return []string{fmt.Sprintf("%s: was unchanged, now %s", at, now.Action)}
	case now == nil:
		return []string{fmt.Sprintf("%s: was %s, now unchanged", at, was.Action)}
	case was.Digest == now.Digest:
		return nil
	case was.Action != now.Action:
		return []string{fmt.Sprintf("%s: was %s, now %s", at, was.Action, now.Action)}
	case was.ID != now.ID:
		return []string{fmt.Sprintf("%s: now refers to object %s instead of %s", at, now.ID, was.ID)}
	}
	paths := func(c *Change) map[string]*Path {
		m := map[string]*Path{}
		for i := range c.Paths {
			m[c.Paths[i].Path] = &c.Paths[i]
		}
		return m
	}
	var moves []string
	before, after := paths(was), paths(now)
	for _, name := range sortedKeys(before, after) {
		if x, y := step(before[name]), step(after[name]); x != y {
			moves = append(moves, fmt.Sprintf("%s: %s was %s, now %s", at, name, x, y))
		}
	}
	if len(moves) == 0 {
		moves = []string{at +
			": a secret or an attribute that plans do not show has changed. If nothing has changed, set the same " +
			"HEW_LEDGER_KEY for hew plan and hew apply"}
	}
	return moves
}

// step describes a difference: the old value, the new value and the cause.
func step(p *Path) string {
	switch {
	case p == nil:
		return "not to change"
	case p.Secret:
		return "a secret (" + p.Cause + ")"
	}
	after, _ := json.Marshal([]any{p.After}) // of JSON to begin with
	before, _ := json.Marshal([]any{p.Before})
	if p.Unknown == true {
		after = []byte("[known after apply]")
	}
	return fmt.Sprintf("%s -> %s (%s)", before[1:len(before)-1], after[1:len(after)-1], p.Cause)
}

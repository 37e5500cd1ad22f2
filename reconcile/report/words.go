package report

import (
	"fmt"
	"strings"

	"hew/reconcile/plan"
	"hew/reconcile/report/prose"
	"hew/schema"
)

// remark says what an action that sends nothing does.
func remark(c *plan.Change) string {
	switch c.Action {
	case plan.Move:
		return "moved from " + prose.Clean(c.From.String())
	case plan.Release:
		if c.Gone {
			return "forgotten"
		}
		return "released: the host keeps it"
	case plan.Adopt:
		return adopts(c)
	}
	return ""
}

// adopts words an adoption: "adopts hook 71, token will be set".
func adopts(c *plan.Change) string {
	text := fmt.Sprintf("adopts %s %s", word(c.Kind), prose.Clean(c.Before.ID))
	switch {
	case c.Kind.Tree != nil && c.Title != "":
		text = fmt.Sprintf("adopts %s, %s %s", prose.Clean(c.Title), word(c.Kind), prose.Clean(c.Before.ID))
	default:
		text += OfOwner(c)
	}
	_, secrets := split(c.Paths)
	for _, p := range secrets {
		text += ", " + called(c, p.Attr) + " will be set"
	}
	return text
}

// OfOwner names whose an object is, where neither its path nor its address says
// so: what goes has no line for its owner.
func OfOwner(c *plan.Change) string {
	_, inSet := GroupOf(c.Addr)
	if c.Owner == "" || c.Kind.Tree != nil || inSet || strings.Contains(c.Addr.Key, prose.Quote(c.Owner)) {
		return ""
	}
	return " of " + prose.Clean(c.Owner)
}

// causeOf words the cause of a whole object. That configuration wants it needs
// no saying.
func causeOf(c *plan.Change) string {
	why := prose.Clean(c.Why)
	if c.Cause == plan.ByConfig && why == "" {
		return ""
	}
	if c.Cause == plan.ByDrift {
		why = strings.TrimPrefix(why+traced(c), ", ")
	}
	return because(c.Cause, why, "")
}

// because joins a cause and its explanation; drift has one even where nobody
// gave it.
func because(cause plan.Cause, note, drift string) string {
	if cause == plan.Unknown || cause == "" {
		return note
	}
	if cause == plan.ByBoth {
		cause = "config and drift"
	}
	if cause == plan.ByDrift && note == "" {
		note = drift
	}
	return strings.Join(append([]string{string(cause)}, prose.NonEmpty(note)...), ": ")
}

// word is a kind's name without its owner's: hook for project_hook.
func word(k *schema.Kind) string {
	name := k.Name
	if owner := k.Owner(); owner != nil {
		name = strings.TrimPrefix(name, owner.Name+"_")
	}
	return strings.ReplaceAll(name, "_", " ")
}

// WithCost is a line with what a plan took, as far as anybody can tell.
func WithCost(line string, of plan.Stats) string {
	if of.Shared {
		return line
	}
	return prose.WithCost(line, of.Requests, of.Seconds)
}

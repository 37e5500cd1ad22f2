package report

import (
	"fmt"
	"slices"
	"strings"

	"hew/reconcile/addr"
	"hew/reconcile/plan"
	"hew/reconcile/report/prose"
	"hew/schema"
)

// signs are the actions by their names.
var signs = func() map[string]plan.Action {
	all := map[string]plan.Action{}
	for _, a := range []plan.Action{plan.Create, plan.Update, plan.Replace, plan.Delete, plan.Adopt, plan.Move,
		plan.Release, plan.NotFound, plan.NoOp} {
		all[a.Name()] = a
	}
	return all
}()

// Sign returns the action of a change as it is printed.
func (c *Change) Sign() plan.Action { return signs[c.Action] }

// Sign returns the action of a change that was to be done, as it is printed.
func (d Done) Sign() plan.Action { return signs[d.Action] }

// noun returns what people call an object of the kind.
func (c *Change) noun() string {
	if c.Noun != "" {
		return c.Noun
	}
	return strings.ReplaceAll(c.Kind, "_", " ")
}

// remark says what an action that sends nothing does.
func remark(c *Change) string {
	switch c.Sign() {
	case plan.Move:
		return "moved from " + prose.Clean(c.PreviousAddress)
	case plan.Release:
		if c.Gone {
			return "removed from the ledger"
		}
		return "removed from the ledger only"
	case plan.NotFound:
		return "not found on the host"
	case plan.Adopt:
		return adopts(c)
	}
	return ""
}

// adopts words an adoption: "adopts hook 71, token will be set".
func adopts(c *Change) string {
	text := fmt.Sprintf("adopts %s %s", c.noun(), prose.Clean(c.ID))
	switch {
	case c.Container && c.Title != "":
		text = fmt.Sprintf("adopts %s, %s %s", prose.Clean(c.Title), c.noun(), prose.Clean(c.ID))
	default:
		text += c.ofOwner()
	}
	return text + secretsSet(c)
}

// secretsSet names the secrets that an adoption sets: ", token will be set".
func secretsSet(c *Change) (text string) {
	_, secrets := split(c.Paths)
	for _, p := range secrets {
		text += ", " + p.name() + " will be set"
	}
	return text
}

// ofOwner names the owner of an object if neither its path nor its address shows it:
// deletions have no line for the owner.
func (c *Change) ofOwner() string {
	if c.Owner == "" || c.Container || c.Set != "" {
		return ""
	}
	if at, err := addr.Parse(c.Address); err == nil && strings.Contains(at.Key, prose.Quote(c.Owner)) {
		return ""
	}
	return " of " + prose.Clean(c.Owner)
}

// Subject returns what a change is about: the title of its object, and whose that is.
func Subject(c *plan.Change) string {
	j := Change{Address: c.Addr.String(), Owner: c.Owner, Container: c.Kind.Tree != nil}
	if set, ok := plan.SetOf(c.Addr); ok {
		j.Set = set.String()
	}
	return prose.Clean(c.Title) + j.ofOwner()
}

// causeOf describes the cause of a whole object. The configuration is not mentioned as a cause.
func causeOf(c *Change) string {
	if c.Event != nil {
		return c.Event.describe()
	}
	why, cause := prose.Clean(c.Why), plan.Cause(c.Cause)
	if cause == plan.ByConfig && why == "" {
		return ""
	}
	if cause == plan.ByDrift {
		why = strings.TrimPrefix(why+traced(c), ", ")
	}
	return because(cause, why, "")
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

// brief describes an added or removed element without its key and owner: "developer".
func brief(c *plan.Change) string {
	o := c.After
	switch c.Action {
	case plan.Create:
	case plan.Delete:
		o = c.Before
	default:
		return ""
	}
	skip := slices.Clone(c.Kind.Match.Keys)
	if owner := c.Kind.Owner(); owner != nil {
		skip = append(skip, owner.Name)
	}
	var words []string
	for i := range c.Kind.Attrs {
		a := &c.Kind.Attrs[i]
		v, told := o.Value.Get(a.Name)
		if c.Action == plan.Delete {
			v = showableLive(c, a, orNull(v))
		}
		switch {
		case !told || isNull(v) || a.Mode == schema.Computed || slices.Contains(skip, a.Name):
		case c.Action == plan.Delete && concealed(c, a): // not worth showing
		case a.Show != nil:
			words = append(words, spell(a, v))
		default:
			words = append(words, a.Name+" "+spell(a, v))
		}
	}
	return strings.Join(words, ", ")
}

// word returns a kind's name without its owner's: hook for project_hook.
func word(k *schema.Kind) string {
	name := k.Name
	if owner := k.Owner(); owner != nil {
		name = strings.TrimPrefix(name, owner.Name+"_")
	}
	return strings.ReplaceAll(name, "_", " ")
}

// WithCost returns a line with the cost of a plan, as far as it is known.
func WithCost(line string, of plan.Stats) string {
	if of.Shared {
		return line
	}
	return prose.WithCost(line, of.Requests, of.Seconds)
}

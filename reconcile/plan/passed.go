package plan

import (
	"fmt"

	"hew/reconcile/guard"
	"hew/schema"
)

// PassedName is the name of an object that is renamed and whose name an object of another block
// takes in the same plan: what has the name afterwards is another object.
type PassedName struct {
	Taker *Change
	Title string // the key that the taker has so far, or "" if it is created
}

// FindPassedNames records in each change of an object whose name goes to another block who takes
// it, and mentions it in Why. Instances of one block exchange their objects instead, and what was
// renamed by hand gets its own name back.
func (p *Plan) FindPassedNames() {
	renames := map[Name]*Change{}
	for i := range p.Changes {
		c := &p.Changes[i]
		if c.Action != Update || c.Desired() == nil || c.UndoesRename() {
			continue
		}
		for _, n := range without(keyNames(c.Before, c.Collection), keyNames(c.final(), c.FinalCollection())) {
			renames[n] = c
		}
	}
	if len(renames) == 0 {
		return
	}
	for i := range p.Changes {
		c := &p.Changes[i]
		if c.Action != Create && c.Action != Update || c.Desired() == nil {
			continue
		}
		for _, n := range keyNames(c.final(), c.FinalCollection()) {
			from := renames[n]
			if from == nil || from.Kind != c.Kind || from.Addr.WithoutKeys() == c.Addr.WithoutKeys() {
				continue
			}
			from.Passed = &PassedName{Taker: c}
			if c.Action == Update {
				from.Passed.Title = c.keyTitle(c.Before)
			}
			if from.Why == "" {
				from.Why = from.passedText()
			}
		}
	}
}

// passedText says what happens to the object and to its name.
func (c *Change) passedText() string {
	now, by := c.keyTitle(c.Before), c.Passed.Taker.Addr
	if c.Passed.Title == "" {
		return fmt.Sprintf("%s exists; it becomes %s here, and %s is a new %s", now, c.keyTitle(c.final()), by, now)
	}
	return fmt.Sprintf("%s exists; it becomes %s here, and %s becomes %s (%s)", now, c.keyTitle(c.final()),
		c.Passed.Title, now, by)
}

// keyTitle returns the path of a group, project or user, or the natural key of another object.
func (c *Change) keyTitle(o schema.Object) string {
	if t := o.Kind.Tree; t != nil {
		return schema.Text(o.Get(t.Full))
	}
	a, v, ok := o.Kind.Match.Key(o)
	if !ok {
		return o.ID
	}
	return shownName(a, v)
}

// keyNames returns the names by which an object of a collection is recognized, none while they are
// unknown.
func keyNames(o schema.Object, in schema.Collection) (names []Name) {
	if o.Kind.Tree != nil {
		return NamesOf(o, schema.Collection{}) // the path alone
	}
	a, v, ok := o.Kind.Match.Key(o)
	if !ok || in.Path == "" {
		return nil
	}
	for _, text := range a.KeyTexts(v) {
		names = append(names, Name{in.Path, fmt.Sprintf("%s=%s;%q", a.Name, text, o.Kind.Match.Beside(o))})
	}
	return names
}

// reassigned finds groups, projects and users whose name goes to another object.
func reassigned(changes []*Change, _ *Plan, _ *Facts) []Finding {
	var out []Finding
	for _, c := range changes {
		if c.Passed == nil || c.Kind.Tree == nil {
			continue
		}
		by := c.Passed.Taker.Addr
		keep := fmt.Sprintf("hew ledger mv '%s' '%s'", c.Addr, by) // a moved block is refused: both are declared
		if c.Passed.Title != "" {
			away := by
			away.Name += "_before" // the ledger can have one object at an address
			keep = fmt.Sprintf("hew ledger mv '%s' '%s'\n%s", by, away, keep)
		}
		out = append(out, finding(fmt.Sprintf("The %s %s.", c.Kind.Name, c.passedText()),
			fmt.Sprintf("If it is to be %s instead, run\n\n%s\n\n", by, keep)+c.liftAdvice(guard.ReassignedName), c))
	}
	return out
}

package plan

import (
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/guard"
	"hew/schema"
)

// The guards that look at what lets people do more than before.

// public finds what everybody would see, and does not see yet.
func public(changes []*Change, _ *Plan, _ *Facts) []Finding {
	var out []Finding
	for _, c := range changes {
		if !c.Changes() || c.Action == Delete || c.Kind.Visible == "" || !isPublic(c.After) || isPublic(c.Before) {
			continue
		}
		become := "become"
		if c.Action == Create {
			become = "be created"
		}
		out = append(out, finding(fmt.Sprintf("%s would %s public: everybody sees what is in it, without an account.",
			c.title(), become), c.liftAdvice(guard.Public), c))
	}
	return out
}

// isPublic reports whether everybody sees an object.
func isPublic(o schema.Object) bool {
	if o.Kind == nil {
		return false
	}
	v, _ := o.OrDefault(o.Kind.Visible).Unmark()
	return v.IsKnown() && !v.IsNull() && v.Type() == cty.String && v.AsString() == "public"
}

// lowered finds approvals of which fewer would be asked for, or more loosely. What
// goes with its owner, or by destroy, leaves nothing to approve.
func lowered(changes []*Change, p *Plan, f *Facts) []Finding {
	var out []Finding
	for _, c := range changes {
		if c.Kind.Strict == nil || !c.Changes() || c.Within() != (addr.Instance{}) || f.Destroy {
			continue
		}
		if names := c.looser(); len(names) > 0 {
			out = append(out, c.lowering(fmt.Sprintf("%s asks less of who approves: %s.", c.title(),
				c.differences(names))))
			continue
		}
		if floor := stricterRule(c, p); floor != nil {
			out = append(out, c.lowering(fmt.Sprintf("%s asks less than the rule of the group around it, %s, which "+
				"has %s.", c.title(),
				floor.Addr, showValues(floor.After, c.Kind.Looser(floor.After, c.After)))))
		}
	}
	return out
}

// lowering returns a finding with its lifts: on the block, or in the one that removes it.
func (c *Change) lowering(text string) Finding {
	fix := c.liftAdvice(guard.Lowered)
	if c.Resets() && !c.declared() {
		fix += "\n\nWith destroy = false there it stays as it is."
	}
	return finding(text, fix, c)
}

// looser names the attributes that the change makes looser.
func (c *Change) looser() []string {
	switch {
	case c.Before.Kind == nil || c.Action == Create:
		return nil
	case c.Action == Delete:
		return c.Kind.Looser(c.Before, schema.Object{Kind: c.Kind})
	}
	var names []string
	for _, name := range c.Kind.Looser(c.Before, c.After) {
		if c.Action == Replace || c.Alters(name) {
			names = append(names, name)
		}
	}
	return names
}

func (c *Change) differences(names []string) string {
	var parts []string
	for _, name := range names {
		before := schema.Encode(c.Before.Get(name))
		if c.Action == Delete {
			parts = append(parts, fmt.Sprintf("%s %s, and it would be deleted", name, before))
			continue
		}
		parts = append(parts, fmt.Sprintf("%s %s -> %s", name, before, schema.Encode(c.After.OrDefault(name))))
	}
	return strings.Join(parts, ", ")
}

func showValues(o schema.Object, names []string) string {
	var parts []string
	for _, name := range names {
		parts = append(parts, name+" "+schema.Encode(o.Get(name)))
	}
	return strings.Join(parts, ", ")
}

// stricterRule returns the rule of a group around a changed object's owner that asks more
// than the object will, nil for none. It is looked for among what is declared:
// nothing is read for it.
func stricterRule(c *Change, p *Plan) *Change {
	if c.Kind.Under() == "" || c.Action == Delete || c.After.Kind == nil {
		return nil
	}
	a, key, ok := c.Kind.Match.Key(c.After)
	if !ok {
		return nil
	}
	for i := range p.Changes {
		g := &p.Changes[i]
		if g.Kind.Name != c.Kind.Under() || g == c || g.Desired() == nil || !strings.HasPrefix(c.Owner, g.Owner+"/") {
			continue
		}
		b, other, ok := g.Kind.Match.Key(g.After)
		if ok && a.Name == b.Name && a.Equal(key, other) && len(c.Kind.Looser(g.After, c.After)) > 0 {
			return g
		}
	}
	return nil
}

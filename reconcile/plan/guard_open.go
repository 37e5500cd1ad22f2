package plan

import (
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/guard"
	"hew/schema"
)

// This file has the guards that check for weaker protection.

// public finds objects that would become visible to everybody.
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
		out = append(out, finding(fmt.Sprintf("%s would %s public: anyone could see its contents without an account.",
			c.title(), become), c.liftAdvice(guard.Public), c))
	}
	return out
}

// isPublic reports whether an object is visible to everybody.
func isPublic(o schema.Object) bool {
	if o.Kind == nil {
		return false
	}
	v, _ := o.OrDefault(o.Kind.Visible).Unmark()
	return v.IsKnown() && !v.IsNull() && v.Type() == cty.String && v.AsString() == "public"
}

// lowered finds weakened approval requirements. It does not check objects that are deleted with
// their owner or by destroy, because nothing is left to approve.
func lowered(changes []*Change, p *Plan, f *Facts) []Finding {
	var out []Finding
	for _, c := range changes {
		if c.Kind.Strict == nil || !c.Changes() || c.Within() != (addr.Instance{}) || f.Destroy {
			continue
		}
		if names := c.loosenedAttrs(); len(names) > 0 {
			out = append(out, c.loweredFinding(fmt.Sprintf("%s would weaken its approval requirements: %s.", c.title(),
				c.describeDifferences(names))))
			continue
		}
		if floor := stricterRule(c, p); floor != nil {
			out = append(out, c.loweredFinding(fmt.Sprintf("%s would require less than %s, the rule of a parent "+
				"group, which has %s.", c.title(),
				floor.Addr, showValues(floor.After, c.Kind.Looser(floor.After, c.After)))))
		}
	}
	return out
}

// loweredFinding returns a finding with how to lift it.
func (c *Change) loweredFinding(text string) Finding {
	fix := c.liftAdvice(guard.Lowered)
	if c.Resets() && !c.hasBlock() {
		fix += "\n\nTo keep it unchanged, set destroy = false there."
	}
	return finding(text, fix, c)
}

// loosenedAttrs returns the names of the attributes that the change makes less strict.
func (c *Change) loosenedAttrs() []string {
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

func (c *Change) describeDifferences(names []string) string {
	var parts []string
	for _, name := range names {
		a := c.Kind.Attr(name)
		before := schema.Encode(a.Published(c.Before.Get(name)))
		if c.Action == Delete {
			parts = append(parts, fmt.Sprintf("%s %s, and it would be deleted", name, before))
			continue
		}
		after := schema.Encode(a.Published(c.After.OrDefault(name)))
		parts = append(parts, fmt.Sprintf("%s %s -> %s", name, before, after))
	}
	return strings.Join(parts, ", ")
}

func showValues(o schema.Object, names []string) string {
	var parts []string
	for _, name := range names {
		parts = append(parts, name+" "+schema.Encode(o.Kind.Attr(name).Published(o.Get(name))))
	}
	return strings.Join(parts, ", ")
}

// stricterRule returns the declared rule of a parent group that requires more than the changed
// object will, or nil. It reads nothing from the host.
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

package access

import (
	"fmt"
	"slices"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/match"
	"hew/reconcile/plan"
	"hew/schema"
)

// checkAbilities blocks a declared object that refers to an object without the ability that hosts
// require of it. Declared objects are as this plan leaves them, so that a plan which takes the
// ability away is blocked, too. Live ones are read only if the reference is sent.
func (c *checker) checkAbilities(of *plan.Change, planned map[addr.Instance]*plan.Change) {
	n := c.world.Node(of.Addr)
	if n == nil || n.Owner() == nil || n.Status() == match.Blocked {
		return
	}
	for a, v := range of.After.Value.All() {
		if a.Ref == nil || a.Ref.Needs == "" {
			continue
		}
		k := c.world.Kind(a.RefKind())
		for _, to := range schema.Refs(v) {
			target := c.declaredTarget(k, n.Owner(), to)
			switch {
			case target != nil && planned[target.Addr()] != nil:
				if lacks(planned[target.Addr()].After, a.Ref.Needs) {
					c.blockUnable(n, a, to, target)
				}
			case target == nil && sends(of, a):
				if o, ok := c.liveObject(k, n.Owner(), to); ok && lacks(o, a.Ref.Needs) {
					c.blockUnable(n, a, to, nil)
				}
			}
		}
	}
}

// declaredTarget returns the declared object that a reference to an object of an owner leads to, or
// nil.
func (c *checker) declaredTarget(k *schema.Kind, owner, to *schema.Ref) *match.Node {
	if at, err := addr.Parse(to.Addr); err == nil && to.Addr != "" {
		return c.world.Node(at)
	}
	if owner.ID == "" || to.ID == "" {
		return nil
	}
	return c.world.DeclaredAs(match.IdentityOf(k, k.In(owner.ID), to.ID))
}

// lacks reports whether an object is known not to have an ability.
func lacks(o schema.Object, ability string) bool {
	v, _ := o.Get(ability).Unmark()
	return o.Kind != nil && v != cty.NilVal && v.IsKnown() && (v.IsNull() || v.False())
}

// liveObject returns the object of an owner that a reference names, if the list could be read.
func (c *checker) liveObject(k *schema.Kind, owner, to *schema.Ref) (o schema.Object, ok bool) {
	if owner.ID == "" || to.ID == "" {
		return o, false
	}
	list := c.world.List(k, k.In(owner.ID))
	if list == nil || !list.Present() {
		return o, false
	}
	all := list.Objects()
	i := slices.IndexFunc(all, func(o schema.Object) bool { return o.ID == to.ID })
	if i < 0 {
		return o, false
	}
	return all[i], true
}

// blockUnable blocks a node whose attribute refers to an object without the ability; target is nil
// if that is not declared.
func (c *checker) blockUnable(n *match.Node, a *schema.Attr, to *schema.Ref, target *match.Node) {
	ability := a.Ref.Needs
	if target == nil {
		n.BlockAttribute(a, fmt.Sprintf("the %s %q in %s does not have %s, and the host would reject it. Set %s on "+
			"the host, declare the %s with %s = true, or remove it from %s",
			a.RefKind(), to, a.Name, ability, ability, a.RefKind(), ability, a.Name))
		return
	}
	n.BlockAttribute(a, fmt.Sprintf("%s in %s does not have %s, and the host would reject it. Set %s = true in the "+
		"block at %s, or remove it from %s",
		target.Addr(), a.Name, ability, ability, config.FormatRange(target.Desired().Block.DeclRange), a.Name))
}

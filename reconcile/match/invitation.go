package match

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// A member may be declared by e-mail address. Until the invitation is accepted, the live object is
// the invitation, identified by the address; afterwards it is a member, identified by the user's
// id. Both match the same node.

// keepInvitations requests invitations with the members where a node is declared by e-mail address.
func (w *World) keepInvitations(n *Node) {
	a, _, ok := Key(n.want.Object)
	if kept := w.keep[n.Kind().Name]; ok && n.Kind().Invites(a) && !slices.Contains(kept, a.Name) {
		w.keep[n.Kind().Name] = append(kept, a.Name)
	}
}

// matchByInvitee matches a node whose key is an e-mail address that the collection does not show:
// by the user with that address, or as new.
func (w *World) matchByInvitee(n *Node, c *Collection, a *schema.Attr, v cty.Value) {
	o, there, known := w.lookupInvitee(c, a, schema.Text(v))
	switch {
	case !known:
	case !there && !slices.Contains(c.query.Keep, a.Name):
		n.Block(fmt.Sprintf("%s was not known until the members had been read without invitations; use a value that "+
			"does not depend on a data source", showKey(a, v)))
	case there:
		o.Value = o.Value.Clone()
		o.Value.Set(a, v) // members do not show their address
		w.recordMatch(n, o)
	default:
		w.planCreation(n)
	}
}

// lookupInvitee returns the object of the user that a key belongs to. known is false until the user
// is looked up.
func (w *World) lookupInvitee(c *Collection, a *schema.Attr, name string) (o schema.Object, there, known bool) {
	to := c.query.Kind.Attr(c.query.Kind.Admits())
	r, ok := w.Lookup(schema.Ask{Kind: w.Kind(to.RefKind()), Key: name})
	if !ok || len(r.Objects) == 0 {
		return o, false, ok // without permission to look up users, the host decides
	}
	who := schema.RefVal(&schema.Ref{ID: r.Objects[0].ID})
	for _, i := range c.Match(to, to.KeyTexts(who)) {
		return c.objs[i], true, true
	}
	return o, false, true
}

// findAccepted returns the membership that an orphaned invitation has become.
func (w *World) findAccepted(o *Orphan, c *Collection) (live schema.Object, there, known bool) {
	for i := range o.kind.Attrs {
		if a := &o.kind.Attrs[i]; o.kind.Invites(a) && strings.EqualFold(o.entry.ID, o.entry.Key) {
			return w.lookupInvitee(c, a, o.entry.Key)
		}
	}
	return live, false, true
}

// Invites reports whether a node is declared by e-mail address.
func (n *Node) Invites() bool {
	a, _, ok := Key(n.want.Object)
	return ok && n.Kind().Invites(a)
}

// noteAccessRequest notes that the user of a missing member has requested access, which the
// creation grants. It returns false until the host is asked.
func (w *World) noteAccessRequest(n *Node, user cty.Value) bool {
	ref := schema.AsRef(user)
	if ref == nil || n.owner == nil || n.owner.ID == "" {
		return true
	}
	key := cmp.Or(ref.ID, ref.Path)
	if key == "" {
		return true // a user of the same run
	}
	r, ok := w.Lookup(schema.Ask{Kind: n.Kind(), Owner: n.owner.ID, Key: key})
	if len(r.Objects) > 0 {
		n.note = "requested access, not yet a member"
	}
	return ok
}

// AccessRequests returns the names of the users who have requested access to the owner of a
// collection and whom no block declares there. It returns none until the host is asked.
func (w *World) AccessRequests(k *schema.Kind, in schema.Collection) (names []string) {
	owner := OwnerID(k, in)
	if !k.Requested() || owner == "" {
		return nil
	}
	r, _ := w.Lookup(schema.Ask{Kind: k, Owner: owner, Key: schema.AllRequests})
	for _, o := range r.Objects {
		who := &schema.Ref{ID: o.ID, Path: o.Note}
		declared := slices.ContainsFunc(w.grantsTo(k.Attr(k.Admits()).RefKind(), who),
			func(n *Node) bool { return n.coll == in })
		if !declared {
			names = append(names, o.Note)
		}
	}
	return names
}

// NoteWaiting appends to why that the member has no access yet, if that is so.
func NoteWaiting(o schema.Object, why string) string {
	note := o.State.Waiting()
	if why != "" && note != "" {
		why += "; "
	}
	return why + note
}

package match

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/schema"
)

// Somebody may be declared by an e-mail address. Until the invitation is accepted
// it is the object, under the address; then it is gone, and what is there is a
// member, under the user's id. It is one declared object all along.

// keepInvitations has invitations read where a node is declared by an address.
func (w *World) keepInvitations(n *Node) {
	a, _, ok := Key(n.want.Object)
	if kept := w.keep[n.Kind().Name]; ok && n.Kind().Invites(a) && !slices.Contains(kept, a.Name) {
		w.keep[n.Kind().Name] = append(kept, a.Name)
	}
}

// placeByLead places a node of which the collection does not show the key: by what that
// leads to, or as new.
func (w *World) placeByLead(n *Node, c *Collection, a *schema.Attr, v cty.Value) {
	o, there, known := w.lookupLead(c, a, schema.Text(v))
	switch {
	case !known:
	case !there && !slices.Contains(c.query.Keep, a.Name):
		n.Block(fmt.Sprintf("%s became known only after the list of members was read, which then lacks invitations; "+
			"name it where nothing has to be read for it", showKey(v)))
	case there:
		o.Value = o.Value.Clone()
		o.Value.Set(a, v) // as the look-up says
		w.match(n, o)
	default:
		w.planCreation(n)
	}
}

// lookupLead returns the object that a key leads to; known is false while that is looked
// up.
func (w *World) lookupLead(c *Collection, a *schema.Attr, name string) (o schema.Object, there, known bool) {
	to := c.query.Kind.Attr(c.query.Kind.Admits())
	r, ok := w.Look(schema.Ask{Kind: w.Kind(to.RefKind()), Key: name})
	if !ok || len(r.Objects) == 0 {
		return o, false, ok // who may not look has the host's answer to the invitation
	}
	who := schema.RefVal(&schema.Ref{ID: r.Objects[0].ID})
	for _, i := range c.Match(to, KeyTexts(to, who)) {
		return c.objs[i], true, true
	}
	return o, false, true
}

// findAccepted finds what has become of an invitation that nobody declares any more.
func (w *World) findAccepted(o *Orphan, c *Collection) (live schema.Object, there, known bool) {
	for i := range o.kind.Attrs {
		if a := &o.kind.Attrs[i]; o.kind.Invites(a) && strings.EqualFold(o.entry.ID, o.entry.Key) {
			return w.lookupLead(c, a, o.entry.Key)
		}
	}
	return live, false, true
}

// Invites reports whether a node is declared by an address.
func (n *Node) Invites() bool {
	a, _, ok := Key(n.want.Object)
	return ok && n.Kind().Invites(a)
}

// NoteInvitation adds to why something is done that the object is an invitation.
func NoteInvitation(o schema.Object, why string) string {
	if o.State != schema.Invited {
		return why
	}
	if why != "" {
		why += "; "
	}
	return why + "invited, and not a member yet"
}

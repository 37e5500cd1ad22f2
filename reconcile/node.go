package reconcile

import (
	"strings"

	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/schema"
)

// status says how far a declared object has been placed in the world.
type status uint8

const (
	waiting status = iota // its owner, its collection or its key is not known yet
	matched               // node.live is it
	missing               // it does not exist: to be created
	blocked               // node.why says why it cannot be planned
	skipped               // left alone, with a note: an archived project and what is in it
)

// node is one declared object on its way to a change. Nodes live through all
// waves; what the configuration says of them is refreshed by each.
type node struct {
	want   config.Desired
	status status
	why    string
	by     []addr.Instance

	ref   *schema.Ref // the reference to this object that all others share
	owner *schema.Ref // nil for kinds and objects without an owner
	coll  schema.Collection
	live  schema.Object

	entry  *ledger.Entry
	from   addr.Instance // the address of entry where it is not the node's own
	gone   bool          // the ledger knows it, the host does not
	unkeyd bool          // its key is known only at apply
	note   string
}

func (n *node) kind() *schema.Kind { return n.want.Object.Kind }

func (n *node) block(why string, by ...addr.Instance) {
	n.status, n.why, n.by = blocked, why, by
}

func (n *node) settled() bool { return n.status != waiting }

// path is the planned full path of a thing that has one, "" while its owner's
// is unknown.
func (n *node) path() string { return n.ref.Path }

// title names the object for people: by its path, live if it has one, else by
// its key.
func (n *node) title() string {
	if n.kind().Tree == nil {
		return keyTitle(n.want.Object)
	}
	if full := text(n.live.Get(n.kind().Tree.Full)); full != "" {
		return full
	}
	return n.path()
}

// text is the string in v, or "" where it is unknown, null or no string.
func text(v cty.Value) string {
	v, _ = v.Unmark()
	if v.IsNull() || !v.IsKnown() || v.Type() != cty.String {
		return ""
	}
	return v.AsString()
}

// identity names one live object whatever its address: the id within its
// collection, or within its kind where ids are the host's (groups, projects).
type identity struct{ where, id string }

func identityOf(k *schema.Kind, coll schema.Collection, id string) identity {
	if k.Tree != nil {
		return identity{k.Name, id}
	}
	return identity{coll.Path, id}
}

// keyTexts are the texts under which a key value is found: a reference is
// found by its id and by its name.
func keyTexts(a *schema.Attr, v cty.Value) []string {
	if r := schema.AsRef(v); r != nil {
		var texts []string
		if r.ID != "" {
			texts = append(texts, "id:"+r.ID)
		}
		if r.Path != "" {
			texts = append(texts, "name:"+strings.ToLower(r.Path))
		}
		return texts
	}
	return []string{schema.Encode(a.Canonical(v))}
}

package schema

import (
	"errors"
	"iter"
	"slices"

	"github.com/zclconf/go-cty/cty"
)

// Object is one thing of a kind, declared or live. A declared object holds
// what the configuration states; a live one what the host returned of the
// attributes somebody asked for.
type Object struct {
	Kind  *Kind
	ID    string // the host's id; "" for what does not exist yet
	State State
	Note  string // what people should know: bot, synced, the path it moved to …
	// Failure is why the host does not do what a live object is for, as a sentence without
	// an end: "the last push failed: …". Drift shows it; hew cannot undo it.
	Failure string
	Value   Sparse
	Trace   *Trace // nil where nobody asked, or the host does not say
	// Unset names the secrets that the host says are empty, although it never shows
	// them.
	Unset []string
	// Added has, by the name of an attribute, the text that the host has put into the set
	// by itself.
	Added map[string]string
}

// Trace is when an object was made, by whom, and when it was last changed, as the
// host spells it. "" is unknown.
type Trace struct{ Made, By, Changed string }

// Get returns the named value, or a null of unknown type where the object
// holds none.
func (o Object) Get(name string) cty.Value {
	if v, ok := o.Value.Get(name); ok {
		return v
	}
	return cty.NullVal(cty.DynamicPseudoType)
}

// Told returns the value that a live object has because of a stated one: the named
// set without what the host has added to it by itself.
func (o Object) Told(name string, stated cty.Value) cty.Value {
	live := o.Get(name)
	added := o.Added[name]
	stated, _ = stated.UnmarkDeep()
	if added == "" || !stated.IsWhollyKnown() || stated.IsNull() || stated.HasElement(cty.StringVal(added)).True() {
		return live
	}
	rest := slices.DeleteFunc(live.AsValueSlice(), func(v cty.Value) bool { return Text(v) == added })
	if len(rest) == 0 {
		return cty.SetValEmpty(cty.String)
	}
	return cty.SetVal(rest)
}

// Stated reports whether the object has a value of the attribute that is not null.
func Stated(o Object, name string) bool {
	v, ok := o.Value.Get(name)
	return ok && !v.IsNull()
}

// Sparse holds the values of some attributes. Ten thousand objects live in
// memory at once, so it is a short slice and not a map.
type Sparse struct{ fields []field }

type field struct {
	attr *Attr
	v    cty.Value
}

// Get returns the value of the named attribute and whether there is one.
func (s Sparse) Get(name string) (cty.Value, bool) {
	for i := range s.fields {
		if s.fields[i].attr.Name == name {
			return s.fields[i].v, true
		}
	}
	return cty.NilVal, false
}

// Set stores the value of an attribute.
func (s *Sparse) Set(a *Attr, v cty.Value) {
	for i := range s.fields {
		if s.fields[i].attr == a {
			s.fields[i].v = v
			return
		}
	}
	s.fields = append(s.fields, field{a, v})
}

// Len returns the number of values.
func (s Sparse) Len() int { return len(s.fields) }

// All yields the values in the order they were set.
func (s Sparse) All() iter.Seq2[*Attr, cty.Value] {
	return func(yield func(*Attr, cty.Value) bool) {
		for i := range s.fields {
			if !yield(s.fields[i].attr, s.fields[i].v) {
				return
			}
		}
	}
}

// Grow makes room for n more values.
func (s *Sparse) Grow(n int) { s.fields = slices.Grow(s.fields, n) }

// Clone returns a copy that can be changed alone.
func (s Sparse) Clone() Sparse { return Sparse{append([]field(nil), s.fields...)} }

// Unseen returns the attributes that a host shows only when it creates the object,
// and that this one lacks.
func (o Object) Unseen() (list []*Attr) {
	for i := range o.Kind.Attrs {
		a := &o.Kind.Attrs[i]
		if _, told := o.Value.Get(a.Name); !told && a.IsSecret() && a.Mode == Computed {
			list = append(list, a)
		}
	}
	return list
}

// State is the condition of an object, or of the owner of a collection.
type State uint8

// Present is the normal state. Package plan has a table of what the others mean.
const (
	Present State = iota
	Absent
	OwnerAbsent     // the collection's owner answers 404
	PendingDeletion // marked for deletion, still restorable
	Archived        // read-only
	Invited         // waits for somebody to accept
	Awaiting        // a membership that waits for approval
	Moved           // found under another path; Note holds it
	Unsupported     // this host answers as if it did not have the endpoint
	Forbidden       // the token may not
	Unreadable      // any other failure, after retries
)

var stateNames = [...]string{"present", "absent", "owner absent", "pending deletion", "archived", "invited",
	"awaiting", "moved", "unsupported", "forbidden", "unreadable"}

func (s State) String() string { return stateNames[s] }

// LetsIn reports whether a member in this state has access.
func (s State) LetsIn() bool { return s.Waiting() == "" }

// Waiting returns why a member in this state has no access yet, or "" if it has access.
func (s State) Waiting() string {
	switch s {
	case Invited:
		return "invited, not yet a member"
	case Awaiting:
		return "awaiting approval, not yet a member"
	}
	return ""
}

// Collection is a list on the host, by canonical path ("groups/12/members")
// and query. It is the unit of reading, shared by every kind that lives in it.
type Collection struct{ Path, Query string }

func (c Collection) String() string {
	if c.Query == "" {
		return c.Path
	}
	return c.Path + "?" + c.Query
}

// Query asks for all objects of a collection. Keep names the attributes to keep in
// memory, in addition to those of identity and key.
type Query struct {
	Collection
	Kind *Kind
	Keep []string
	// Trace is set to have the objects tell who made them, and when.
	Trace bool
}

// Ask looks for a single object: by ID, or by Key (a full path, a user name).
// Owner is the id of what it belongs to, for kinds without a path of their own.
type Ask struct {
	Kind           *Kind
	Owner, ID, Key string
	Keep           []string
}

// Reading is what came back: the state of the collection (or single object)
// and its objects. Err explains every state but Present, Absent and Moved.
type Reading struct {
	State   State
	Objects []Object
	Err     error
}

// Clone returns a copy whose objects can be changed alone.
func (r Reading) Clone() Reading {
	r.Objects = slices.Clone(r.Objects)
	for i := range r.Objects {
		r.Objects[i].Value = r.Objects[i].Value.Clone()
	}
	return r
}

// ErrExists is in the error of a Create whose key is taken: the object exists, or
// the token cannot see it.
var ErrExists = errors.New("it already exists")

// ErrUnknown is in the error of a Create that may have taken effect: no answer
// came, and the collection cannot be read or does not show the object.
var ErrUnknown = errors.New("it may have been created")

// ErrUnseen is in the error of a Create that made the object, but lost the answer
// with what the host shows only once. The object must be replaced.
var ErrUnseen = errors.New("it was created, but the response with its one-time value was lost. Run hew apply again to " +
	"replace it")

// Self is the user of the token, and what it may do.
type Self struct {
	ID, Username string
	Admin        bool
}

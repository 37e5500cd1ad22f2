package config

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/schema"
)

// Oracle tells an evaluation what only planning knows: which values the host
// has, and what data sources answer. Answers may grow from wave to wave and
// never change once known.
type Oracle interface {
	// Live returns what is known of an instance beyond its stated attributes
	// (id, web_url, full_path, unset attributes of a live object). Attributes
	// it leaves out are unknown for now.
	Live(addr.Instance) schema.Sparse
	// Data returns a data source's answer by attribute name, given its stated
	// arguments. ok is false while it is not read yet: all of it is unknown.
	Data(addr.Instance, schema.Object) (answer map[string]cty.Value, ok bool)
	// Blocked returns why an instance cannot be planned, or "". What depends
	// on it is blocked with it.
	Blocked(addr.Instance) string
}

// Result is what one evaluation makes of a configuration. Everything is in the
// order of files and lines, map keys sorted.
type Result struct {
	Instances  []Desired   // declared resources; set kinds as their elements
	Sources    []Desired   // data sources with their arguments
	Exclusives []Exclusive // claimed collections
	Blocked    []Blocked
	Moves      []Move
	Removals   []Removal
	Imports    []Import
	Checks     []Check
	Outputs    []Output
	Hew        Settings
}

// Desired is one declared object. References hold RefType values once the
// engine has resolved them; until then what the configuration says.
type Desired struct {
	Addr   addr.Instance
	Object schema.Object
	Block  *Block // ranges, lifecycle; shared by all instances of the block
	// Needs are the instances this one must wait for: those its values come
	// from, and single ones named in depends_on. After are the blocks that
	// depends_on names as a whole.
	Needs []addr.Instance
	After []addr.Block
	// Origin names, by attribute, the declared instance whose unknown id (or
	// path) the value is. It is how a reference to something not yet created
	// finds its target.
	Origin map[string]addr.Instance
	// Defer lists blocks that must be done before the instance's unknown values
	// can be known; they are evaluated again at apply.
	Defer []addr.Block
	// Triggers are what replace_triggered_by names.
	Triggers []Trigger
}

// Trigger is something whose change replaces an object: an instance, or with
// an empty Key of a block that has keys all of its instances; with Attr a
// change of that attribute alone.
type Trigger struct {
	Addr addr.Instance
	Attr string
}

// String is the trigger as it is written.
func (t *Trigger) String() string {
	if t.Attr == "" {
		return t.Addr.String()
	}
	return t.Addr.String() + "." + t.Attr
}

// Exclusive claims every object of one collection: what nobody declares there
// is deleted.
type Exclusive struct {
	Addr  addr.Instance // the exclusive block's, or the set kind's
	Kind  *schema.Kind  // of the elements
	Owner Desired       // an object that states only the owner attribute
	Block *Block
}

// Blocked is an instance (or a block whose keys are unknown) that cannot be
// planned, with the reason and the block it is blocked by, if any.
type Blocked struct {
	Addr addr.Instance
	Why  string
	By   []addr.Instance
	Decl hcl.Range
}

// Move re-addresses ledger entries: moved { from, to }. Without a Kind an
// address is that of a module call, with all that is in it.
type Move struct {
	From, To addr.Instance // without Key: the whole block
	Decl     hcl.Range
}

// Import says which live object a declared one is: the host's id, a full path,
// or OWNER:KEY.
type Import struct {
	To   addr.Instance
	ID   string
	Decl hcl.Range
}

// Check is one assertion of a check block. A check that fails is told and
// stops nothing.
type Check struct {
	Name    string // module.web.check.owners for one within a module
	Verdict Verdict
	Text    string // why it does not hold: the author's words
	Decl    hcl.Range
}

// Verdict is what an assertion came to.
type Verdict string

// An assertion that cannot be worked out yet is unknown; one whose own
// expressions fail is an error.
const (
	Holds   Verdict = "pass"
	Fails   Verdict = "fail"
	Pending Verdict = "unknown"
	Errs    Verdict = "error"
)

// Removal is a removed block: what its objects' going means. Without a Kind
// From is a module call, with all that was in it.
type Removal struct {
	From    addr.Instance // without Key: the whole block
	Destroy bool          // false: released, the host keeps it
	Allow   []string
	AllowAt *hcl.Range // where allow stands; nil without one
	Decl    hcl.Range
}

// Output is a value for people and for other programs.
type Output struct {
	Name      string
	Doc       string
	Value     cty.Value
	Sensitive bool
}

// Lifecycle is a resource's lifecycle block.
type Lifecycle struct {
	PreventDestroy      bool
	CreateBeforeDestroy bool
	IgnoreChanges       []Ignore
	Allow               []string // guard codes lifted
	AllowAt             *hcl.Range
}

// Ignore is a part of objects whose differences are left alone: everything, an
// attribute, or what a path leads to within it. Of a set kind Elem narrows it
// to one element.
type Ignore struct {
	All  bool
	Elem string
	Attr string // "" with an Elem: the whole element
	Path cty.Path
}

// String is the part as a configuration writes it: all, name,
// settings.level, ["bob"].access_level.
func (i Ignore) String() string {
	if i.All {
		return "all"
	}
	var s strings.Builder
	if i.Elem != "" {
		fmt.Fprintf(&s, "[%q]", i.Elem)
		if i.Attr != "" {
			s.WriteByte('.')
		}
	}
	s.WriteString(i.Attr)
	for _, step := range i.Path {
		switch step := step.(type) {
		case cty.GetAttrStep:
			s.WriteString("." + step.Name)
		case cty.IndexStep:
			s.WriteString("[" + formatKey(step.Key) + "]")
		}
	}
	return s.String()
}

// Settings is the hew block: ledger and guard limits.
type Settings struct {
	RequiredVersion string // a constraint such as ">= 1.2", "" for any
	RequiredAt      hcl.Range
	Ledger          *LedgerSettings
	Guards          Guards
}

// LedgerSettings names the backend and its arguments.
type LedgerSettings struct {
	Type string
	Args map[string]cty.Value
	At   map[string]hcl.Range // where their values are written
	Decl hcl.Range
}

// Guards holds the limits of hew { guards { … } }; nil means the default.
type Guards struct {
	MaxDeletes, MaxDeletePercent, MinOwners *int
	RequiredOwners                          []string // users who own every top-level group
	AllowEmpty, AllowRecreate               bool
}

// ProviderSettings is the provider block; unset fields come from the
// environment.
type ProviderSettings struct {
	BaseURL     string
	Token       cty.Value // secret
	Concurrency int
	Decl        hcl.Range
}

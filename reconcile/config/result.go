package config

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"hew/reconcile/addr"
	"hew/schema"
)

// Oracle answers what only planning knows: the values of live objects and the results of
// data sources. Answers may become more complete from wave to wave, but never change.
type Oracle interface {
	// Live returns what is known of an instance beyond its stated attributes: id, web_url,
	// full_path, unstated attributes of a live object. Missing attributes are unknown.
	Live(addr.Instance) schema.Sparse
	// Data returns the result of a data source by attribute name, given its stated
	// arguments. ok is false while it is not read yet, so that all of it is unknown.
	Data(addr.Instance, schema.Object) (answer map[string]cty.Value, ok bool)
	// Blocked returns why an instance cannot be planned, or "". It blocks whatever depends
	// on the instance.
	Blocked(addr.Instance) string
}

// Result is what one evaluation returns. Everything is in the order of files and lines,
// with map keys sorted.
type Result struct {
	Instances  []Desired // resources; for set kinds their elements
	Sources    []Desired // data sources with their arguments
	Exclusives []Exclusive
	Blocked    []Blocked
	Moves      []Move
	Removals   []Removal
	Imports    []Import
	Checks     []Check
	Outputs    []Output
	Hew        Settings
}

// Desired is one declared object. Its references are as configured until the engine
// resolves them to RefType values.
type Desired struct {
	Addr   addr.Instance
	Object schema.Object
	Block  *Block // ranges and lifecycle; shared by all instances
	// DependsOn are the instances to wait for: those that values come from, and single ones in
	// depends_on. DependsOnBlocks are whole blocks in depends_on.
	DependsOn       []addr.Instance
	DependsOnBlocks []addr.Block
	// Origin has, by attribute, the declared instance whose unknown ID or path the value
	// is. The engine resolves references to objects not created yet with it.
	Origin map[string]addr.Instance
	// DeferUntil has the blocks that must be applied before the instance's unknown values are
	// known. The instance is evaluated again after that.
	DeferUntil []addr.Block
	// Triggers are the targets of replace_triggered_by.
	Triggers []Trigger
}

// Trigger is what replaces an object when it changes: an instance, all instances of a
// block if Key is empty, or with Attr only that attribute.
type Trigger struct {
	Addr addr.Instance
	Attr string
}

// String returns the trigger as it is written.
func (t *Trigger) String() string {
	if t.Attr == "" {
		return t.Addr.String()
	}
	return t.Addr.String() + "." + t.Attr
}

// Exclusive claims a collection: undeclared objects in it are deleted.
type Exclusive struct {
	Addr  addr.Instance // of the exclusive block or the set kind
	Kind  *schema.Kind  // of the elements
	Owner Desired       // states only the owner attribute
	Block *Block
}

// Blocked is an instance, or a block with unknown keys, that cannot be planned. Causes
// are the blocked instances that it depends on.
type Blocked struct {
	Addr      addr.Instance
	Reason    string
	Causes    []addr.Instance
	DeclRange hcl.Range
}

// Move changes addresses in the ledger: moved { from, to }. An address without a Kind is
// that of a module, with everything in it.
type Move struct {
	From, To  addr.Instance // without Key, the whole block
	DeclRange hcl.Range
}

// Import tells which live object a declared one is: by the host's ID, a full path, or
// OWNER:KEY.
type Import struct {
	To        addr.Instance
	ID        string
	DeclRange hcl.Range
}

// Check is the result of one assertion of a check block. A failed check does not stop the
// run.
type Check struct {
	Name      string // in a module, module.web.check.owners
	Verdict   Verdict
	Text      string // why it fails, in the author's words
	DeclRange hcl.Range
}

// Verdict is the outcome of an assertion.
type Verdict string

// CheckUnknown means that the assertion is unknown so far; CheckErrored that it could not be
// evaluated.
const (
	CheckPassed  Verdict = "pass"
	CheckFailed  Verdict = "fail"
	CheckUnknown Verdict = "unknown"
	CheckErrored Verdict = "error"
)

// Removal is a removed block. A From without a Kind is a module, with everything in it.
type Removal struct {
	From      addr.Instance // without Key, the whole block
	Destroy   bool          // false to keep the object on the host
	Allow     []string
	AllowAt   *hcl.Range // where allow is written, or nil
	DeclRange hcl.Range
}

// Output is an output of the root module.
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
	Allow               []string // guard codes to override
	AllowAt             *hcl.Range
}

// Ignore is a part of an object whose differences are ignored: everything, an attribute,
// or what a path leads to in it. For set kinds, Elem limits it to one element.
type Ignore struct {
	All  bool
	Elem string
	Attr string // "" with an Elem: the whole element
	Path cty.Path
}

// String returns the part as it is written: all, name, settings.level,
// ["bob"].access_level.
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

// Settings holds the hew block: ledger and guard limits.
type Settings struct {
	RequiredVersion string // a constraint such as ">= 1.2", "" for any
	RequiredAt      hcl.Range
	Ledger          *LedgerSettings
	Guards          Guards
}

// LedgerSettings holds the backend and its arguments.
type LedgerSettings struct {
	Type      string
	Args      map[string]cty.Value
	At        map[string]hcl.Range // where the values are written
	DeclRange hcl.Range
}

// Guards holds the limits in hew { guards { … } }. nil means the default.
type Guards struct {
	MaxDeletes, MaxDeletePercent, MinOwners *int
	RequiredOwners                          []string // users who must own every top-level group
	AllowEmpty, AllowRecreate               bool
}

// ProviderSettings holds the provider block. The environment sets the other fields.
type ProviderSettings struct {
	BaseURL     string
	Token       cty.Value // secret
	Concurrency int
	DeclRange   hcl.Range
}

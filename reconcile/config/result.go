package config

import (
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

// Move re-addresses ledger entries: moved { from, to }.
type Move struct {
	From, To addr.Instance // without Key: the whole block
	Decl     hcl.Range
}

// Removal is a removed block: what its objects' going means.
type Removal struct {
	From    addr.Instance // without Key: the whole block
	Destroy bool          // false: released, the host keeps it
	Allow   []string
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
	PreventDestroy bool
	IgnoreChanges  []string // attribute names; "all" alone
	Allow          []string // guard codes lifted
}

// Settings is the hew block: ledger and guard limits.
type Settings struct {
	RequiredVersion string // a constraint such as ">= 1.2", "" for any
	Ledger          *LedgerSettings
	Guards          Guards
}

// LedgerSettings names the backend and its arguments.
type LedgerSettings struct {
	Type string
	Args map[string]cty.Value
	Decl hcl.Range
}

// Guards holds the limits of hew { guards { … } }; nil means the default.
type Guards struct {
	MaxDeletes, MaxDeletePercent, MinOwners *int
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

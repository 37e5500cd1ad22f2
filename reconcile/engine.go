package reconcile

import (
	"hew/reconcile/addr"
	"hew/reconcile/apply"
	"hew/reconcile/config"
	"hew/reconcile/ledger"
	"hew/reconcile/plan"
)

// Engine plans and applies one configuration against one host.
type Engine struct {
	Provider Provider
	// Writer applies changes. If nil, Apply returns an error.
	Writer apply.Writer
	// Backend stores the ledger. If nil, the engine plans without a ledger (-ledger=none).
	Backend ledger.Backend
	// Base is an earlier configuration that replaces the ledger: the objects it declares count as
	// managed and applied. It requires a nil Backend. The Provider should be Shared, because both
	// configurations read the host.
	Base *config.Config
	// Key is the digest key of a run without a ledger. If it is "", the key is random, and plans
	// with secrets cannot be saved.
	Key string
	// Host is the base URL of the API that the ledger must belong to.
	Host string
	// Width limits the concurrent changes; 0 means 64. The HTTP client limits them further.
	Width int
	// Who identifies this run to others that wait for its lock.
	Who string
	// Lock locks the ledger from planning until Run.Close, for runs that will apply.
	// ledger.WithLockTimeout sets how long it waits for another run.
	Lock bool
	// Notify receives progress events from several goroutines. It can be nil.
	Notify func(Event)
}

// Mode is the purpose of a plan.
type Mode uint8

// Normal plans the configuration. Destroy plans the deletion of everything in the ledger. Drift
// keeps only the differences caused by drift since the last apply.
const (
	Normal Mode = iota
	Destroy
	Drift
)

// Options configure a plan.
type Options struct {
	Mode Mode
	// Target plans only these addresses and their dependencies; Exclude plans everything but these
	// and their dependents. An address without a key is a whole block, one without a kind a module.
	Target, Exclude []addr.Instance
	// Replace replaces these objects although no attribute requires it.
	Replace []addr.Instance
	// Undeclared lists undeclared objects beside managed ones.
	Undeclared bool
}

// Event reports progress.
type Event struct {
	Phase Phase
	// Done and Total count the items of the phase. Total may grow while reading.
	Done, Total int
	// Addr and Action describe the change that began or ended, in PhaseApply.
	Addr   addr.Instance
	Action plan.Action
	Ended  bool
	Err    error
}

// Phase is a stage of a run.
type Phase string

// The phases, in order.
const (
	PhaseRead  Phase = "read"
	PhaseApply Phase = "apply"
)

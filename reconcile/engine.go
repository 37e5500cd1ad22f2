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
	// Writer carries changes out; nil for runs that only plan, whose Apply is
	// refused.
	Writer apply.Writer
	// Backend is where the ledger is; nil plans without one (-ledger=none).
	Backend ledger.Backend
	// Base is an earlier configuration that stands in for the ledger: what it
	// declares counts as managed and as applied. Only without a Backend; the
	// Provider should be Shared, for both configurations read the host.
	Base *config.Config
	// Key is the digest key of runs without a ledger; "" is one that ends with
	// the run, whose plans cannot be saved if there is a secret in them.
	Key string
	// Host names the API the ledger must belong to (its base URL).
	Host string
	// Width bounds how many changes are applied at once; 0 means 64. The
	// client below adapts further.
	Width int
	// Who names this run to others that wait for its lock.
	Who string
	// Lock takes the ledger's lock before planning and keeps it until the run
	// is closed: for runs that will apply. Whether it waits for another run is
	// the Backend's business (ledger.WithLockTimeout).
	Lock bool
	// Notify receives events as work goes on; nil is allowed. It is called
	// from several goroutines.
	Notify func(Event)
}

// Mode is what a plan is for.
type Mode uint8

// Normal plans the configuration; Destroy plans the deletion of everything the
// ledger has; Drift keeps only what moved on the host since the last apply.
const (
	Normal Mode = iota
	Destroy
	Drift
)

// Options narrow or turn a plan.
type Options struct {
	Mode Mode
	// Target plans these alone, with all that they depend on; Exclude plans
	// everything but these and what depends on them. An address without a key
	// is a whole block, one without a kind a module.
	Target, Exclude []addr.Instance
	// Replace makes these anew although nothing about them has to change.
	Replace []addr.Instance
	// Strays lists what nobody declares beside what is managed.
	Strays bool
}

// Event tells of progress.
type Event struct {
	Phase Phase
	// Done of Total items of the phase; Total may grow while reading.
	Done, Total int
	// Addr and Action of the change that began or ended, in PhaseApply.
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

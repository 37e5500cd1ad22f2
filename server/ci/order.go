package ci

import (
	"context"

	"hew/server/ci/document"
	"hew/server/ci/expression"
	"hew/server/db"
	"hew/server/fault"
	"hew/server/git/object"
	"hew/server/merge"
	"hew/server/tree"
)

// Order is what a pipeline is asked for with.
type Order struct {
	Project tree.Project
	By      tree.User
	Source  Source

	// Ref is the name of a branch or tag, or its full name, which is never ambiguous.
	Ref string
	// Commit is what the pipeline runs for; zero: what the ref points to.
	Commit object.ID
	Before object.ID // of a push: where the ref was; zero: it is new

	// Request is the merge request that the pipeline is for. It runs in the target project for the
	// ref of the merge request unless Ref is set, which then is the source branch in a fork.
	Request                *merge.Request
	SourceHead, TargetHead object.ID // of a merge as a test: Commit is the merge of these

	Variables []expression.Variable
	Inputs    *document.Node // for `spec: inputs:`, a map; nil: none

	ScheduleID, TriggerID *int64

	Skip    bool // stored, but without jobs
	JobPush bool // a job pushed, with its token

	bridge *bridge // the job that starts it
	// finish is called in the transaction that stores the pipeline, or that finds out that there is
	// none.
	finish func(context.Context, *db.Store) error
}

// keeps reports whether a pipeline is stored though its definition is wrong, for its users to see:
// a caller who waits for the answer is told instead (ci §2.1).
func (o Order) keeps() bool { return o.Source != ByAPI && o.Source != ByWeb }

// skippable reports whether a commit can say that it wants no jobs.
func (o Order) skippable() bool {
	return o.Source == ByPush || o.Source == ByMergeRequest || o.Source == ByWeb
}

// refusal is why a pipeline is not created, or has no jobs.
type refusal struct {
	text   string
	reason string // of a pipeline that is stored nevertheless; "": nothing is stored
}

// Error implements error.
func (r refusal) Error() string { return r.text }

// Unwrap returns the fault that the API answers with.
func (r refusal) Unwrap() error { return fault.Invalid("base", r.text) }

// refuse returns the error of a pipeline that is not stored.
func refuse(text string) error { return refusal{text: text} }

// invalid returns the error of a definition that is wrong.
func invalid(text string) error { return refusal{text: text, reason: "config_error"} }

package definition

import (
	"hew/server/ci/document"
	"hew/server/ci/expression"
)

// Config is a valid definition.
type Config struct {
	Stages    []string // from .pre to .post
	Variables []Variable
	Workflow  Workflow
	Jobs      []*Job // of each stage in the order of the file, parallel ones expanded; no hidden jobs

	instances map[string][]*Job // by the names in the file
	names     map[string]*Job
}

// Variable is a variable at the top of a definition, as the form for new pipelines shows it.
type Variable struct {
	expression.Variable
	Description string
	Options     []string // the values that can be chosen
}

// Workflow says which pipelines there are.
type Workflow struct {
	Name       string // with references to variables; empty if there is none
	Rules      []Rule // nil if there are none
	AutoCancel AutoCancel
}

// AutoCancel says which pipelines a new commit and a failed job cancel. Empty is the first value.
type AutoCancel struct {
	OnNewCommit  string `json:"on_new_commit,omitempty"`  // conservative, interruptible or none
	OnJobFailure string `json:"on_job_failure,omitempty"` // none or all
}

// Error is a mistake in a definition in the words of the linter (ci §1.8), with its place.
type Error = document.Error

// Warning is something in a valid definition that may not be meant.
type Warning = document.Error

// The kinds of jobs.
const (
	Build  Kind = "build"  // has a script for a runner
	Bridge Kind = "bridge" // triggers a pipeline
)

// Kind is the kind of a job.
type Kind string

// When says on which condition a job starts.
type When string

// The conditions. Never stands in rules only.
const (
	OnSuccess When = "on_success"
	OnFailure When = "on_failure"
	Always    When = "always"
	Manual    When = "manual"
	Delayed   When = "delayed"
	Never     When = "never"
)

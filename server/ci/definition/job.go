package definition

import (
	"hew/server/ci/document"
	"hew/server/ci/expression"
)

// Job is a job of a definition or of a pipeline. In Config it is as it was written, with what it
// inherits from default; Select returns copies to which its rules are applied.
type Job struct {
	Name       string // with " 1/3" or ": [linux, arm64]" if it is parallel
	Base       string // the name in the file
	Stage      string
	StageIndex int // in Config.Stages
	Kind       Kind

	When           When
	StartIn        int64 // seconds, if When is Delayed
	AllowFailure   bool
	AllowExitCodes []int // with these exit codes failure is allowed

	// Needs are the jobs that it waits for. Nil makes it wait for the stages before its own; if it
	// is empty the job starts at once.
	Needs []Need

	// Variables of a pipeline's job are those of the file, each name once: of rules, of the job, of
	// workflow rules, of the top (ci §2.4, level 7).
	Variables []expression.Variable

	Tags          []string // with references to variables
	Interruptible bool
	ResourceGroup string // with references to variables
	Environment   *Environment
	Options       Options

	Index, Total int // among parallel jobs, from 1; zero if it is not parallel

	// Rules decide about the job, or Only and Except if there are none.
	Rules        []Rule
	Only, Except *Policy

	own       []expression.Variable // of the job itself and its matrix
	inherits  inheritance           // of the variables at the top
	matrix    []combination         // nil if it is not a matrix, and in expanded jobs
	needs     []need                // as they were written, nil if absent
	needTotal int                   // how many they are; Needs has at most one more than the limit
	deps      []string              // as they were written, nil if absent
	at        *document.Node
	warnRules bool
}

// Need is a job that another one waits for.
type Need struct {
	Job       string `json:"name"`
	Artifacts bool   `json:"artifacts"` // are downloaded
	Optional  bool   `json:"optional,omitempty"`
}

// CrossNeed are artifacts of a job of another pipeline.
type CrossNeed struct {
	Pipeline  string `json:"pipeline,omitempty"` // id of the parent or a sibling, with references to variables
	Project   string `json:"project,omitempty"`  // full path, with references to variables
	Job       string `json:"job"`
	Ref       string `json:"ref,omitempty"`
	Artifacts bool   `json:"artifacts"`
}

// Rule is one of rules. All of its clauses must hold.
type Rule struct {
	If      string // the condition as it was written, empty if there is none
	Changes *Changes
	Exists  *Exists

	When          When // empty if the rule does not say
	StartIn       int64
	AllowFailure  *AllowFailure
	Variables     []expression.Variable
	Interruptible *bool
	Needs         []Need // nil if the rule does not say
	AutoCancel    AutoCancel

	condition *expression.Expression
	needs     []need
	needTotal int
}

// Changes holds if a changed file matches one of the patterns.
type Changes struct {
	Paths     []string `json:"paths"`
	CompareTo string   `json:"compare_to,omitempty"` // a ref; empty: what the pipeline is for
}

// Exists holds if a file matches one of the patterns.
type Exists struct {
	Paths   []string `json:"paths"`
	Project string   `json:"project,omitempty"` // full path; empty: the pipeline's
	Ref     string   `json:"ref,omitempty"`
}

// Policy is only or except.
type Policy struct {
	Refs       []string `json:"refs,omitempty"`
	Variables  []string `json:"variables,omitempty"` // conditions
	Changes    []string `json:"changes,omitempty"`
	Kubernetes string   `json:"kubernetes,omitempty"` // active; no cluster ever is

	conditions []*expression.Expression
}

// AllowFailure says whether a pipeline passes if the job fails.
type AllowFailure struct {
	Allowed   bool
	ExitCodes []int // if there are any: with these only
}

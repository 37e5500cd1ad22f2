package definition

import (
	"context"
	"errors"

	"hew/server/ci/expression"
)

// RefKind is what a pipeline is for.
type RefKind int

// The kinds of refs.
const (
	Branch RefKind = iota
	Tag
	MergeRequest
)

// Context is what rules can ask about a pipeline that is to be created.
type Context struct {
	Source string // as in the API, such as "push" or "merge_request_event"
	Kind   RefKind
	Ref    string // name of the branch or tag; of the source branch for a merge request

	ProjectPath string // full path, for conditions such as "main@group/project"

	// Predefined are the variables that the server knows before there are jobs. Those of a job's
	// name, stage, environment and place among parallel jobs are added to them; see Job.Predefined.
	Predefined []expression.Variable
	// Stored returns the variables of instance, groups and project for the jobs of an environment,
	// in ascending precedence. The name is expanded, and empty for jobs without one and for
	// workflow. Nil: there are none.
	Stored func(environment string) []expression.Variable
	// Pipeline are the variables that the pipeline was started with.
	Pipeline []expression.Variable

	// Changed returns the files that changed. compareTo is a ref to compare with, or empty for what
	// the pipeline is for; known is false if that can be said of no pipeline such as this one. The
	// error is ErrBadRef if compareTo is not a ref. Nil: never known.
	Changed func(ctx context.Context, compareTo string) (paths []string, known bool, err error)

	// Files returns the paths of all files at a ref of a project. Both are empty for the commit of
	// the pipeline. The error is an *Error if there is no such project or ref for whoever starts
	// the pipeline. Nil: there are no files.
	Files func(ctx context.Context, project, ref string) ([]string, error)
}

// ErrBadRef is returned by Context.Changed for a ref that does not exist.
var ErrBadRef = errors.New("not a valid ref")

// The reasons why a definition has no pipeline for a context. Other errors of Select are of type
// *Error, and those of the functions of Context.
var (
	// ErrFiltered is the error of workflow rules of which none holds, or one with when: never.
	ErrFiltered error = exclusion("Pipeline filtered out by workflow rules.")
	// ErrNoJobs is the error of rules that leave out all jobs, or all but those of .pre and .post.
	ErrNoJobs error = exclusion("Pipeline will not run for the selected trigger. " +
		"The rules configuration prevented any jobs from being added to the pipeline.")
)

// exclusion is a reason in the words of the API.
type exclusion string

func (e exclusion) Error() string { return string(e) }

// Pipeline is what a definition gives for a context.
type Pipeline struct {
	Name       string // expanded; empty if the definition has none
	AutoCancel AutoCancel
	Stages     []string // all of the definition
	Jobs       []*Job   // in the order of stages, in them in the order of the file
}

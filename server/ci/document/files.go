package document

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Files gives the files that definitions include, under the rights of the pipeline's user.
//
// Both methods are called one after another, never twice at once.
type Files interface {
	// Read returns the file at a location. A file that cannot be had is ErrNoFile, ErrNoProject,
	// ErrNoRef or a *RemoteError, for which Load has the words, or an *Error, whose words are shown
	// as they are. Any other error ends the load and is returned by it.
	Read(ctx context.Context, at Location) (File, error)
	// Match returns the paths of the origin's files that a wildcard stands for, in order
	// (Wildcard says which match).
	Match(ctx context.Context, from Origin, pattern string) ([]string, error)
}

// noFiles is for definitions that are loaded without files: none exists.
type noFiles struct{}

func (noFiles) Read(context.Context, Location) (File, error) { return File{}, ErrNoFile }

func (noFiles) Match(context.Context, Origin, string) ([]string, error) { return nil, nil }

// The reasons why a file cannot be had.
var (
	// ErrNoFile means that the file does not exist at that commit, or the template or the
	// component.
	ErrNoFile = errors.New("file does not exist")
	// ErrNoProject means that the project does not exist or that the user may not download its
	// code.
	ErrNoProject = errors.New("project does not exist or access denied")
	// ErrNoRef means that the project has no such branch, tag or commit.
	ErrNoRef = errors.New("reference does not exist")
)

// RemoteError says that an address could not be fetched.
type RemoteError struct {
	// Attempts is the number of requests made.
	Attempts int
	// Reason fits between "because of " and " error!": "HTTP code `404`", "a timeout", "a socket",
	// "HTTP".
	Reason string
}

// Error returns the attempts and the reason.
func (e *RemoteError) Error() string {
	return fmt.Sprintf("not fetched after %s because of %s error", count(e.Attempts, "attempt"), e.Reason)
}

// Origin is a commit of a project, where local paths refer to. The zero value is that of files
// which are in no project.
type Origin struct {
	ProjectID int64
	// Project is the full path, such as "group/project".
	Project string
	SHA     string
}

// Form is a way to include a file, as the lint API names it.
type Form string

// The forms of include.
const (
	Local     Form = "local"
	Project   Form = "file"
	Remote    Form = "remote"
	Template  Form = "template"
	Component Form = "component"
	Artifact  Form = "artifact"
)

// Location says which file is included. Variables in it are expanded.
type Location struct {
	Form Form
	// From is the origin of the file that has the include.
	From Origin
	// Path is the path in the repository (Local, Project) or in the artifacts (Artifact), without
	// leading slashes, the address (Remote), the name with ".gitlab-ci.yml" (Template) or the
	// name of the component (Component).
	Path string
	// Project is the full path of the other project, in lower case (Project, Component).
	Project string
	// Ref is the branch, tag or commit, "HEAD" by default (Project), or the version as written,
	// such as "1.2" or "~latest" (Component).
	Ref string
	// Host is the name of the host that has the component, with its port if there is one.
	Host string
	// Job is the name of the parent's job (Artifact).
	Job string
	// Cache is how long a fetched file may be used again; 0 for not at all (Remote).
	Cache time.Duration
}

// File is an included file.
type File struct {
	Content []byte
	// Origin is where the file's own local paths refer to; zero for files in no project.
	Origin Origin
	// Blob and Raw are the addresses of the file for people and for programs, as the lint API shows
	// them; empty for none.
	Blob, Raw string
	// Component has what `$[[ component.x ]]` gives: name, sha, version, reference.
	Component map[string]string
}

// count returns a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

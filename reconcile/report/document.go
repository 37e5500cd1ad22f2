// Package report holds the public document of a plan and of a run: its types, JSON, JSON Schema,
// canonical form, checksum, comparison with another and findings, and the formats made from it:
// JUnit, SARIF and the widget of merge requests. It also arranges a plan for people; drawing that
// is for views.
//
// Three or more changes of one kind and action that show the same values are one Group: two are
// read as fast as their group, three are a pattern. Values are compared as they are shown, so a
// group reveals nothing of secrets. Deletions become a group only if there are more than ten, and
// ten of them are named. Other changes that a guard names are not grouped.
package report

import (
	_ "embed"

	"github.com/hashicorp/hcl/v2"

	"hew/reconcile/plan"
)

// FormatVersion is that of every JSON document hew writes. Its first number
// rises when a reader of an older one would go wrong.
const FormatVersion = "1.0"

// Schema describes all these documents, as `hew schema -report` prints
// it.
//
//go:embed report.schema.json
var Schema []byte

// Document is the report of plan, drift, apply and destroy for programs.
// Lists are never null, and nothing secret is in it.
type Document struct {
	FormatVersion string `json:"format_version"`
	Command       string `json:"command"`
	Planned       bool   `json:"planned"`          // false: see diagnostics
	Applyable     bool   `json:"applyable"`        // no guard trips; never drift
	Ledgerless    bool   `json:"ledgerless"`       // causes cannot be known
	Digest        string `json:"digest,omitempty"` // none if another run could not come to it
	Checksum      string `json:"checksum"`         // of all else: what is changed afterwards is noticed
	Host          string `json:"host,omitempty"`
	User          string `json:"user,omitempty"` // whose token planned
	HewVersion    string `json:"hew_version"`
	// of the configuration in its repository, . at the top, left out if unknown
	Directory   string            `json:"directory,omitempty"`
	Options     Options           `json:"options"`
	Summary     Summary           `json:"summary"`
	Changes     []Change          `json:"changes"`
	Drift       []Event           `json:"drift"`
	Guards      []Guard           `json:"guards"`
	Blocked     []Blocked         `json:"blocked"`
	Undeclared  []Undeclared      `json:"strays"` // where they were asked for
	Checks      []Check           `json:"checks"`
	Sets        map[string]int    `json:"sets"` // by address, how many elements there are
	Outputs     map[string]Output `json:"outputs"`
	Notes       []string          `json:"notes"`
	Suspended   []Suspended       `json:"suspended,omitempty"`
	Requests    *int              `json:"requests,omitempty"` // that planning took; drift does not say
	Seconds     *float64          `json:"seconds,omitempty"`
	Outcome     *Outcome          `json:"outcome,omitempty"`
	Adoption    *Adoption         `json:"adoption,omitempty"` // of a drift
	Diagnostics []Diagnostic      `json:"diagnostics"`

	// Stats are what planning took, of drift as well, which does not write it down.
	Stats plan.Stats `json:"-"`
}

// Subdirectory returns the directory of the configuration below the top of its repository. It is ""
// at the top, and if it is unknown.
func (d *Document) Subdirectory() string {
	if d.Directory == "." {
		return ""
	}
	return d.Directory
}

// Options is what the plan was asked for; an apply of it asks the same.
type Options struct {
	Mode    string   `json:"mode"` // normal, destroy or drift
	Target  []string `json:"target"`
	Exclude []string `json:"exclude"`
	Replace []string `json:"replace"`
	Base    string   `json:"base,omitempty"` // of a run without a ledger: the commit that stood in for it
}

// Estate is the report of a run in several directories.
type Estate struct {
	FormatVersion string      `json:"format_version"`
	Command       string      `json:"command"`
	Summary       Summary     `json:"summary"` // of all directories together
	Directories   []Directory `json:"directories"`
}

// Directory is the report of a run in one of several directories.
type Directory struct {
	Directory string    `json:"directory"`
	ExitCode  int       `json:"exit_code"`
	Report    *Document `json:"report"`
}

// Summary counts the changes of a plan by what they do.
type Summary struct {
	Create    int `json:"create"`
	Update    int `json:"update"`
	Replace   int `json:"replace"`
	Delete    int `json:"delete"`
	Adopt     int `json:"adopt"`
	Move      int `json:"move"`
	Release   int `json:"release"`
	Unchanged int `json:"unchanged"`
	Drift     int `json:"drift"`
	NotFound  int `json:"not_found,omitempty"`
}

// add counts another directory as well.
func (s *Summary) add(o Summary) {
	s.Create += o.Create
	s.Update += o.Update
	s.Replace += o.Replace
	s.Delete += o.Delete
	s.Adopt += o.Adopt
	s.Move += o.Move
	s.Release += o.Release
	s.Unchanged += o.Unchanged
	s.Drift += o.Drift
	s.NotFound += o.NotFound
}

// Guard is a guard that stops the plan.
type Guard struct {
	Code     string   `json:"code"`
	Text     string   `json:"text"`
	Fix      string   `json:"fix"`
	Objects  []string `json:"objects"`
	Declared string   `json:"declared,omitempty"`
}

// Blocked is an object that could not be planned, and why.
type Blocked struct {
	Address  string   `json:"address"`
	Why      string   `json:"why"`
	By       []string `json:"by"`
	Declared string   `json:"declared,omitempty"`
}

// Suspended is an exclusive set or block that removes nothing in this run.
type Suspended struct {
	Address string `json:"address"`
	Kind    string `json:"kind"`            // of its elements
	Owner   string `json:"owner,omitempty"` // whose they are
	Note    string `json:"note"`            // why; one of the document's notes
}

// Check is an assertion of the configuration and what it came to.
type Check struct {
	Name     string `json:"name"`
	Status   string `json:"status"` // pass, fail, unknown or error
	Message  string `json:"message,omitempty"`
	Declared string `json:"declared,omitempty"`
}

// Output is an output of the configuration.
type Output struct {
	Value     any    `json:"value"`
	Sensitive bool   `json:"sensitive"`
	Unknown   parts  `json:"unknown,omitempty"`
	Secret    parts  `json:"secret,omitempty"` // where only parts may not be shown
	Doc       string `json:"description,omitempty"`
}

// Outcome is what an apply did.
type Outcome struct {
	Done        []Done   `json:"done"`
	Recorded    []Done   `json:"recorded"` // what the ledger alone was told
	Failed      []Done   `json:"failed"`
	Skipped     []Done   `json:"skipped"`
	Checks      []Check  `json:"checks"`
	Notes       []string `json:"notes"`
	Interrupted bool     `json:"interrupted"`
	Requests    int      `json:"requests"`
	Seconds     float64  `json:"seconds"`
}

// Done is a change that an apply did, or did not.
type Done struct {
	Address  string `json:"address"`
	Action   string `json:"action"`
	Error    string `json:"error,omitempty"`
	Made     bool   `json:"made,omitempty"` // though it failed
	Declared string `json:"declared,omitempty"`
}

// Validation is the report of validate for programs.
type Validation struct {
	FormatVersion string       `json:"format_version"`
	Valid         bool         `json:"valid"`
	Errors        int          `json:"error_count"`
	Warnings      int          `json:"warning_count"`
	Notes         []string     `json:"notes"`
	Diagnostics   []Diagnostic `json:"diagnostics"`
}

// Diagnostic is an error or a warning with its place.
type Diagnostic struct {
	Severity string `json:"severity"`
	Summary  string `json:"summary"`
	Detail   string `json:"detail,omitempty"`
	Range    *Range `json:"range,omitempty"`
	Snippet  []Line `json:"snippet,omitempty"`
}

// Gravity returns the severity for people. What a document does not say is taken for the worse.
func (d Diagnostic) Gravity() string {
	if d.IsWarning() {
		return "Warning"
	}
	return "Error"
}

// IsWarning reports whether nothing is wrong but something might be.
func (d Diagnostic) IsWarning() bool { return d.Severity == severities[hcl.DiagWarning] }

// Line is a line of a file, its secrets covered, with marks to be printed
// under what is meant. Line 0 stands for lines left out.
type Line struct {
	Line  int    `json:"line"`
	Code  string `json:"code"`
	Marks string `json:"marks"`
}

// Range is a part of a file.
type Range struct {
	Filename string `json:"filename"`
	Start    Pos    `json:"start"`
	End      Pos    `json:"end"`
}

// Pos is a place in a file; lines and columns are counted from 1, bytes from 0.
type Pos struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	Byte   int `json:"byte"`
}

package report

// Change is one change of a plan: what would be done to an object, and why.
type Change struct {
	Address         string `json:"address"`
	PreviousAddress string `json:"previous_address,omitempty"`
	Action          string `json:"action"`
	Sends           bool   `json:"sends"` // the host is written to
	Kind            string `json:"kind"`
	Noun            string `json:"noun,omitempty"`      // the kind in a title next to the owner
	Container       bool   `json:"container,omitempty"` // a group or a project, whose title is its path
	Set             string `json:"set,omitempty"`       // for an element of a set: the address of the block
	Element         string `json:"element,omitempty"`   // and the last part of its own address
	Brief           string `json:"brief,omitempty"`     // an added or removed element, without its name
	Key             any    `json:"key,omitempty"`
	ID              string `json:"id,omitempty"`
	Title           string `json:"title,omitempty"`
	Owner           string `json:"owner,omitempty"` // the path of its group or project
	Cause           string `json:"cause,omitempty"`
	Why             string `json:"why,omitempty"`
	AdoptsIfFound   bool   `json:"adopts_if_found,omitempty"`
	Founder         bool   `json:"founder,omitempty"` // a membership that the host creates in this run
	Opens           bool   `json:"opens,omitempty"`   // gives more access, or weakens a requirement
	Restore         bool   `json:"restore,omitempty"`
	Gone            bool   `json:"gone,omitempty"`     // in the ledger, but not on the host
	Digest          string `json:"digest,omitempty"`   // of the change and of the object before it
	Declared        string `json:"declared,omitempty"` // file:line:column
	Since           string `json:"since,omitempty"`    // when it drifted, if the host shows it
	By              string `json:"by,omitempty"`       // and who did it
	Paths           []Path `json:"paths"`
	// Before has the known values of a deleted object.
	Before map[string]any `json:"before,omitempty"`
	// Defaults has the values that the host will set on a new object.
	Defaults map[string]any `json:"defaults,omitempty"`
	// DefaultTexts are the same as the block would write them, in the order of its arguments.
	DefaultTexts []string `json:"default_texts,omitempty"`
	// Event is what drift shows in this form; nil in a plan.
	Event *Event `json:"-"`
}

// Path is the change of one argument. Values are in JSON's own types; null stands for what is null,
// unknown or secret.
type Path struct {
	Path         string `json:"path"`
	Written      string `json:"written,omitempty"` // what the block calls it, where that is another name
	Before       any    `json:"before"`
	After        any    `json:"after"`
	Unknown      parts  `json:"after_unknown,omitempty"` // known after apply
	Secret       bool   `json:"secret,omitempty"`        // before and after are null whatever they are
	BeforeSecret parts  `json:"before_secret,omitempty"` // where only parts may not be shown
	AfterSecret  parts  `json:"after_secret,omitempty"`
	BeforeText   string `json:"before_text,omitempty"` // where the argument has words for its values
	AfterText    string `json:"after_text,omitempty"`
	Reference    bool   `json:"reference,omitempty"`     // its texts are paths, addresses and ids of objects
	AlwaysSecret bool   `json:"always_secret,omitempty"` // the argument holds nothing but secrets
	Cause        string `json:"cause"`
	Note         string `json:"note,omitempty"`
}

// Undeclared is an undeclared object next to managed ones.
type Undeclared struct {
	Kind      string `json:"kind"`
	ID        string `json:"id"`
	Title     string `json:"title"`
	Owner     string `json:"owner,omitempty"`
	Since     string `json:"since,omitempty"`
	By        string `json:"by,omitempty"`
	Container bool   `json:"container,omitempty"` // it is a group or a project
}

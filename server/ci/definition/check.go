package definition

import (
	"fmt"
	"strings"

	"hew/server/ci/document"
)

// The limits of a definition.
const (
	maxErrors    = 100 // that Check returns
	maxWarnings  = 25
	maxNesting   = 10 // of lists in scripts, rules and stages
	maxJobs      = 10_000
	maxParallel  = 200
	maxNeeds     = 50
	maxName      = 255
	maxRulePaths = 50
)

// Check validates the tree of a definition, whose includes, extends and references are resolved.
// The Config is nil if there are errors. The first error is the one that a pipeline keeps.
func Check(tree *document.Node) (*Config, []*Error, []*Warning) {
	c := &checker{config: &Config{}, top: tree}
	c.check()
	if len(c.errors) > 0 {
		return nil, c.errors, c.warnings
	}
	return c.config, nil, c.warnings
}

// checker is one run of Check.
type checker struct {
	config   *Config
	top      *document.Node
	defaults *Job            // what default and the top give to jobs
	given    map[string]bool // keys that defaults has
	list     []*Job          // visible jobs in the order of the file, before they are expanded
	stages   map[string]int  // index of each stage

	errors   []*Error
	warnings []*Warning
}

// check is steps 5 to 8 of loading (ci §1.1).
func (c *checker) check() {
	if c.top == nil || c.top.Kind != document.Map {
		c.fail(c.top, "Invalid configuration format")
		return
	}
	if at := findNUL(c.top); at != nil {
		c.fail(at, "The configuration contains a NUL character")
		return
	}
	c.checkDefaults()
	c.checkVariables()
	c.checkStages()
	c.checkWorkflow()
	c.checkJobs()
	if len(c.errors) > 0 {
		return
	}
	c.expandJobs()
	if len(c.errors) == 0 {
		c.checkLogic()
	}
}

// fail adds an error with its text as it is.
func (c *checker) fail(at *document.Node, text string) {
	if len(c.errors) < maxErrors {
		c.errors = append(c.errors, located(at, text))
	}
}

func (c *checker) warn(at *document.Node, text string) {
	if len(c.warnings) < maxWarnings {
		c.warnings = append(c.warnings, located(at, text))
	}
}

// maxErrorText bounds the text of an error, in bytes. Names from the file are in it.
const maxErrorText = 10_000

func located(at *document.Node, text string) *Error {
	if len(text) > maxErrorText {
		text = strings.ToValidUTF8(text[:maxErrorText], "") + "…"
	}
	if at == nil {
		return &Error{Text: text}
	}
	return &Error{Text: text, File: at.File, Line: at.Line}
}

// findNUL returns a text that contains a NUL, which Postgres cannot store, or nil.
func findNUL(n *document.Node) *document.Node {
	if n == nil || strings.Contains(n.Text, "\x00") {
		return n
	}
	for _, item := range n.Items {
		if at := findNUL(item); at != nil {
			return at
		}
	}
	for _, e := range n.Entries {
		if strings.Contains(e.Key, "\x00") {
			return n
		}
		if at := findNUL(e.Value); at != nil {
			return at
		}
	}
	return nil
}

// entry is a value of the file that is being checked.
type entry struct {
	c         *checker
	location  string // such as "jobs:a:cache"
	attribute string // such as "config" or "start in"
	node      *document.Node
	parent    *document.Node // to blame if there is no node
}

// root is an entry at the top of the file.
func (c *checker) root(key string) entry {
	return entry{c, key, "config", c.top.Get(key), c.top}
}

// sub is the value of a key that has a location of its own.
func (e entry) sub(key string) entry {
	return entry{e.c, e.location + ":" + key, "config", e.node.Get(key), e.node}
}

// field is the value of a key that messages show as an attribute of its parent.
func (e entry) field(key string) entry {
	return entry{e.c, e.location, strings.ReplaceAll(key, "_", " "), e.node.Get(key), e.node}
}

// item is an element of a list, with the location of the elements.
func (e entry) item(location string, n *document.Node) entry {
	return entry{e.c, location, "config", n, e.node}
}

// given reports whether there is a value. Null is none.
func (e entry) given() bool { return e.node != nil && e.node.Kind != document.Null }

func (e entry) is(kind document.Kind) bool { return e.node != nil && e.node.Kind == kind }

// fail adds an error about the entry. Messages of the linter are in lower case throughout.
func (e entry) fail(format string, args ...any) {
	at := e.node
	if at == nil || at.Line == 0 {
		at = e.parent
	}
	e.c.fail(at, strings.ToLower(e.location+" "+e.attribute+" "+fmt.Sprintf(format, args...)))
}

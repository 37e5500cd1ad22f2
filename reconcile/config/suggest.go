package config

import (
	"fmt"
	"hew/reconcile/didyoumean"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// invalidRoots are words that are often mistaken for the start of a reference, with what
// to write instead.
var invalidRoots = map[string]string{
	"resource": "Write KIND.NAME.ATTRIBUTE, such as group.acme.id.",
	"variable": "Write var.NAME.",
	"locals":   "Write local.NAME.",
	"output": "The calling module can use outputs as module.NAME.OUTPUT. " +
		"In this module, refer to the values in the output's expression.",
	"provider": "Expressions cannot refer to the provider block.",
	"hew":      "Expressions cannot refer to the hew block.",
	"check":    "Checks have no value.",
	"import":   "Refer to the imported resource.",
}

// suggestKind returns the kind that a name probably stands for, as a sentence to append:
// without the prefix that it has elsewhere, or the nearest one.
func (c *Config) suggestKind(name string, names []string) string {
	if _, rest, ok := strings.Cut(name, "_"); ok && slices.Contains(names, rest) {
		return fmt.Sprintf(" Did you mean %q? Kinds have no prefix here.", rest)
	}
	if of := kindsEndingIn(name, names); of != nil {
		return fmt.Sprintf(" Did you mean %s?", orList(of))
	}
	return didyoumean.Hint(name, names)
}

// kindsEndingIn returns the kinds that a name is the last part of: group_runner,
// instance_runner and project_runner for runner.
func kindsEndingIn(name string, names []string) (of []string) {
	for _, n := range names {
		if strings.HasSuffix(n, "_"+name) {
			of = append(of, n)
		}
	}
	return of
}

func referenceHint(t hcl.Traversal) string {
	if len(t) == 1 {
		return fmt.Sprintf("To write a string, quote it: %q.", t.RootName())
	}
	return "A reference to a resource starts with its kind, such as group.acme.id."
}

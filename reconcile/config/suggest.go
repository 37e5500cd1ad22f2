package config

import (
	"fmt"
	"hew/reconcile/didyoumean"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// unreferable are words that people take for the beginning of a reference.
var unreferable = map[string]string{
	"resource": "Leave the word out: KIND.NAME.ATTRIBUTE, as in group.acme.id.",
	"variable": "Write var.NAME.",
	"locals":   "Write local.NAME.",
	"output":   "Outputs are for those who call the module, module.NAME.OUTPUT; in it refer to what the output is made of.",
	"provider": "The provider block says how to reach the host, and expressions do not see it.",
	"hew":      "The hew block is about the run, and expressions do not see it.",
	"check":    "Checks are told and have no value.",
	"import":   "Refer to what is imported.",
}

// likeKind proposes a name; of a kind with the prefix that it has elsewhere,
// the one without.
func (c *Config) likeKind(name string, names []string) string {
	if _, rest, ok := strings.Cut(name, "_"); ok && slices.Contains(names, rest) {
		return fmt.Sprintf(" Did you mean %q? Kinds have no prefix here.", rest)
	}
	if of := sorts(name, names); of != nil {
		return fmt.Sprintf(" Did you mean %s?", orList(of))
	}
	return didyoumean.Hint(name, names)
}

// sorts are the kinds of what has several, by whose it is or by what it is for:
// of a runner group_runner, instance_runner and project_runner.
func sorts(name string, names []string) (of []string) {
	for _, n := range names {
		if strings.HasSuffix(n, "_"+name) {
			of = append(of, n)
		}
	}
	return of
}

func bareHint(t hcl.Traversal) string {
	if len(t) == 1 {
		return fmt.Sprintf("If the text is meant, quote it: %q.", t.RootName())
	}
	return "A reference to an object begins with its kind, as in group.acme.id."
}

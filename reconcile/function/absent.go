package function

import "strings"

// absence is why an expression cannot call a function that Terraform has.
type absence struct{ summary, why string }

const (
	impureSummary = "Impure function"
	leftOut       = "Function left out"
)

// unstable are the functions that cannot be had without a plan changing from
// one run to the next, with what to do instead.
var unstable = map[string]string{
	"bcrypt":    "Hash outside of the configuration, and pass the result in as a variable.",
	"timestamp": "Use plantimestamp(), which is one time all over a run, or pass the time in as a variable.",
	"uuid":      "Use uuidv5(), which makes one identifier of a name, or pass the identifier in as a variable.",
}

// elsewhere are the functions that depend on the machine, or for which there
// is something else here.
var elsewhere = map[string]string{
	"abspath":         "abspath() depends on where the configuration was checked out, and a plan shall not. All paths are relative to the configuration's directory: use them as they are.",
	"ephemeralasnull": "ephemeralasnull() has nothing to do here, for no value is ephemeral. Remove the call; mark what must not be shown with sensitive().",
	"env":             "env() depends on the machine, and a plan shall not. Declare a variable; HEW_VAR_name and TF_VAR_name in the environment set it.",
	"list":            "list() is gone from Terraform as well. Write tolist([…]), or just […].",
	"map":             "map() is gone from Terraform as well. Write tomap({…}), or just {…}.",
	"pathexpand":      "pathexpand() depends on who runs hew, and a plan shall not. Write paths relative to the configuration's directory.",
}

// missing explains why there is no function of this name, where it is one that
// people know from Terraform.
func missing(name string) (absence, bool) {
	if why, ok := unstable[name]; ok {
		return absence{impureSummary, name + "() gives another value every time, so that no plan could be applied as it was reviewed. " + why}, true
	}
	if strings.Contains(name, "::") {
		return absence{leftOut, name + "() would come from a provider, and hew's provider has no functions. Use one of hew's own, which are called without a prefix."}, true
	}
	why, ok := elsewhere[name]
	return absence{leftOut, why}, ok
}

// Absent returns the functions of Terraform that expressions cannot call, each
// with the reason and what to use, in sentences.
func Absent() map[string]string {
	out := map[string]string{}
	for _, names := range []map[string]string{unstable, elsewhere} {
		for name := range names {
			a, _ := missing(name)
			out[name] = a.why
		}
	}
	return out
}

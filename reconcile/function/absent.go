package function

import (
	"maps"
	"strings"
)

// absent has the functions of Terraform that hew lacks: why, and what to use
// instead.
var absent = map[string]string{
	"abspath": "abspath() depends on where the configuration is checked out, so plans would differ between machines. " +
		"All paths are relative to the configuration's directory. Use them as they are.",
	"bcrypt": "bcrypt() returns a different value each time, so a reviewed plan could not be applied. " +
		"Hash the value elsewhere, and pass the result in as a variable.",
	"env": "env() depends on the environment, so plans would differ between machines. " +
		"Declare a variable, and set it with HEW_VAR_name or TF_VAR_name in the environment.",
	"ephemeralasnull": "ephemeralasnull() is not needed, because hew has no ephemeral values. " +
		"Remove the call. To keep a value out of output, use sensitive().",
	"list": "list() was removed from Terraform as well. Write tolist([…]) or […].",
	"map":  "map() was removed from Terraform as well. Write tomap({…}) or {…}.",
	"pathexpand": "pathexpand() depends on who runs hew, so plans would differ between machines. " +
		"Write paths relative to the configuration's directory.",
	"timestamp": "timestamp() returns a different value each time, so a reviewed plan could not be applied. " +
		"Use plantimestamp(), which is the same throughout a run, or pass the time in as a variable.",
	"uuid": "uuid() returns a different value each time, so a reviewed plan could not be applied. " +
		"Use uuidv5(), which derives the identifier from a name, or pass the identifier in as a variable.",
}

// absence returns why there is no function of a name that Terraform or one of its
// providers has, and what to use instead, or "".
func absence(name string) string {
	if strings.Contains(name, "::") {
		return name + "() would come from a provider, and hew's provider has no functions. " +
			"Use one of hew's own, whose names have no prefix."
	}
	return absent[name]
}

// Absent returns the functions of Terraform that expressions cannot call, by name:
// the reason and what to use instead, in sentences.
func Absent() map[string]string { return maps.Clone(absent) }

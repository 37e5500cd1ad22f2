package usage

import (
	"strconv"

	"github.com/spf13/pflag"
)

// TerraformFlag is a hidden flag that Terraform has and hew has not. A value that asks for what hew
// does anyway is accepted; any other fails with advice.
type TerraformFlag struct {
	Name   string
	NoOp   string // the value of a bool flag that changes nothing; "" for a flag that takes a string
	Advice string // "" if the flag never changes anything here
}

// The flags of Terraform that several commands accept.
var (
	RefreshFlag = TerraformFlag{"refresh", "true", "hew reads the host in every run and keeps no copy to plan " +
		"from. Remove -refresh=false; -target=ADDR makes hew read less."}
	StateFlag = TerraformFlag{"state", "",
		`hew has a ledger instead of a state file, and the hew block says where it is: hew { ledger "file" { path = … } }. hew ledger prints and changes it.`}
	// LockFlag is for commands that write; commands that only read take no lock.
	LockFlag = TerraformFlag{"lock", "true", "hew never writes without the ledger's lock, because two concurrent " +
		"runs would undo each other's changes. Remove -lock=false; -lock-timeout=5m waits for the other run to end."}
	// OutFlag is for commands other than plan.
	OutFlag = TerraformFlag{"out", "", "hew plan -out=FILE saves a plan, and hew apply FILE applies it. -o=FILE " +
		"writes the output of this command to a file."}
	// RefreshOnlyFlag is for apply.
	RefreshOnlyFlag = TerraformFlag{"refresh-only", "false", "hew apply -refresh-only would do nothing: the " +
		"ledger holds no copy of the host that could be out of date. hew drift shows what others changed."}
)

// Add adds the flag to a set.
func (t TerraformFlag) Add(set *pflag.FlagSet) {
	set.Var(t, t.Name, "as in Terraform")
	flag := set.Lookup(t.Name)
	flag.Hidden = true
	if t.NoOp != "" {
		flag.NoOptDefVal = "true"
	}
}

func (t TerraformFlag) String() string { return "" }

// Type returns pflag's name for the type.
func (t TerraformFlag) Type() string {
	if t.NoOp != "" {
		return "bool"
	}
	return "string"
}

// Set accepts a value that changes nothing and returns the advice for any other.
func (t TerraformFlag) Set(value string) error {
	if t.NoOp != "" {
		asked, err := strconv.ParseBool(value)
		if err != nil || t.Advice == "" || strconv.FormatBool(asked) == t.NoOp {
			return err
		}
	}
	return Explanation(t.Advice)
}

// terraformCommands holds, for commands that only Terraform has, what to use here.
var terraformCommands = map[string]string{
	"state":   "What hew manages is in its ledger: see hew ledger.",
	"refresh": "hew reads the host in every run; hew drift shows what others changed.",
	"taint":   "To replace an object, use hew apply -replace=ADDR.",
	"untaint": "hew marks nothing for replacement, so there is nothing to unmark.",
	"import": "hew adopts existing objects that the configuration declares. An import block adopts an " +
		"object by its id, and hew pull writes configuration for existing objects.",
	"get":       "Modules are directories beside the configuration; there is nothing to download.",
	"workspace": "Keep environments apart by directories, or by a -var-file and a ledger for each in the hew block.",
	"providers": "hew works with one host; hew schema prints what can be declared.",
	"force-unlock": "hew ledger unlock releases a lock that was left behind. The lock of a ledger file ends with " +
		"its process.",
	"login":  "hew signs in with a token from the environment: set HEW_TOKEN.",
	"logout": "hew stores no token; unset HEW_TOKEN.",
	"test":   "hew validate checks a configuration without the host, hew plan checks it against the host.",
}

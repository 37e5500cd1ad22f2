package cli

import (
	"strconv"

	"github.com/spf13/pflag"
)

// explained is what is wrong with the value of a flag, in whole sentences.
type explained string

func (e explained) Error() string { return string(e) }

// habit is a flag that Terraform has and people type out of habit. Where it
// asks for what hew does anyway it is passed over, else it says what to do.
type habit struct {
	name string
	same string // the value that changes nothing, of a flag that is true or false
	why  string // "" for a flag that changes nothing at all here
}

// habits of every command that plans.
var habits = []habit{
	{"refresh", "true", "hew reads the host in every run: it keeps no copy that a plan could be made from. Leave -refresh=false out; -target=ADDR makes it read less."},
	{"state", "", `hew has no state file but a ledger, and the hew block says where that is: hew { ledger "file" { path = … } }. hew ledger shows and changes it.`},
}

// lockHabit is one of commands that write; those that only read take no lock.
var lockHabit = habit{"lock", "true", "hew never writes without the ledger's lock: two runs at once would undo each other's work. Leave -lock=false out; -lock-timeout=5m waits for the other run to end."}

// outHabit is one of commands other than plan.
var outHabit = habit{"out", "", "hew plan -out=FILE saves a plan, and hew apply FILE does it. -o=FILE writes the answer of this command to a file."}

func (h habit) add(f *pflag.FlagSet) {
	f.Var(h, h.name, "as in Terraform")
	flag := f.Lookup(h.name)
	flag.Hidden = true
	if h.same != "" {
		flag.NoOptDefVal = "true"
	}
}

func (h habit) String() string { return "" }

// Type is that of pflag's own flags, which it is told apart by.
func (h habit) Type() string {
	if h.same != "" {
		return "bool"
	}
	return "string"
}

// Set passes over a value that changes nothing.
func (h habit) Set(value string) error {
	if h.same != "" {
		asked, err := strconv.ParseBool(value)
		if err != nil || h.why == "" || strconv.FormatBool(asked) == h.same {
			return err
		}
	}
	return explained(h.why)
}

// commandHabits say, for commands that Terraform has, what there is here.
var commandHabits = map[string]string{
	"state":        "What hew manages is in its ledger: see hew ledger.",
	"refresh":      "hew reads the host in every run; hew drift shows what others changed there.",
	"taint":        "To make an object anew, use hew apply -replace=ADDR.",
	"untaint":      "hew marks nothing for replacement, so there is nothing to unmark.",
	"import":       "hew adopts what the configuration names and the host has already; an import block names an object by its id, and hew pull writes configuration of what there is.",
	"get":          "Modules are directories beside the configuration; there is nothing to download.",
	"workspace":    "Keep environments apart by directories, or by -var-file and a ledger for each in the hew block.",
	"providers":    "hew speaks to one host; hew schema prints what can be declared there.",
	"force-unlock": "hew ledger unlock frees a lock that was left behind; that of a ledger file is free once its holder has ended.",
	"login":        "hew signs in with a token from the environment: set HEW_TOKEN.",
	"logout":       "hew keeps no token; unset HEW_TOKEN.",
	"test":         "hew validate checks a configuration without the host, hew plan against it.",
}

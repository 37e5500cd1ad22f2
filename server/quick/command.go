package quick

import "strings"

// Target is a set of what a command works on.
type Target uint8

// The targets of commands.
const (
	Issue Target = 1 << iota
	MergeRequest
	Epic

	anywhere = Issue | MergeRequest | Epic
)

// Argument says whether a command takes an argument.
type Argument uint8

// The kinds of arguments.
const (
	NoArgument Argument = iota
	OptionalArgument
	RequiredArgument
)

// A Command is a quick action: what the parser and the help need of it.
type Command struct {
	Name     string   // canonical, in lower case
	Aliases  []string // other names, in lower case
	On       Target   // what it works on
	Argument Argument // whether it takes one
	AddsUp   bool     // the arguments of all calls count, instead of the last one only
	Appends  string   // text that replaces the name and follows the argument; the command is then no call
	Help     string   // one line, verb first
}

// For returns the commands of a table that work on any of the targets.
func For(table []Command, on Target) (found []Command) {
	for _, c := range table {
		if c.On&on != 0 {
			found = append(found, c)
		}
	}
	return found
}

// names maps every name and alias of a table to its command.
func names(table []Command) map[string]*Command {
	all := make(map[string]*Command, 2*len(table))
	for i := range table {
		all[table[i].Name] = &table[i]
		for _, alias := range table[i].Aliases {
			all[alias] = &table[i]
		}
	}
	return all
}

// aliases returns the names in a text, which blanks separate.
func aliases(text string) []string { return strings.Fields(text) }

package usage

import (
	"fmt"
	"strconv"
	"strings"

	"hew/reconcile/addr"
)

// expecter is a flag value that can say in words which values it accepts.
type expecter interface{ Expected() string }

// Explanation is an error about the value of a flag, in whole sentences. [FlagError] prints it as
// it is.
type Explanation string

func (e Explanation) Error() string { return string(e) }

// Count is the value of a flag that takes a whole number. The zero value of Value stands for "not
// given": it cannot be typed, because Least is 1 or more.
type Count struct {
	Value  *int
	Least  int
	Accept string // the accepted values, in words
}

// String returns the number.
func (c Count) String() string {
	if c.Value == nil { // pflag asks a zero value for its default
		return "0"
	}
	return strconv.Itoa(*c.Value)
}

// Type returns the type that pflag lists the flag under.
func (c Count) Type() string { return "int" }

// Expected returns the accepted values, in words.
func (c Count) Expected() string { return c.Accept }

// Set parses a number and fails if it is below Least.
func (c Count) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err == nil && n < c.Least {
		err = fmt.Errorf("less than %d", c.Least)
	}
	*c.Value = n
	return err
}

// Addresses is the value of a flag that takes an address and may be repeated.
type Addresses []addr.Instance

func (a *Addresses) String() string { return "" }

// Type returns the type that pflag lists the flag under.
func (a *Addresses) Type() string { return "address" }

// Set parses one address and appends it.
func (a *Addresses) Set(text string) error {
	at, err := ParseAddress(text)
	if err == nil {
		*a = append(*a, at)
	}
	return err
}

// ParseAddress parses an address from the command line. The error says what an address looks like.
func ParseAddress(text string) (addr.Instance, error) {
	at, err := addr.Parse(strings.TrimSpace(text))
	if err != nil {
		return at, Explanation(err.Error() +
			`. An address names a module, a block or an object: module.web, group.acme or project_hook.ci["acme/api"]. Put it in single quotes if the shell would remove the double quotes.`)
	}
	return at, nil
}

// Assignment is a -var or a -var-file. The last one of a variable wins.
type Assignment struct {
	File bool   // Text is the name of a file
	Text string // NAME=VALUE otherwise
}

// Assignments is the value of -var or -var-file. Both append to one list, which keeps their order.
type Assignments struct {
	List *[]Assignment
	File bool
}

func (a Assignments) String() string { return "" }

// Type returns what help prints as the value of -var.
func (a Assignments) Type() string { return "NAME=VALUE" }

// Set appends an assignment.
func (a Assignments) Set(text string) error {
	*a.List = append(*a.List, Assignment{a.File, text})
	return nil
}

// Word is the value of a flag that takes one word only, which help prints.
type Word struct {
	Value  *string
	Accept string
}

func (w Word) String() string {
	if w.Value == nil { // pflag asks a zero value for its default
		return ""
	}
	return *w.Value
}

// Type returns what help prints as the value.
func (w Word) Type() string { return w.Accept }

// Set stores the text. The command checks it, so that its error can say more.
func (w Word) Set(text string) error {
	*w.Value = text
	return nil
}

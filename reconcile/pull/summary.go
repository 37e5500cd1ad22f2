package pull

import "fmt"

// Summary tells what was written and what was not. It counts rather than lists where there may be
// many.
type Summary struct {
	Subject           string
	Files             []string
	Blocks            map[string]int // by kind
	Variables         int            // number of variables, each for a secret
	RequiredVariables []string       // names of the variables that a plan needs a value for
	UnknownSecrets    int            // number of variables whose secret may not be set on the host at all
	// Omitted is what cannot be declared, Unread what could not be read, and Unsupported what the
	// host does not offer.
	Omitted, Unread, Unsupported []Omission
}

// Omission is objects of one kind that are not written for the same reason.
type Omission struct {
	Kind, Why string // Why is the reason for the first of them
	Name      string // name of the first object, or where it is
	Times     int    // number of objects
	reason    string // equal for omissions that are counted together
}

// String returns a line such as "project_hook in acme/api and 2 more: REASON".
func (o Omission) String() string {
	more := ""
	if o.Times > 1 {
		more = fmt.Sprintf(" and %d more", o.Times-1)
	}
	return fmt.Sprintf("%s %s%s: %s", o.Kind, o.Name, more, o.Why)
}

package note

import "strings"

// Outcome is what became of the quick actions of a text (more §5).
type Outcome struct {
	Changes  map[string]any // commands_changes of the answer
	Messages []string       // what each command says, in order
	Ran      bool           // one of them at least was run
}

// Applied keeps what a command says that was run.
func (o *Outcome) Applied(message string) {
	o.Messages, o.Ran = append(o.Messages, message), true
}

// Failed keeps what a command says that could not be run.
func (o *Outcome) Failed(message string) { o.Messages = append(o.Messages, message) }

// Summary returns the messages as the answer joins them.
func (o Outcome) Summary() string {
	if len(o.Messages) == 0 {
		return "Failed to apply commands."
	}
	return strings.Join(o.Messages, " ")
}

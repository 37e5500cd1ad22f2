package note

import "strings"

// Outcome is what became of the quick actions of a text (more §5).
type Outcome struct {
	Changes  map[string]any // commands_changes of the answer
	Messages []string       // what each command says, in order
}

// Summary returns the messages as the answer joins them.
func (o Outcome) Summary() []string {
	if len(o.Messages) == 0 {
		return []string{"Failed to apply commands."}
	}
	return []string{strings.Join(o.Messages, " ")}
}

package work

import (
	"hew/server/note"
	"hew/server/tree"
)

// TodoAsked is emitted when a quick action asks for a to-do item of an issue or epic, or says that
// it is done.
type TodoAsked struct {
	On   note.Target
	By   tree.User
	Done bool
}

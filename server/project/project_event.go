package project

import (
	"hew/server/tree"
)

// ProjectCreated is emitted when a project was created.
type ProjectCreated struct{ Project tree.Project }

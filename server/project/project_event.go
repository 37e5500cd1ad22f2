package project

import (
	"hew/server/tree"
)

// Created is emitted when a project was created.
type Created struct{ Project tree.Project }

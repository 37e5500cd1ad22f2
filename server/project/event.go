package project

import "hew/server/tree"

// Created is emitted when a project was created.
type Created struct{ Project tree.Project }

// Ending is emitted when a project is about to be removed. One that goes with its group is not told of.
type Ending struct{ Project tree.Project }

package project

import "hew/server/tree"

// Created is emitted after a project was created.
type Created struct{ Project tree.Project }

// BeforeRemoval is emitted before a project is removed, but not if it is removed with its group.
type BeforeRemoval struct{ Project tree.Project }

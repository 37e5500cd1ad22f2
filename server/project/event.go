package project

import "hew/server/tree"

// Created is emitted after a project was created.
type Created struct {
	Project tree.Project
	Creator tree.User
	Seed    Seed
}

// Seed is what the repository of a new project begins with. The zero value is nothing.
type Seed struct {
	Readme   bool   // a commit with a README.md
	Template string // a commit with the files of a template; it wins over Readme

	ImportURL string // a repository on another host, which wins over both; it may hold credentials
}

// hasCommit reports whether the repository has a commit as soon as its project is created.
func (s Seed) hasCommit() bool { return s.ImportURL == "" && (s.Readme || s.Template != "") }

// Changed is emitted after a project was changed, renamed, or transferred to another namespace, but
// not for archival, stars and marks for deletion.
type Changed struct{ Was, Project tree.Project }

// BeforeRemoval is emitted before a project is removed, but not if it is removed with its group.
type BeforeRemoval struct{ Project tree.Project }

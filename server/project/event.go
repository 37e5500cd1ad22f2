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

// ImportBegun is emitted when a project is to get the repository at its import URL.
type ImportBegun struct{ Project tree.Project }

// PullMirrorSet is emitted when a project begins to follow a repository elsewhere, and when its
// import URL is set again. The URL may hold credentials. Without one the project follows none any
// more.
type PullMirrorSet struct {
	Project tree.Project
	URL     string
}

// BeforeRemoval is emitted before a project is removed, but not if it is removed with its group.
type BeforeRemoval struct{ Project tree.Project }

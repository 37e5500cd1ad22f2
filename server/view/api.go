// Package api is the REST API: one file an area, or a few.
//
// An area is a type over API, type hooks struct{ *Site }, and its methods are its handlers. How an area looks:
//
//   - routes comes first: the table. A guard opens a scope, and a handler takes that scope as a parameter, so that one
//     which sees a project cannot be registered without the ability that admits its caller.
//   - A handler is called by what it does: list, show, create, update, delete, or the verb of its path. It decodes, makes
//     one call, and shows. What a second caller could break is a rule, and lives in forge; one query lives in store.
//   - Its input stands above it and is called by thing and act: hookList, hookNew, hookChange; rest.ByID where there is
//     nothing but the number. What may be given when a thing is made and later on too is hookFields, whose settings embed
//     rest.Into[store.X] and are merged: a field that X does not have is found when the routes are made.
//   - Its output is a type, not any. A view is called hookView and made by hookViewOf; by a method of API, where other areas
//     show it too. The parts of it that not everybody sees are embedded pointers, nil where they are kept back.
//   - A list embeds rest.Paging, or rest.Keyset where it can be walked by key.
//   - What groups and projects hold alike has one set of handlers over the scope container, a function at(path, guards…) that
//     routes makes the lines of both with, and its rows in a store.Held. pushRules is the shortest of them.
package view

import (
	"hew/server/jobs"
)

// Site is what the handlers share.
type Site struct {
	Jobs     *jobs.Queue
	Base     string // the address that clients use, without a trailing slash: https://host
	Version  string
	Revision string
}

// Web is the address of a page of the web front end, which names things the way users see them.
func (a *Site) Web(path string) string { return a.Base + "/" + path }

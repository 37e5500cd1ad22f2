// Package api serves the to-dos of package todo.
package api

import (
	"hew/server/part"
	"hew/server/todo"
)

// Part returns what package todo adds to the server.
func Part(host part.Host) part.Part {
	return part.Part{
		Name:      "todo",
		Routes:    todos{host.Site}.routes(),
		Abilities: abilities,
		Refusals:  todo.Refusals,
		Listeners: todo.Listeners,
		Jobs:      todo.Jobs,
		Specimen:  specimen,
	}
}

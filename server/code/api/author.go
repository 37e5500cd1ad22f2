package api

import (
	"hew/server/code"
	"hew/server/protect"
	"hew/server/scope"
)

// AuthorOf returns the caller as who changes the repository through the API.
func AuthorOf(p scope.InProject) code.Author {
	return code.Author{Pusher: protect.Pusher{Who: p.Who()}, User: p.Caller.User, Web: true}
}

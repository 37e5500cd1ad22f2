// Package api serves the address at which recipients of mail leave a list.
package api

import (
	"hew/server/mail"
	"hew/server/part"
)

// Part returns what package mail adds to the server.
func Part(part.Host) part.Part {
	return part.Part{
		Name:      "mail",
		Endpoints: []part.Endpoint{{Rewrite: leaveRoute, Routes: lists{}.routes()}},
		Jobs:      mail.Jobs,
	}
}

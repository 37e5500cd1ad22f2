// Package part describes what a domain adds to the server. Each domain's api package has one
// function Part(Host) Part, and package server adds the parts up.
package part

import (
	"context"
	"log/slog"
	"net/http"

	"hew/server/db"
	"hew/server/directory"
	"hew/server/event"
	"hew/server/jobs"
	"hew/server/outbound"
	"hew/server/policy"
	"hew/server/rest"
	"hew/server/tree"
	"hew/server/view"
)

// Host is what the parts have of the server that they are in.
type Host struct {
	*view.Site
	Out  *outbound.Guard   // sends requests to other hosts
	LDAP *directory.Server // nil where none is configured
	// ImportS3 is the S3 server that archives are imported from; empty: the public one
	ImportS3 string
	Log      *slog.Logger
}

// Part is all that a domain adds. The zero value of a field adds nothing.
type Part struct {
	Name      string // of the domain
	Routes    []rest.Route
	Endpoints []Endpoint
	Abilities []policy.Ability // those that the domain declares
	Refusals  db.Refusals      // of the constraints of its tables
	Listeners []event.Listener // called in this order, after those of the parts before
	Jobs      []jobs.Kind
	Specimen  Specimen
}

// Endpoint is what is served outside of /api/v4: an address that stands for a route.
type Endpoint struct {
	// reports the path below /api/v4 that an address stands for, escaped
	Rewrite func(path string) (route string, ok bool)
	Routes  []rest.Route // that know callers in a way of their own; none: it is one of the API's
	// not empty: they know the callers of the API, and deploy tokens; all of them send a user name
	// and a password
	Realm string
	// returns how a refusal with a text is written for clients of one of the routes: its type and
	// body. nil, or an empty type: as plain text
	Refusal func(r *http.Request, text string) (contentType string, body []byte)
}

// Specimen stores n of everything that the domain keeps in a place, and returns what the wildcards
// of its paths stand for: the last of each. The access test and the demo ask for one, the statement
// test for one and for twenty, benches for more.
type Specimen func(ctx context.Context, h *db.Store, at Place, n int) (Values, error)

// Place is where a specimen is put: a group, a project in that group, or beside both where
// Container is empty.
type Place struct {
	db.Container
	Group   tree.Group
	Project tree.Project
	Second  tree.Project // another project of the group
	Owner   tree.User    // of the group
	Guests  tree.Group   // another group, to share things with
}

// Source returns the group or project as what members belong to.
func (p Place) Source() tree.Source {
	if p.ProjectID != nil {
		return tree.InProject(p.Project)
	}
	return tree.InGroup(p.Group)
}

// Values are what wildcards stand for, by the name of the wildcard, by the first segment of the
// path and that name, or with the segment before the wildcard between them: label_id, topics/id,
// groups/access_requests/user_id.
type Values map[string]string

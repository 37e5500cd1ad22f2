package server

import (
	integrationapi "hew/server/integration/api"
	"hew/server/rest"
)

// Endpoints are the routes that have their own way of knowing who calls. AlertRoute tells what leads to them.
func (a *API) Endpoints() []rest.Route { return integrationapi.AlertEndpoints{Site: &a.Site}.Routes() }

package ci

import "hew/server/outbound"

// Site is what pipelines have of the server that runs them.
type Site struct {
	Base     string          // the address that clients use, without a trailing slash: https://host
	Version  string          // of the API: 17.2.0-ee
	Revision string          // of the program
	Out      *outbound.Guard // fetches remote files of definitions
}

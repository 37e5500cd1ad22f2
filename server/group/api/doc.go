// Package api has the routes of groups and namespaces, and of the members, invitations, shares,
// access tokens and links of groups and projects.
package api

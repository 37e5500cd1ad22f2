// Package api has the routes of users, personal access tokens, deploy tokens and custom attributes.
package api

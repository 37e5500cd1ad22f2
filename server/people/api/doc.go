// Package api has the routes of users, personal access tokens and custom attributes.
package api

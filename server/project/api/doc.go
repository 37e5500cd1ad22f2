// Package api has the routes of projects, stars, topics, and the avatars of groups and projects.
package api

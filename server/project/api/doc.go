// Package api has the routes of projects, stars, topics, and the pictures of avatars.
package api

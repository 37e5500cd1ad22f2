// Package release keeps the releases of projects: what is published under the name of a tag, with
// links to files elsewhere and the milestones that it completes.
//
// A release has a tag and no commit of its own: the commit is the one that the tag points to. A
// tag that the API deletes takes its release with it; a git client that deletes the tag leaves the
// release, which has no commit until the tag is pushed again. A deleted release leaves its tag.
//
// It raises [Changed], and listens to pushes.
package release

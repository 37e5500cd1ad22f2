// Package release keeps the releases of projects: what is published under the name of a tag, with
// links to files elsewhere and the milestones that it completes.
//
// A release has a tag and no commit of its own: the commit is the one that the tag points to. The
// API deletes the release together with its tag. A git client that deletes the tag leaves the
// release, which then has no commit; the tag can be pushed again.
//
// It raises [Changed], and listens to pushes.
package release

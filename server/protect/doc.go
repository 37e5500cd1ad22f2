// Package protect decides what pushes and merge requests must satisfy: push rules, protected
// branches and tags, approval rules and settings, and deploy keys.
//
// Groups hold most of them for the projects inside. A project is held to the protected branches of
// the groups above it. When it is created, it gets a copy of the nearest push rule, which is its
// own from then on. A level below can only make approval settings stricter.
//
// [Protection] is what decides whether somebody may push, for all ways in: by the role and by
// protected branches, and by open merge requests whose authors let others push to their branches.
//
// It listens to group.AccessLost, to remove levels of users and groups that left, and to
// project.Created. It raises [ApprovalSettingsChanged].
package protect

// Package transfer moves projects out of this server and into it: it makes archives of them, in the
// layout of package archive, and projects of archives.
//
// # Exports
//
// An export is a row, which a job turns into a blob or sends to another host. Who may see what
// differs from user to user (members of groups above, epics), so that an archive belongs to the
// user who asked for it, and so does its state. A process that works on an export says so in its
// row; if it dies, another one begins again, or sends the archive that the dead one has stored.
//
// All rows come from one transaction that reads one snapshot (repeatable read, read only), so that
// no document refers to something that another one lacks. Repositories and files follow, and may be
// newer: hidden refs and uploads that rows refer to stay. Postgres makes the documents, one
// statement for a page of a hundred, as JSON with the field names of package archive; they stream
// through a file on disk, so that memory does not grow with the project.
//
// The statements read the tables of other domains. Those domains have no functions that return all
// of a project, and would need one for each of the tables that only an archive reads as a whole.
//
// Nothing that is sealed or hashed is selected. Left out as well are what the public service leaves
// out (variables, runners, tokens, hooks, integrations, triggers, deploy keys, traces, artifacts,
// packages, child pipelines), draft notes and notes about things of other projects. Groups are not
// exported: the sources name limits for that, but neither routes nor a layout.
//
// # Imports
//
// An import is a row, too, which goes when the import has ended. The archive waits as a blob, or
// where it is to be fetched from: what is secret of that is sealed, and goes with the row. A job
// unpacks the archive on the disk and stores what it holds by package load, step by step; after a
// kill it goes on where it was. A project that is to be replaced stays until the import has
// succeeded.
package transfer

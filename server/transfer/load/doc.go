// Package load stores the documents of package archive as rows of one project. Importers of
// archives and of other hosts use it.
//
// A [Loader] stores the documents of a relation in batches. A batch is one transaction, with a
// number of statements that does not depend on the number of documents. It holds the row of the
// import, so that an import that another process has taken, or whose project was removed, stores
// nothing more. The same transaction stores how far the relation is (the checkpoint): after a kill
// the import goes on behind it, and nothing is stored twice.
//
// A document that cannot be stored is a failure (project.ImportFailure), and the import goes on. A
// batch that Postgres refuses is stored again in halves, until the document is found.
//
// Ids of users in documents are those of the source; [Users] says who they are here. Labels,
// milestones, iterations and epics are found by what they are called: in the project, then in the
// groups above it. Labels and milestones that are not found are made in the project.
//
// Loading is not what users do: it raises no events, and makes no hooks, mails, to-dos or mentions.
package load

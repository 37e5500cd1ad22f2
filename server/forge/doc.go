// Package forge imports projects from other code hosts: those of the GitHub kind and those of the
// Bitbucket Server kind (transfer.md §3, spec 1 §2.9 and §4.7).
//
// An import is a row of project_imports, with a row of forge_imports that says how far it is. It
// goes through stages. The first ones fill the repository and the wiki. The next ones read pages of
// the host's API, and keep what they say in forge_documents. The last ones make documents of
// package archive of it, with all that belongs to one issue or merge request together, and store
// them with package load.
//
// Each page and each document is stored in one transaction with the place in its stage, so an
// import that was killed goes on where it was, and stores nothing twice. Where the host asks to
// wait, the import stores until when, and leaves the worker to others.
//
// The files that texts link to become uploads, and the texts link to those, before anything is made
// of the texts. Objects of Git LFS come by package lfs, whatever commit refers to them.
//
// Who of the host is a user here is known by an identity or the e-mail address that the host shows.
// Since anybody can have a host that shows any address, only those of the public host of the GitHub
// kind count, and those of other hosts if an administrator imports. Everything else belongs to
// the user who imports, and its text begins with a line that names the author.
//
// What a host cannot give or this server cannot store of one issue, merge request or list is noted
// down as a failure of the import, which goes on. Only a repository that cannot be read, a token
// that is not accepted and a host that does not answer for long end it.
package forge

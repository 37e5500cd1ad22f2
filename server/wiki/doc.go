// Package wiki keeps the pages of wikis of projects and groups, as files in git repositories
// (more-2 §8.3).
//
// A page is a file whose extension names a [Format]. Its slug is the path without the extension,
// with dashes for blanks; files with other extensions are not pages. Every change is a commit, by
// [code.CommitFiles]. Git clients write the same files.
package wiki

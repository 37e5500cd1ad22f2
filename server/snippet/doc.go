// Package snippet keeps snippets: files with a title, which belong to a user or to a project
// (transfer §3.3, more-2 §9).
//
// The files are in a git repository for each snippet, on the tables of package code, as the pages
// of wikis are: git clients clone and push them, and every change by the API is a commit
// ([code.CommitFiles]). There is one branch, main. What a push may leave there is checked in one
// place, a listener of [code.SnippetPushed], whoever pushes: at most [MaxFiles] files, with names
// that the API can write, and together no larger than the setting snippet_size_limit. The
// listener also notes the names of the files in the row of the snippet, so that lists read no
// repository.
//
// A reader sees a snippet by its own visibility and, in a project, by that of the project and of
// its feature: the stricter one decides ([Filter], [Snippet.SeenBy]).
package snippet

// Package transfer makes projects of archives in the layout of package archive. Package load stores
// their documents.
//
// An archive waits as a blob, or where it is to be fetched from. A job makes the project of it, in
// steps that go on after a kill. What is secret of a source is sealed, and forgotten when the
// import has ended.
package transfer

// Package archive is the layout of project archives, as the public service writes and reads them:
// a gzip tar with a version, one document of the project, one file of documents for each relation
// (a JSON document a line), git bundles, uploads, an avatar and LFS objects. It knows no server and
// no database; importers of other hosts make the same documents.
//
// Ids in documents (AuthorID, UserID …) are those of the source. UserContribution names the people
// behind them. Labels and milestones are embedded where they are used, and matched by title.
//
// A [Writer] streams an archive into any io.Writer. What has an unknown size is spooled to a file
// first, because a tar header begins with the size; memory is bounded by one document.
//
// Reading takes two steps. [Unpack] writes the files of an archive into a directory of the caller:
// git reads bundles from files, and an import that was killed goes on from there. [Open] then reads
// that directory: [Archive.Lines] iterates over the documents of a relation, [Decode] decodes one.
//
// Archives come from anyone. Names that lead out of the directory are refused, links are never
// made, sizes are counted while they unpack, and lines have a limit. What is wrong with an archive
// is a [FormatError], in the words that the API shows; any other error is one of this host's.
package archive

// Version is the version of the layout. Archives of any other version are refused.
const Version = "0.2.4"

// FormatError says what is wrong with an archive, in the words of the API.
type FormatError string

// Error implements error.
func (e FormatError) Error() string { return string(e) }

// The faults of archives that have fixed texts.
const (
	ErrTooLarge = FormatError("Decompressed archive size validation failed.")
	ErrHardLink = FormatError("File shares hard link")
	ErrVersion  = FormatError("Incorrect VERSION format")
	ErrLayout   = FormatError("invalid import format") // it has no tree
	ErrProject  = FormatError("Invalid file")          // it has no document of the project
	ErrJSON     = FormatError("Incorrect JSON format")
	ErrNotTar   = FormatError("The archive is not a gzip tar, or it is damaged")
)

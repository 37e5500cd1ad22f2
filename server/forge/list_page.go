package forge

import (
	"fmt"
	"strconv"
	"strings"

	"hew/server/forge/hostapi"
)

// maxPages is how many pages of a list a stage reads: a host can name next ones for ever.
const maxPages = 20_000

// listPage is a page of the list of a stage.
type listPage struct {
	page    int    // from 0
	address string // "": that of the first page
}

// parseListPage parses a cursor: the number of the page, a space and its address.
func parseListPage(cursor string) listPage {
	page, address, ok := strings.Cut(cursor, " ")
	if !ok { // an import that an earlier version began
		return listPage{address: cursor}
	}
	n, _ := strconv.Atoi(page)
	return listPage{page: n, address: address}
}

// follow makes the page at an address the next one of a stage. If that cannot be, what is missing
// is a failure, and the stage is over.
func (s *step) follow(r *run, stage string, at listPage, next string) {
	switch {
	case next == at.address:
		s.fail(r, stage, 0, &hostapi.StatusError{Message: "the host names a page as the one after itself"})
	case at.page+1 >= maxPages:
		s.fail(r, stage, 0, &hostapi.StatusError{Message: fmt.Sprintf("the list has more than %d pages", maxPages)})
	default:
		s.stage, s.cursor = stage, fmt.Sprintf("%d %s", at.page+1, next)
	}
}

package api

import (
	"net/http/httptest"

	"hew/server/rest"
)

// Guards of pushes for tests: those of the code of a project, and of a wiki.
var (
	PushGuard     = smartHTTP{}.guard(always(receivePack))
	PushWikiGuard = smartHTTP{}.wikiGuard(always(receivePack))
	FetchGuard    = smartHTTP{}.guard(always(uploadPack))
)

// FilesRead returns how many files a page of a tree reads at most.
func FilesRead(query string) int {
	in, err := rest.Decode[treeList](httptest.NewRequest("GET", "/"+query, nil))
	if err != nil {
		return -1
	}
	l, err := in.listing()
	if err != nil {
		return -1
	}
	return l.Limit
}

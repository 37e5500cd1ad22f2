package api

import (
	"encoding/json"
	"net/http"
	"strings"

	"hew/server/rest"
)

// lfsDocs is where the requests of git-lfs are described.
const lfsDocs = "https://github.com/git-lfs/git-lfs/tree/main/docs/api"

// lfsError is what is wrong with a request, as git-lfs reads it.
type lfsError struct {
	Message   string `json:"message"`
	Docs      string `json:"documentation_url"`
	RequestID string `json:"request_id"` // as in the log
}

func newLFSError(r *http.Request, text string) lfsError {
	return lfsError{text, lfsDocs, rest.RequestID(r.Context())}
}

// lfsRefusal writes the refusals of guards and of the server as git-lfs reads them.
func lfsRefusal(r *http.Request, text string) (contentType string, body []byte) {
	if !strings.Contains(r.URL.Path, "/info/lfs/") {
		return "", nil
	}
	body, _ = json.Marshal(newLFSError(r, text)) // texts always encode
	return lfsType, body
}

// answer writes JSON of git-lfs.
func (a lfs) answer(status int, value any) rest.Raw {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", lfsType)
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(value) // fails only if the client has gone
	})
}

func (a lfs) refuse(status int, text string) rest.Raw {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.answer(status, newLFSError(r, text)).ServeHTTP(w, r)
	})
}

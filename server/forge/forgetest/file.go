package forgetest

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// File is a file at an address of its own.
type File struct{ Type, Content string }

// file answers with a file or for Git LFS, if that is what a request asks for.
func (h *Host) file(w http.ResponseWriter, r *http.Request) bool {
	h.mu.Lock()
	f, ok := h.Files[r.URL.Path]
	_, name, isLFS := strings.Cut(r.URL.Path, ".git/info/lfs/objects/")
	content, isObject := h.LFS[name]
	h.mu.Unlock()
	switch {
	case ok:
		w.Header().Set("Content-Type", f.Type)
		_, _ = io.WriteString(w, f.Content)
	case isLFS && name == "batch":
		h.batch(w, r)
	case isLFS && isObject:
		_, _ = io.WriteString(w, content)
	case isLFS:
		w.WriteHeader(http.StatusNotFound)
	}
	return ok || isLFS
}

// batch answers which objects of Git LFS there are.
func (h *Host) batch(w http.ResponseWriter, r *http.Request) {
	var asked struct{ Objects []struct{ OID string } }
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	objects := []any{}
	for _, o := range asked.Objects {
		answer := object{"oid": o.OID, "error": object{"code": 404, "message": "Object does not exist"}}
		if content, ok := h.LFS[o.OID]; ok {
			answer = object{"oid": o.OID, "size": len(content), "actions": object{"download": object{
				"href": h.URL + strings.TrimSuffix(r.URL.Path, "batch") + o.OID,
			}}}
		}
		objects = append(objects, answer)
	}
	WriteJSON(w, object{"objects": objects})
}

package notes

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
)

// most is what a note may have, in bytes.
const most = 1_000_000

func (h *Host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	if meet := h.meet; meet != nil && r.Method == http.MethodPost {
		h.mu.Unlock()
		meet.Done()
		meet.Wait()
		h.mu.Lock()
	}
	defer h.mu.Unlock()
	h.asked = append(h.asked, r.Method+" "+r.URL.Path)
	switch {
	case h.status != 0:
		w.WriteHeader(h.status)
	case r.Header.Get("PRIVATE-TOKEN") != h.Token && r.Header.Get("Authorization") != "Bearer "+h.Token:
		w.WriteHeader(http.StatusUnauthorized)
	default:
		h.Routes.ServeHTTP(w, r)
	}
}

// here tells whether it is the project that is asked for.
func (h *Host) here(w http.ResponseWriter, r *http.Request) bool {
	if r.PathValue("project") != h.project {
		w.WriteHeader(http.StatusNotFound)
		return false
	}
	return true
}

// list answers a page. Where the newest come first one that is added meanwhile moves all others.
func (h *Host) list(w http.ResponseWriter, r *http.Request) {
	if !h.here(w, r) {
		return
	}
	query := r.URL.Query()
	if query.Get("sort") != "asc" {
		h.t.Errorf("%s: a note is missed that moves to the next page meanwhile; sort=asc", r.URL)
	}
	all := h.notes[r.PathValue("iid")]
	page, size := max(number(query.Get("page")), 1), number(query.Get("per_page"))
	if size < 1 {
		size = 20
	}
	from, to := min((page-1)*size, len(all)), min(page*size, len(all))
	if to < len(all) {
		query.Set("page", strconv.Itoa(page+1))
		w.Header().Set("X-Next-Page", strconv.Itoa(page+1))
		w.Header().Set("Link", fmt.Sprintf(`<http://%s%s?%s>; rel="next"`, r.Host, r.URL.EscapedPath(), query.Encode()))
	}
	h.answer(w, http.StatusOK, append([]Note{}, all[from:to]...))
}

func (h *Host) create(w http.ResponseWriter, r *http.Request) {
	body, fine := h.body(w, r)
	if !fine || !h.here(w, r) {
		return
	}
	n := h.add(r.PathValue("iid"), Bot, body, false)
	h.written = append(h.written, fmt.Sprint("POST ", n.ID))
	if h.lost > 0 {
		h.lost--
		panic(http.ErrAbortHandler)
	}
	h.answer(w, http.StatusCreated, n)
}

func (h *Host) change(w http.ResponseWriter, r *http.Request) {
	iid, body, fine := r.PathValue("iid"), "", true
	if id := int64(number(r.PathValue("id"))); id == h.vanishing {
		h.notes[iid] = slices.DeleteFunc(h.notes[iid], func(n Note) bool { return n.ID == id })
	}
	if body, fine = h.body(w, r); !fine {
		return
	}
	if at := h.own(w, r); at >= 0 {
		h.notes[iid][at].Body = stored(body)
		h.answer(w, http.StatusOK, h.notes[iid][at])
	}
}

func (h *Host) remove(w http.ResponseWriter, r *http.Request) {
	if at := h.own(w, r); at >= 0 {
		iid := r.PathValue("iid")
		h.notes[iid] = slices.Delete(h.notes[iid], at, at+1)
		w.WriteHeader(http.StatusNoContent)
	}
}

// own finds a note that may be written, and notes that it is; nobody writes those of others.
func (h *Host) own(w http.ResponseWriter, r *http.Request) int {
	if !h.here(w, r) {
		return -1
	}
	id, all := int64(number(r.PathValue("id"))), h.notes[r.PathValue("iid")]
	h.written = append(h.written, fmt.Sprint(r.Method, " ", id))
	at := slices.IndexFunc(all, func(n Note) bool { return n.ID == id })
	switch {
	case at < 0:
		w.WriteHeader(http.StatusNotFound)
	case all[at].Author.ID != Bot || all[at].System:
		h.t.Errorf("%s %s: the note is somebody else's", r.Method, r.URL)
		w.WriteHeader(http.StatusForbidden)
		at = -1
	}
	return at
}

func (h *Host) body(w http.ResponseWriter, r *http.Request) (text string, fine bool) {
	var in struct{ Body string }
	err := json.NewDecoder(r.Body).Decode(&in)
	if err != nil || in.Body == "" || len(in.Body) > most {
		h.t.Errorf("%s %s: no host takes this note of %d bytes: %v", r.Method, r.URL, len(in.Body), err)
		w.WriteHeader(http.StatusBadRequest)
		return "", false
	}
	return in.Body, true
}

func (h *Host) answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(body); err != nil {
		h.t.Errorf("the answer is lost: %v", err)
	}
}

func number(text string) int {
	n, _ := strconv.Atoi(text) // 0 is none
	return n
}

package rest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// JSON returns an answer with a status that the handler chooses.
func JSON(status int, value any) Raw {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		body, err := encode(value)
		if err != nil {
			panic(err) // the handler returned a value that JSON cannot have
		}
		writeJSON(w, status, body)
	})
}

// Show returns a function that turns what a store returns into its public form, and passes errors
// on: rest.Show(showHook)(st.Hook(ctx, id)).
func Show[T, U any](show func(T) U) func(T, error) (U, error) {
	return func(v T, err error) (U, error) {
		if err != nil {
			var none U
			return none, err
		}
		return show(v), nil
	}
}

// answer is an encoded answer. It is made inside the unit, which is rolled back if encoding fails.
type answer struct {
	status int
	header http.Header
	body   []byte
	raw    Raw
}

// prepare encodes what a handler returned.
func (m *mux) prepare(r *http.Request, status int, out any, page pager) (answer, error) {
	a := answer{status: status, header: http.Header{}}
	switch v := out.(type) {
	case Raw:
		a.raw = v
		return a, nil
	case None:
		if status == http.StatusNoContent {
			return a, nil
		}
		out = map[string]string{"message": fmt.Sprintf("%d %s", status, http.StatusText(status))}
	case pageWriter:
		if page == nil {
			return a, fmt.Errorf("%s returns a List, but its parameters embed neither Paging nor Keyset", r.Pattern)
		}
		out = v.writeHeaders(a.header, page.paging(), m.pageURL(r))
	}
	if status == http.StatusNoContent {
		return a, nil
	}
	var err error
	a.body, err = encode(out)
	return a, err
}

// write sends the answer. JSON that is read gets a weak ETag; a client that has it already gets
// 304.
func (a answer) write(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	for name, values := range a.header {
		h[name] = values
	}
	switch {
	case a.raw != nil:
		a.raw.ServeHTTP(w, r)
	case a.body == nil:
		w.WriteHeader(a.status)
	case a.status == http.StatusOK && isRead(r.Method):
		sum := sha256.Sum256(a.body)
		tag := `W/"` + hex.EncodeToString(sum[:16]) + `"`
		h.Set("ETag", tag)
		h.Set("Cache-Control", "max-age=0, private, must-revalidate")
		if matchesETag(r.Header.Get("If-None-Match"), tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		fallthrough
	default:
		writeJSON(w, a.status, a.body)
	}
}

// matchesETag reports whether If-None-Match lists the tag, in the weak comparison.
func matchesETag(list, tag string) bool {
	for have := range strings.SplitSeq(list, ",") {
		have = strings.TrimSpace(have)
		if have == "*" || strings.TrimPrefix(have, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}

// encode returns JSON. It does not escape HTML, which no client expects here.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode the answer: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // fails only if the client has gone
}

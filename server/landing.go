package server

import (
	"bytes"
	_ "embed"
	"html/template"
	"net/http"
)

//go:embed landing.html
var landingHTML string

var landingTemplate = template.Must(template.New("landing").Parse(landingHTML))

// landing is what the page at / shows.
type landing struct {
	Build      Build
	APIVersion string
	Base       string // address that clients use, without a trailing slash
	Health     string // one of the states of health
}

// serveLanding answers a browser that opens the bare address: what runs here, whether it is well,
// and how to go on. The page loads nothing and runs nothing.
func (s *Server) serveLanding(w http.ResponseWriter, r *http.Request) {
	var page bytes.Buffer
	err := landingTemplate.Execute(&page, landing{
		Build: s.config.Build, APIVersion: s.config.Version, Base: s.URL(), Health: s.readiness(r.Context()).Status,
	})
	if err != nil {
		s.config.Log.Error("render the page at /", "error", err)
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; "+
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(page.Bytes()) // fails only if the client has gone
}

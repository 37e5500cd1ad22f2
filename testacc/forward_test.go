package testacc

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
)

// answer is a whole one, so that the server is done with the request.
type answer struct {
	status int
	header http.Header
	text   []byte
}

// forward has the server carry a request out, or recalls what it said. Of what lags reads see
// nothing for a while.
func (p *proxy) forward(r *http.Request, body []byte, lags bool) (*answer, error) {
	if p.weather != nil {
		at := afterPrefix(r.URL.EscapedPath())
		if lags {
			p.weather.remember(at, func(at string) (*answer, error) { return p.read(r, at) })
		}
		if a := p.weather.replica(r, at); a != nil {
			return a, nil
		}
	}
	a, err := p.pass(r, body)
	if lags && err == nil {
		p.weather.hide(afterPrefix(r.URL.EscapedPath()), a)
	}
	return a, err
}

// read returns the server's answer for another path, with the token of a request.
func (p *proxy) read(r *http.Request, path string) (*answer, error) {
	at, err := url.Parse(prefix + path + "?per_page=100")
	if err != nil {
		return nil, err
	}
	out := r.Clone(r.Context())
	out.Method, out.URL, out.RequestURI, out.ContentLength = http.MethodGet, at, at.RequestURI(), 0
	return p.pass(out, nil)
}

func (p *proxy) pass(r *http.Request, body []byte) (*answer, error) {
	recall := p.recalls.Load() && r.Method == http.MethodGet
	if known, ok := p.recalled.Load(r.RequestURI); recall && ok {
		return known.(*answer), nil
	}
	out := r.Clone(r.Context())
	out.RequestURI, out.Body = "", io.NopCloser(bytes.NewReader(body))
	out.URL.Scheme, out.URL.Host = p.target.Scheme, p.target.Host
	out.URL.Path, out.URL.RawPath = prefix+afterPrefix(r.URL.Path), ""
	if r.URL.RawPath != "" {
		out.URL.RawPath = prefix + afterPrefix(r.URL.RawPath)
	}
	resp, err := p.transport.RoundTrip(out)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	a := &answer{resp.StatusCode, resp.Header, text}
	if recall && err == nil {
		p.recalled.Store(r.RequestURI, a)
	}
	return a, err
}

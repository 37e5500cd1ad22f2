package transfer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"hew/server/outbound"
	"hew/server/setting"
)

const (
	maxImportRedirects = 5
	headTime           = 10 * time.Second // for what a host says of an archive
)

// secure are the schemes of addresses of archives. The other one is for local hosts, where the
// settings allow requests to them.
var secure = outbound.Ports{"https": "443"}

// checkURL returns what is wrong with the address of an archive, without its query.
func checkURL(settings setting.Settings, address string) error {
	schemes := secure
	if settings.AllowLocalHooks {
		schemes = outbound.Web
	}
	if text := setting.OutboundPolicy(settings).FindProblem(schemes, address); text != "" {
		return sourceError("Url " + text)
	}
	return nil
}

// statURL asks what a host says of an archive. Addresses that are signed for GET alone refuse HEAD:
// a byte is asked for then.
func (f Fetcher) statURL(ctx context.Context, settings setting.Settings, address string) (head, error) {
	ctx, cancel := context.WithTimeout(ctx, headTime)
	defer cancel()
	a, err := f.follow(ctx, settings, outbound.Request{Method: "HEAD", URL: address})
	if err != nil {
		return head{}, err
	}
	if a.Status == 200 {
		return head{parseSize(a.Header.Get("Content-Length")), a.Header.Get("Content-Type")}, nil
	}
	a, err = f.follow(ctx, settings, outbound.Request{
		Method: "GET", URL: address, Header: []outbound.Field{{Name: "Range", Value: "bytes=0-0"}},
	})
	switch {
	case err != nil:
		return head{}, err
	case a.Status == 206:
		_, total, _ := strings.Cut(a.Header.Get("Content-Range"), "/")
		return head{parseSize(total), a.Header.Get("Content-Type")}, nil
	case a.Status == 200: // the host knows no ranges
		return head{parseSize(a.Header.Get("Content-Length")), a.Header.Get("Content-Type")}, nil
	}
	return head{}, sourceError(fmt.Sprintf("Failed to retrive headers: the host answered %d", a.Status))
}

// follow sends a request and follows redirects, each of which is checked like the first address.
func (f Fetcher) follow(ctx context.Context, settings setting.Settings, r outbound.Request) (outbound.Answer, error) {
	o := outbound.Options{Policy: setting.OutboundPolicy(settings)}
	for range maxImportRedirects + 1 {
		if err := checkURL(settings, r.URL); err != nil {
			return outbound.Answer{}, err
		}
		a, err := f.Out.Send(ctx, o, r)
		if err != nil {
			return a, sourceError("Failed to retrive headers: " + err.Error())
		}
		if !isRedirect(a.Status) {
			return a, nil
		}
		if r.URL, err = resolve(r.URL, a.Header.Get("Location")); err != nil {
			return a, err
		}
	}
	return outbound.Answer{}, errRedirects
}

var errRedirects = sourceError(fmt.Sprintf("the host redirects more than %d times", maxImportRedirects))

// isRedirect reports whether a status sends to another address.
func isRedirect(status int) bool {
	return status == 301 || status == 302 || status == 303 || status == 307 || status == 308
}

// resolve returns the address that a redirect leads to. The credentials of the first one are not
// sent there.
func resolve(from, location string) (string, error) {
	base, err := url.Parse(from)
	if err != nil {
		return "", errLocation
	}
	to, err := base.Parse(location)
	if err != nil || location == "" {
		return "", errLocation
	}
	to.Fragment = ""
	return to.String(), nil
}

var errLocation = sourceError("the host redirects to an address that is not valid")

// openURL returns the content of an archive.
func (f Fetcher) openURL(ctx context.Context, settings setting.Settings, address string) (io.ReadCloser, error) {
	o := outbound.Options{Policy: setting.OutboundPolicy(settings)}
	for range maxImportRedirects + 1 {
		if err := checkURL(settings, address); err != nil {
			return nil, err
		}
		s, err := f.Out.Stream(ctx, o, outbound.Request{URL: address}, outbound.DefaultIdle)
		switch {
		case err != nil && ctx.Err() != nil:
			return nil, err
		case err != nil:
			return nil, sourceError("Failed to download the archive: " + err.Error())
		case s.Status == 200:
			return remoteContent{s.Body}, nil
		}
		_ = s.Body.Close()
		if !isRedirect(s.Status) {
			return nil, sourceError(fmt.Sprintf("unsupported response downloading fragment %d", s.Status))
		}
		if address, err = resolve(address, s.Header.Get("Location")); err != nil {
			return nil, err
		}
	}
	return nil, errRedirects
}

// remoteContent says of its errors that they are the host's.
type remoteContent struct{ io.ReadCloser }

// Read implements io.Reader.
func (r remoteContent) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, context.Canceled) {
		err = sourceError("The download of the archive broke off: " + err.Error())
	}
	return n, err
}

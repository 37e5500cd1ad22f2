package ci

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"hew/server/ci/document"
	"hew/server/outbound"
	"hew/server/setting"
)

//go:embed template
var templates embed.FS

// templateFile returns a definition that the server brings, by its name with the ending.
func templateFile(name string) (document.File, error) {
	content, err := templates.ReadFile("template/" + name)
	if err != nil {
		return document.File{}, document.ErrNoFile
	}
	return document.File{Content: content}, nil
}

// The statuses of HTTP that matter: a file, and from where on the other host is to blame.
const (
	statusOK         = 200
	firstServerError = 500
)

// remoteAttempts is how often a remote file is asked for that the other host fails to give.
const remoteAttempts = 3

// remote returns a file of another host, which may be as old as the definition says. It follows no
// redirects and sends no credentials.
func (f *files) remote(ctx context.Context, address string, age time.Duration) (document.File, error) {
	if file, known := f.remotes[address]; known {
		return file, nil
	}
	if f.st.InTx() {
		return document.File{}, errors.New("remote files of definitions cannot be read inside a transaction")
	}
	guard := f.site.Out
	if guard == nil {
		guard = new(outbound.Guard)
	}
	policy := setting.OutboundPolicy(f.settings)
	if !policy.Admits(address) {
		return document.File{}, &document.Error{Text: fmt.Sprintf("Remote file `%s` could not be fetched because "+
			"of error: requests to the local network are not allowed", address)}
	}
	cache := remoteCacheOf(f.st)
	if file, fresh := cache.find(address, age); fresh {
		f.remotes[address] = file
		return file, nil
	}
	request := outbound.Request{Method: "GET", URL: address, MaxAnswer: f.settings.MaxYAMLBytes + 1}
	var reason string
	for attempt := 1; ; attempt++ {
		answer, err := guard.Send(ctx, outbound.Options{Policy: policy}, request)
		switch {
		case ctx.Err() != nil:
			return document.File{}, ctx.Err()
		case err == nil && answer.Status == statusOK:
			file := document.File{Content: answer.Body, Raw: address}
			f.remotes[address] = file
			if age > 0 {
				cache.keep(address, file)
			}
			return file, nil
		}
		again := false
		reason, again = failureOf(answer, err)
		if !again || attempt == remoteAttempts {
			return document.File{}, &document.RemoteError{Attempts: attempt, Reason: reason}
		}
	}
}

// failureOf returns why a remote file cannot be had, and whether another attempt may help.
func failureOf(answer outbound.Answer, err error) (reason string, again bool) {
	var refused *outbound.RefusedError
	switch {
	case err == nil:
		return fmt.Sprintf("HTTP code `%d`", answer.Status), answer.Status >= firstServerError
	case errors.As(err, &refused):
		return "a blocked address", false
	case strings.Contains(err.Error(), "no answer within"):
		return "a timeout", true
	}
	return "a socket", false
}

package client

import (
	"context"
	"net/http"
	"time"
)

// Network is the way to other hosts that [New] uses for this one: its proxies,
// authorities and client certificate, and nothing that is this host's own. Answers have the
// limits of this host's, when they begin and how fast they come, and largest bytes. The error of
// one that breaks a limit although the other host works has a method Final, which returns true:
// trying again takes as long.
func (c Config) Network(largest int64) (http.RoundTripper, error) {
	network, err := c.network()
	if err != nil {
		return nil, err
	}
	return limited{network, c.withDefaults().AnswerTimeout, largest}, nil
}

// limited limits answers.
type limited struct {
	network http.RoundTripper
	wait    time.Duration // Config.AnswerTimeout
	largest int64         // bytes of an answer
}

func (l limited) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, abort := context.WithCancelCause(req.Context())
	deadline := time.AfterFunc(l.wait, func() { abort(timeout("timed out after " + l.wait.String())) })
	resp, err := l.network.RoundTrip(req.WithContext(ctx))
	deadline.Stop()
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		abort(nil)
		return nil, err
	}
	b := &body{ReadCloser: resp.Body, tally: &tally{}, silent: &silence{}, done: func() { abort(nil) }, most: l.largest,
		ended: func() error { return context.Cause(ctx) }}
	resp.Body = b
	go b.watch(ctx, l.wait, abort)
	return resp, nil
}

package view

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// tab is a page in a browser, and what it has asked of the network and complained of.
type tab struct {
	*browser
	session string
	loaded  chan struct{}

	heard      sync.Mutex
	asked      []string
	complaints []string
}

// look is how a page is looked at.
type look struct {
	width, height int
	dark, bare    bool // bare is without JavaScript
}

// open opens a file in a tab of its own, and waits until it is there.
func (b *browser) open(t testing.TB, file, fragment string, l look) *tab {
	t.Helper()
	var target struct{ TargetID string }
	b.call(t, "", "Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call(t, "", "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	p := &tab{browser: b, session: attached.SessionID, loaded: make(chan struct{}, 10)}
	b.mu.Lock()
	b.events[p.session] = p.hear
	b.mu.Unlock()
	t.Cleanup(func() { b.post("", "Target.closeTarget", map[string]any{"targetId": target.TargetID}) })
	for _, domain := range []string{"Page", "Runtime", "Network", "Log"} {
		p.do(t, domain+".enable", nil)
	}
	p.do(t, "Performance.enable", map[string]string{"timeDomain": "threadTicks"})
	p.as(t, l)
	path, err := filepath.Abs(file)
	require.NoError(t, err)
	p.do(t, "Page.navigate", map[string]any{"url": "file://" + path + fragment})
	select {
	case <-p.loaded:
	case <-time.After(time.Minute):
		require.FailNow(t, "the page does not load")
	}
	return p
}

// as has the tab look at its page so.
func (p *tab) as(t testing.TB, l look) {
	t.Helper()
	p.do(t, "Emulation.setDeviceMetricsOverride",
		map[string]any{"width": l.width, "height": l.height, "deviceScaleFactor": 1, "mobile": l.width <= 600})
	scheme := map[bool]string{false: "light", true: "dark"}[l.dark]
	p.do(t, "Emulation.setEmulatedMedia",
		map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}})
	p.do(t, "Emulation.setScriptExecutionDisabled", map[string]any{"value": l.bare})
}

func (p *tab) do(t testing.TB, method string, params any) {
	t.Helper()
	p.call(t, p.session, method, params, nil)
}

// hear takes down what happens in the page.
func (p *tab) hear(method string, params json.RawMessage) {
	p.heard.Lock()
	defer p.heard.Unlock()
	switch method {
	case "Page.loadEventFired":
		p.loaded <- struct{}{}
	case "Network.requestWillBeSent":
		var r struct{ Request struct{ URL string } }
		_ = json.Unmarshal(params, &r)
		p.asked = append(p.asked, r.Request.URL)
	case "Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled":
		p.complaints = append(p.complaints, string(params))
	}
}

// eval evaluates an expression in the page, waiting for what it promises.
func eval[T any](t testing.TB, p *tab, expression string) T {
	t.Helper()
	var r struct {
		Result           struct{ Value T }
		ExceptionDetails *json.RawMessage
	}
	p.call(t, p.session, "Runtime.evaluate",
		map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &r)
	require.Nil(t, r.ExceptionDetails, "%s: %s", expression, fmt.Sprint(r.ExceptionDetails))
	return r.Result.Value
}

// worked is how long the page has worked so far, in seconds of its thread; what else the machine
// does is not counted.
func (p *tab) worked(t testing.TB) float64 {
	t.Helper()
	var r struct {
		Metrics []struct {
			Name  string
			Value float64
		}
	}
	p.call(t, p.session, "Performance.getMetrics", nil, &r)
	for _, m := range r.Metrics {
		if m.Name == "TaskDuration" {
			return m.Value
		}
	}
	require.FailNow(t, "the browser does not say how long it has worked")
	return 0
}

// picture is what the tab shows, from the top.
func (p *tab) picture(t testing.TB) []byte {
	t.Helper()
	var shot struct{ Data string }
	p.call(t, p.session, "Page.captureScreenshot", map[string]any{"format": "png"}, &shot)
	png, err := base64.StdEncoding.DecodeString(shot.Data)
	require.NoError(t, err)
	return png
}

package view

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// browser is a Chromium without a window. It is spoken to as its developer tools do, through two
// pipes: a message of JSON each, and a zero byte behind it.
type browser struct {
	in io.Writer

	mu     sync.Mutex
	number int
	waits  map[int]chan<- reply
	events map[string]func(method string, params json.RawMessage) // by session
}

type reply struct {
	Result json.RawMessage
	Error  *struct{ Message string }
}

// chromium starts a browser for a test, which is skipped where there is none.
func chromium(t testing.TB) *browser {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("there is no Chromium here to look at the page with; .ci/chromium installs one where root may")
	}
	fromUs, in, err := os.Pipe()
	require.NoError(t, err)
	out, toUs, err := os.Pipe()
	require.NoError(t, err)
	cmd := exec.Command(path, "--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
		"--disable-dev-shm-usage", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--no-first-run", "--hide-scrollbars",
		"--user-data-dir="+t.TempDir(), "about:blank")
	cmd.ExtraFiles = []*os.File{fromUs, toUs} // its 3 and 4
	require.NoError(t, cmd.Start())
	fromUs.Close()
	toUs.Close()
	b := &browser{in: in, waits: map[int]chan<- reply{}, events: map[string]func(string, json.RawMessage){}}
	var listening sync.WaitGroup
	listening.Go(func() { b.listen(out) })
	t.Cleanup(func() {
		b.post("", "Browser.close", nil)
		late := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
		listening.Wait() // until it has ended
		late.Stop()
		in.Close()
		cmd.Wait()
	})
	return b
}

// listen hands what the browser says to who waits for it.
func (b *browser) listen(out io.Reader) {
	from := bufio.NewReader(out)
	for {
		line, err := from.ReadBytes(0)
		var m struct {
			ID        int
			SessionID string
			Method    string
			Params    json.RawMessage
			reply
		}
		ended := err != nil || json.Unmarshal(line[:len(line)-1], &m) != nil
		b.mu.Lock()
		wait, heard := b.waits[m.ID], b.events[m.SessionID]
		delete(b.waits, m.ID)
		if ended { // nobody will be answered any more
			for id, w := range b.waits {
				close(w)
				delete(b.waits, id)
			}
			b.in = io.Discard
		}
		b.mu.Unlock()
		switch {
		case ended:
			return
		case wait != nil:
			wait <- m.reply
		case heard != nil:
			heard(m.Method, m.Params)
		}
	}
}

// post sends a command to a page, or to the browser itself for "".
func (b *browser) post(session, method string, params any) <-chan reply {
	answer := make(chan reply, 1)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.number++
	b.waits[b.number] = answer
	m := map[string]any{"id": b.number, "method": method}
	if params != nil {
		m["params"] = params
	}
	if session != "" {
		m["sessionId"] = session
	}
	line, err := json.Marshal(m)
	if err == nil {
		_, err = b.in.Write(append(line, 0))
	}
	if err != nil {
		delete(b.waits, b.number)
		close(answer)
	}
	return answer
}

func (b *browser) call(t testing.TB, session, method string, params, result any) {
	t.Helper()
	select {
	case r, ok := <-b.post(session, method, params):
		require.True(t, ok, "%s: the browser has ended", method)
		require.Nil(t, r.Error, method)
		if result != nil {
			require.NoError(t, json.Unmarshal(r.Result, result))
		}
	case <-time.After(time.Minute):
		require.FailNow(t, "the browser does not answer", method)
	}
}

package pkt

import (
	"strings"
	"sync"
	"time"
)

// The bands of side-band-64k.
const (
	bandData     = "\x01"
	bandProgress = "\x02"
	bandError    = "\x03"
)

// SideBand writes an answer, and messages for the terminal of the client beside it, over one
// connection. Its methods can be called by several goroutines at once.
type SideBand struct {
	mu  sync.Mutex
	out *Writer
}

// NewSideBand returns a SideBand over w.
func NewSideBand(w *Writer) *SideBand { return &SideBand{out: w} }

// Write writes a part of the answer.
func (s *SideBand) Write(data []byte) (int, error) { return s.sendBand(bandData, data) }

// Progress shows text on the client's terminal, where git puts "remote: " before each line. Text
// without a line feed at its end continues the line.
func (s *SideBand) Progress(text string) error {
	_, err := s.sendBand(bandProgress, []byte(text))
	return err
}

// Message shows lines on the client's terminal, each on its own.
func (s *SideBand) Message(text string) error {
	return s.Progress(strings.TrimSuffix(text, "\n") + "\n")
}

// Fatal tells the client that the request failed. The client shows the text and ends.
func (s *SideBand) Fatal(text string) error {
	_, err := s.sendBand(bandError, []byte(strings.TrimSuffix(text, "\n")+"\n"))
	return err
}

// ProgressWriter returns a writer whose bytes go to the client's terminal as they are, such as the
// progress that a git process writes to its standard error.
func (s *SideBand) ProgressWriter() ProgressWriter { return ProgressWriter{s} }

// ProgressWriter writes to the client's terminal.
type ProgressWriter struct{ to *SideBand }

// Write shows text on the client's terminal.
func (p ProgressWriter) Write(text []byte) (int, error) { return p.to.sendBand(bandProgress, text) }

// Flush ends the answer.
func (s *SideBand) Flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.Flush()
}

// KeepAlive sends a packet without data every so often until the caller calls stop, so that nothing
// between server and client takes the connection for a dead one. After stop nothing is sent.
func (s *SideBand) KeepAlive(every time.Duration) (stop func()) {
	ended, tick := make(chan struct{}), time.NewTicker(every)
	var sending sync.WaitGroup
	sending.Go(func() {
		defer tick.Stop()
		for {
			select {
			case <-ended:
				return
			case <-tick.C:
			}
			if s.sendEmpty() != nil {
				return // the client has gone, which the next packet will tell
			}
		}
	})
	return func() {
		close(ended)
		sending.Wait()
	}
}

func (s *SideBand) sendEmpty() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.writePacket(bandData, nil)
}

func (s *SideBand) sendBand(band string, data []byte) (sent int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for sent < len(data) {
		part := data[sent:min(len(data), sent+MaxData-1)]
		if err := s.out.writePacket(band, part); err != nil {
			return sent, err
		}
		sent += len(part)
	}
	return sent, nil
}

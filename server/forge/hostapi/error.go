package hostapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"hew/server/outbound"
)

// maxText is how much of a host's text is kept, in characters.
const maxText = 300

// LimitError reports that the rate limit of the host admits no request before a time.
type LimitError struct{ Until time.Time }

// Error implements error.
func (l *LimitError) Error() string {
	return "the rate limit of the host is exceeded until " + l.Until.UTC().Format(time.RFC3339)
}

// StatusError is an answer that a repetition would not change. It is for users.
type StatusError struct {
	Status  int    // of HTTP; 0: the answer has another fault
	Message string // one line, which may come from the host
}

// Error implements error.
func (s *StatusError) Error() string {
	if s.Status == 0 {
		return s.Message
	}
	return fmt.Sprintf("%s (HTTP %d)", s.Message, s.Status)
}

// UnavailableError reports a host that cannot answer at the moment.
type UnavailableError struct {
	Status int // 5xx; 0: no whole answer has come
	Reason string
}

// Error implements error.
func (u *UnavailableError) Error() string {
	if u.Status == 0 {
		return u.Reason
	}
	return fmt.Sprintf("%s (HTTP %d)", u.Reason, u.Status)
}

// message returns the text in the body of an error.
func (c *Client) message(body []byte) (text string) {
	if c.Message != nil {
		text = c.Message(body)
	} else {
		var said struct{ Message string }
		_ = json.Unmarshal(body, &said) // a proxy may answer with a page
		text = said.Message
	}
	if text = outbound.FirstLine(text, maxText); text == "" {
		text = "the host gives no reason"
	}
	return text
}

// NextLink returns the target of the header Link with rel="next"; "" if the page is the last one.
func NextLink(h http.Header) string {
	for _, line := range h.Values("Link") {
		for part := range strings.SplitSeq(line, ",") {
			address, rest, ok := strings.Cut(strings.TrimSpace(part), ">")
			if !ok || !strings.HasPrefix(address, "<") {
				continue
			}
			for word := range strings.SplitSeq(rest, ";") {
				if name, value, _ := strings.Cut(strings.TrimSpace(word), "="); strings.EqualFold(name, "rel") &&
					strings.Trim(value, `"`) == "next" {
					return address[1:]
				}
			}
		}
	}
	return ""
}

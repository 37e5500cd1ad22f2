package errortracking

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"path"
	"strings"

	"hew/server/fault"
)

// Report is an event as it is received, with what groups it.
type Report struct {
	EventID              string // 32 hexadecimal digits
	Fingerprint          string
	Name, Description    string
	Actor                string // the function and the module that it occurred in, or the transaction
	Level, Platform      string
	Environment, Release *string
	User                 string          // who met it; "": nobody is named
	Payload              json.RawMessage // what is kept of it
}

// The lengths of columns, in bytes.
const (
	maxName        = 255
	maxDescription = 2_000
)

// ReadReport reads an event. The id is that of its envelope, for an event without one.
func ReadReport(text []byte, id string) (r Report, err error) {
	event, err := readObject(text)
	if err != nil {
		return r, fault.BadRequest("an event must be a JSON object").Because(err)
	}
	r = Report{
		EventID: cmp.Or(eventID(event), id), Fingerprint: fingerprint(event),
		Level: cmp.Or(event.text("level", 20), "error"), Platform: cmp.Or(event.text("platform", 50), "other"),
		Environment: optional(event.text("environment", maxName)), Release: optional(event.text("release", maxName)),
		User: userOf(event.object("user")),
	}
	if r.EventID == "" {
		r.EventID = newEventID()
	}
	r.Name, r.Description, r.Actor = describe(event)
	r.Payload, err = payload(event, r.EventID)
	return r, err
}

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// eventID returns the id of an event or of an envelope as 32 digits, "" if it has none that is
// valid.
func eventID(o object) string {
	id := strings.ToLower(strings.ReplaceAll(o.text("event_id", maxText), "-", ""))
	if len(id) != 32 || strings.Trim(id, "0123456789abcdef") != "" {
		return ""
	}
	return id
}

func newEventID() string {
	var random [16]byte
	rand.Read(random[:]) // never fails
	return hex.EncodeToString(random[:])
}

// userOf returns what identifies a user, with what it is, "" if nothing does.
func userOf(user object) string {
	for _, name := range []string{"id", "username", "email", "ip_address"} {
		// An SDK asks with {{auto}} for the address of the request, which is not kept.
		if text := user.text(name, maxText); text != "" && text != "{{auto}}" {
			return name + ":" + text
		}
	}
	return ""
}

// describe returns what an error is called: of the last exception, which is the one that the others
// led to, or of the message.
func describe(event object) (name, description, actor string) {
	exceptions := event.objects("exception")
	if len(exceptions) == 0 {
		message := cmp.Or(message(event, true), message(event, false), "<unlabeled event>")
		name, _, _ = strings.Cut(message, "\n")
		actor = cmp.Or(transaction(event), event.text("logger", maxName))
		return clean(name, maxName), clean(message, maxDescription), actor
	}
	last := exceptions[len(exceptions)-1]
	name = cmp.Or(last.text("type", maxName), "Error")
	description = last.text("value", maxDescription)
	for _, exception := range exceptions {
		if frames := inApp(exception.objects("stacktrace")); len(frames) > 0 {
			actor = placeOf(frames[len(frames)-1])
		}
	}
	return name, description, cmp.Or(actor, transaction(event))
}

// transaction returns what the program was doing.
func transaction(event object) string {
	return cmp.Or(event.text("transaction", maxName), event.text("culprit", maxName))
}

// message returns the message of an event: with its parameters filled in, or as its template.
func message(event object, filled bool) string {
	entry := event.object("logentry")
	if entry == nil {
		entry = event.object("message")
	}
	if entry == nil {
		return event.text("message", maxDescription)
	}
	names := [2]string{"message", "formatted"}
	if filled {
		names = [2]string{"formatted", "message"}
	}
	return cmp.Or(entry.text(names[0], maxDescription), entry.text(names[1], maxDescription))
}

// placeOf returns the function and the module or file of a frame.
func placeOf(frame object) string {
	where := cmp.Or(frame.text("module", maxName), path.Base(frame.text("filename", maxName)))
	return clean(cmp.Or(frame.text("function", maxName), "?")+"("+where+")", maxName)
}

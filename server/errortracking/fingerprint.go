package errortracking

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strings"
)

// Limits of what a fingerprint is made of.
const (
	maxParts  = 32  // that a program gives
	maxFrames = 100 // of an exception; the last ones, where it occurred
	maxCauses = 10  // exceptions of an event; the last ones
)

// fingerprint returns what events of one error have in common: a digest of what the program gives,
// where {{ default }} stands for what it would be otherwise, or of that.
func fingerprint(event object) string {
	given, _ := event["fingerprint"].([]any)
	var parts []string
	for _, part := range given[:min(len(given), maxParts)] {
		switch text := textOf(part, maxText); strings.ReplaceAll(text, " ", "") {
		case "{{default}}":
			parts = append(parts, defaultParts(event)...)
		case "":
		default:
			parts = append(parts, text)
		}
	}
	if parts == nil {
		parts = defaultParts(event)
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// defaultParts returns the types of the exceptions and the places where they occurred, or what they
// say where no places are known. Without exceptions it returns the logger and the message, with the
// template of the message where there is one. Lines are left out, since they change with every
// release.
func defaultParts(event object) []string {
	exceptions := event.objects("exception")
	if len(exceptions) == 0 {
		text := cmp.Or(message(event, false), transaction(event))
		return []string{"message", event.text("logger", maxText), text}
	}
	parts := []string{"exception"}
	for _, exception := range exceptions[max(0, len(exceptions)-maxCauses):] {
		parts = append(parts, exception.text("type", maxText))
		frames := inApp(exception.objects("stacktrace"))
		if len(frames) == 0 {
			parts = append(parts, exception.text("value", maxText))
		}
		for _, frame := range frames {
			where := cmp.Or(frame.text("module", maxText), path.Base(frame.text("filename", maxText)))
			parts = append(parts, where+":"+frame.text("function", maxText))
		}
	}
	return parts
}

// inApp returns the frames that are of the program itself, or all if none is marked as such.
func inApp(frames []object) []object {
	frames = frames[max(0, len(frames)-maxFrames):]
	var own []object
	for _, frame := range frames {
		if frame["in_app"] == true {
			own = append(own, frame)
		}
	}
	if own == nil {
		return frames
	}
	return own
}

package errortracking

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"hew/server/db"
)

// Limits of what is kept of an event.
const (
	maxPayload     = 64 << 10 // bytes
	maxKeys        = 50       // of an object or list
	maxNesting     = 5
	maxBreadcrumbs = 50 // the last ones
)

// What is kept of an event and its parts, by name, each trimmed. What is not here is dropped: local
// variables, the data of breadcrumbs, modules, images of memory and what else SDKs send.
var (
	eventKeys = []string{
		"timestamp", "platform", "level", "logger", "logentry", "message", "transaction", "culprit", "release",
		"dist", "environment", "server_name", "sdk", "tags", "contexts", "extra", "fingerprint",
	}
	exceptionKeys = []string{"type", "value", "module", "mechanism"}
	placeKeys     = []string{"filename", "module", "function", "lineno", "in_app"}
	frameKeys     = append([]string{
		"abs_path", "package", "colno", "context_line", "pre_context", "post_context",
	}, placeKeys...)
	breadcrumbKeys = []string{"timestamp", "type", "category", "level", "message"}
	headerKeys     = []string{
		"accept", "accept-encoding", "accept-language", "content-length", "content-type", "host", "origin",
		"user-agent",
	}
)

// dropped are parts that are left out of a payload that is too large, in this order. Of the
// exceptions the last places are left before the rest of the list.
var dropped = []string{"extra", "breadcrumbs", "contexts", "exception", "tags", "request", "logentry", "message"}

// maxPlaces is how many frames of an exception are left then.
const maxPlaces = 10

// payload returns what is kept of an event as JSON.
func payload(event object, id string) (json.RawMessage, error) {
	kept := pick(event, eventKeys)
	kept["event_id"] = id
	for name, part := range map[string]any{
		"exception":   exceptions(event, maxKeys, frameKeys),
		"breadcrumbs": breadcrumbs(event),
		"request":     request(event.object("request")),
		"user":        pick(event.object("user"), []string{"id"}),
	} {
		if text, err := json.Marshal(part); err != nil {
			return nil, err
		} else if string(text) != "null" && string(text) != "{}" {
			kept[name] = part
		}
	}
	text, err := db.EncodeJSON(kept)
	for _, name := range dropped {
		if err != nil || len(text) <= maxPayload {
			return text, err
		}
		delete(kept, name)
		if list := exceptions(event, maxPlaces, placeKeys); name == "exception" && list != nil {
			kept[name] = list
		}
		text, err = db.EncodeJSON(kept)
	}
	if err == nil && len(text) > maxPayload {
		delete(kept, "exception")
		text, err = db.EncodeJSON(kept)
	}
	return text, err
}

// pick returns the named parts of an object, trimmed.
func pick(o object, names []string) map[string]any {
	kept := map[string]any{}
	for _, name := range names {
		if v, ok := o[name]; ok && v != nil {
			kept[name] = trim(v, maxNesting)
		}
	}
	return kept
}

// private are words in the names of what people and programs keep to themselves.
var private = []string{
	"password", "passwd", "secret", "token", "cookie", "authorization", "apikey", "credential", "privatekey", "bearer",
	"email", "ipaddress", "headers", "querystring",
}

// isPrivate reports whether a value with the name is dropped, wherever it is.
func isPrivate(name string) bool {
	name = strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))
	return slices.ContainsFunc(private, func(word string) bool { return strings.Contains(name, word) })
}

// trim returns a value without what is private, too long, too much or too deep.
func trim(v any, depth int) any {
	switch v := v.(type) {
	case string:
		return clean(v, maxText)
	case json.Number: // beyond these Postgres keeps none
		if f, err := strconv.ParseFloat(v.String(), 64); err != nil || f-f != 0 || len(v) > maxKeys {
			return clean(v.String(), maxText)
		}
	case []any:
		if depth == 0 {
			return nil
		}
		list := []any{}
		for _, item := range v[:min(len(v), maxKeys)] {
			list = append(list, trim(item, depth-1))
		}
		return list
	case map[string]any:
		if depth == 0 {
			return nil
		}
		kept := map[string]any{}
		for _, name := range slices.Sorted(maps.Keys(v))[:min(len(v), maxKeys)] {
			if !isPrivate(name) {
				kept[clean(name, maxName)] = trim(v[name], depth-1)
			}
		}
		return kept
	}
	return v
}

// exceptions returns the last exceptions with the named parts of their last frames, in the usual
// form.
func exceptions(event object, most int, parts []string) any {
	var list []any
	found := event.objects("exception")
	for _, exception := range found[max(0, len(found)-maxCauses):] {
		kept := pick(exception, exceptionKeys)
		var frames []any
		all := exception.objects("stacktrace")
		for _, frame := range all[max(0, len(all)-most):] {
			frames = append(frames, pick(frame, parts))
		}
		if frames != nil {
			kept["stacktrace"] = map[string]any{"frames": frames}
		}
		list = append(list, kept)
	}
	if list == nil {
		return nil
	}
	return map[string]any{"values": list}
}

func breadcrumbs(event object) any {
	var list []any
	found := event.objects("breadcrumbs")
	for _, crumb := range found[max(0, len(found)-maxBreadcrumbs):] {
		list = append(list, pick(crumb, breadcrumbKeys))
	}
	return list
}

// request returns the method, the address without its query, and the headers that are about the
// program and not about its user.
func request(r object) any {
	kept := pick(r, []string{"method"})
	if u, err := url.Parse(r.text("url", maxDescription)); err == nil && u.String() != "" {
		u.User, u.RawQuery, u.Fragment, u.RawFragment, u.ForceQuery = nil, "", "", "", false
		kept["url"] = clean(u.String(), maxText)
	}
	headers := map[string]any{}
	for name, value := range headersOf(r["headers"]) {
		if slices.Contains(headerKeys, strings.ToLower(name)) {
			headers[clean(name, maxName)] = textOf(value, maxText)
		}
	}
	if len(headers) > 0 {
		kept["headers"] = headers
	}
	return kept
}

// headersOf returns headers, which SDKs send as an object or as pairs.
func headersOf(v any) map[string]any {
	switch v := v.(type) {
	case map[string]any:
		return v
	case []any:
		all := map[string]any{}
		for _, item := range v {
			if pair, ok := item.([]any); ok && len(pair) == 2 {
				all[textOf(pair[0], maxName)] = pair[1]
			}
		}
		return all
	}
	return nil
}

package servertest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hew/server"
	"hew/server/db"
	"hew/server/part"
	"hew/server/rest"
)

// Parameters fails the test if a value of some parameter of a route of the part, or in its path, is
// answered with 5xx, or refused without a message. The parameters are those that the routes
// declare. Requests are sent as an administrator and are rolled back. A value that cannot be
// decoded is sent together with others of its kind, a value that reaches the handler alone.
func Parameters(t *testing.T, of func(part.Host) part.Part) {
	t.Parallel()
	s := Fresh(t)
	s.unlimited(t)
	p := of(host("https://host"))
	h := &oddCaller{t: t, token: s.RootToken, values: s.scene(t, p, db.Public, s.cast(t), 1)}
	h.handler = rest.New(rest.Config{
		Auth: s.Auth.Authenticate, Lend: server.Lend(s.Store), Begin: beginUndone, Base: "https://host",
		Log: slog.New(slog.NewTextHandler(&h.log, &slog.HandlerOptions{Level: slog.LevelError})),
	}, p.Routes)
	admitted := 0
	for _, route := range p.Routes {
		if h.tryParameters(route) {
			admitted++
		}
		h.tryPath(route)
	}
	require.Greater(t, admitted, len(p.Routes)/2, "the usual values of most routes must be good")
}

// oddCaller sends requests with odd values.
type oddCaller struct {
	t       *testing.T
	handler http.Handler
	token   string
	values  part.Values
	log     bytes.Buffer // why requests failed
}

// tryParameters tries every parameter of a route. It reports whether a request with the usual
// values is admitted.
func (h *oddCaller) tryParameters(route rest.Route) (admitted bool) {
	inputs := slices.DeleteFunc(route.Inputs(), func(in rest.Input) bool {
		return slices.ContainsFunc(pathWildcard.FindAllStringSubmatch(route.Path, -1), func(found []string) bool {
			return found[1] == in.Names[0]
		})
	})
	base, admitted := h.baseOf(route, inputs)
	for i, value := range slices.Concat(oddValues, oddNumbers) {
		refused := map[string]string{}
		for _, in := range inputs {
			if i < len(oddValues) || !isText(in) {
				h.try(route, in, value, refused, base)
			}
		}
		if len(refused) > 0 {
			h.send(route, with(base, refused))
		}
	}
	for text := range oddTexts {
		for _, in := range inputs[:min(1, len(inputs))] {
			w := h.send(route, with(base, map[string]string{in.Names[0]: text}))
			require.Contains(h.t, []int{400, 401, 403, 404}, w.Code, "%s %s %s", route, in.Names[0], text)
		}
	}
	return admitted
}

// missing finds the parameters that a refusal asks for.
var missing = regexp.MustCompile(`(\w+)(?:, \w+)* (?:is|are) (?:missing|required)`)

// baseOf returns the parameters that a route requires, with usual values, and reports whether it
// admits them. Of several that it must have one of, it is the first.
func (h *oddCaller) baseOf(route rest.Route, inputs []rest.Input) (base map[string]string, admitted bool) {
	base = h.required(route, inputs)
	w := h.send(route, base)
	for again := true; again; {
		again = false
		for _, found := range missing.FindAllStringSubmatch(w.Body.String(), -1) {
			for _, in := range inputs {
				if in.Names[0] == found[1] && base[found[1]] == "" {
					base[found[1]], again = h.usualOf(route, in), true
				}
			}
		}
		if again {
			w = h.send(route, base)
		}
	}
	return base, w.Code < 400
}

// isText reports whether a parameter takes any text, alone or in a list, but no other value.
func isText(in rest.Input) bool {
	return in.Type.Kind() != reflect.Interface && (in.Takes(`"any text"`) || in.Takes(`["any text"]`))
}

// try sends a value of a parameter if it can be decoded, and else adds it to refused; then as a
// part of each object that it takes.
func (h *oddCaller) try(route rest.Route, in rest.Input, value string, refused, base map[string]string) {
	name := in.Names[0]
	if in.Takes(value) {
		h.send(route, with(base, map[string]string{name: value}))
	} else {
		refused[name] = value
	}
	fields := h.required(route, in.Parts)
	for _, part := range in.Parts {
		for _, form := range []string{`%s`, `[%s]`, `{"a":%s}`} {
			whole := fmt.Sprintf(form, object(with(fields, map[string]string{part.Names[0]: value})))
			if in.Takes(whole) {
				h.send(route, with(base, map[string]string{name: whole}))
				break
			}
		}
	}
}

// required returns usual values of the parameters that must be there.
func (h *oddCaller) required(route rest.Route, inputs []rest.Input) map[string]string {
	params := map[string]string{}
	for _, in := range inputs {
		if in.Required {
			params[in.Names[0]] = h.usualOf(route, in)
		}
	}
	return params
}

// usualOf returns a value that a parameter takes.
func (h *oddCaller) usualOf(route rest.Route, in rest.Input) string {
	name, segments := in.Names[0], strings.Split(route.Path, "/")
	parts := object(h.required(route, in.Parts))
	tries := []string{
		usual[segments[len(segments)-1]+"/"+name], usual[name], h.values[segments[1]+"/"+name], h.values[name],
	}
	for _, word := range in.OneOf {
		tries = append(tries, quoted(word), "["+quoted(word)+"]")
	}
	tries = append(tries, `"odd"`, `1`, `true`, `["odd"]`, `[1]`, `"2027-01-31"`, parts, "["+parts+"]")
	for _, v := range tries {
		if v != "" && in.Takes(v) {
			return v
		}
	}
	return `"odd"` // of a file, which no JSON has
}

// tryPath tries every wildcard of the path of a route.
func (h *oddCaller) tryPath(route rest.Route) {
	for _, found := range pathWildcard.FindAllStringSubmatch(route.Path, -1) {
		for _, segment := range oddSegments {
			path := strings.ReplaceAll(route.Path, found[0], segment)
			h.ask(route, FillPath(h.t, path, h.values), "")
		}
	}
}

// send sends a request with parameters, as JSON: in the query of a route that reads, or that takes
// the body as it is, or else in the body.
func (h *oddCaller) send(route rest.Route, params map[string]string) *httptest.ResponseRecorder {
	path := FillPath(h.t, route.Path, h.values)
	if route.Method != http.MethodGet && !route.ReadsBody() {
		return h.ask(route, path, object(params))
	}
	var query []string
	for _, name := range slices.Sorted(maps.Keys(params)) {
		query = append(query, pairs(name, params[name])...)
	}
	return h.ask(route, path+"?"+strings.Join(query, "&"), "")
}

// ask sends a request, and fails the test if the answer is 5xx or refuses without a message.
func (h *oddCaller) ask(route rest.Route, path, body string) *httptest.ResponseRecorder {
	h.t.Helper()
	r := httptest.NewRequestWithContext(h.t.Context(), route.Method, "/api/v4"+path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("Private-Token", h.token)
	w := httptest.NewRecorder()
	h.handler.ServeHTTP(w, r)
	shown := fmt.Sprintf("%s %.300s %.300s: %d %.300s", route.Method, path, body, w.Code, w.Body)
	if Failed(w.Code) {
		h.t.Error("a failure: "+shown, h.log.String())
	}
	h.log.Reset()
	if w.Code >= 400 {
		var said struct{ Message, Error, Errors any }
		err := json.Unmarshal(w.Body.Bytes(), &said)
		if err != nil || said.Message == nil && said.Error == nil && said.Errors == nil {
			h.t.Error("a refusal without a message: " + shown)
		}
	}
	return w
}

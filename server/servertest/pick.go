package servertest

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// pick returns the named fields of an object, or of each object of a list, in the order named. It
// fails if a field is missing: a transcript that compares nothing would always pass.
func pick(body []byte, fields []string) ([]byte, error) {
	body = bytes.TrimSpace(body)
	if !bytes.HasPrefix(body, []byte("[")) {
		return pickOne(body, fields)
	}
	var list []json.RawMessage
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, err
	}
	for i, one := range list {
		narrow, err := pickOne(one, fields)
		if err != nil {
			return nil, fmt.Errorf("element %d: %w", i, err)
		}
		list[i] = narrow
	}
	return json.Marshal(list)
}

func pickOne(body []byte, fields []string) ([]byte, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(body, &all); err != nil {
		return nil, err
	}
	out := []byte("{")
	for i, name := range fields {
		value, ok := all[name]
		if !ok {
			return nil, fmt.Errorf("the answer has no field %q", name)
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(fmt.Appendf(out, "%q:", name), value...)
	}
	return append(out, '}'), nil
}

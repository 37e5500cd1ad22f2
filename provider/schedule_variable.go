package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/zclconf/go-cty/cty"

	"hew/provider/client"
	"hew/schema"
	"hew/schema/catalogue"
)

// Variables of pipeline schedules. Hosts show them with the values in the answer for one schedule,
// to those who may change it, and have requests for each of them.

// The types of variables.
const (
	envVar  = "env_var"
	fileVar = "file"
)

// givenVariable is a variable as hosts show it.
type givenVariable struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	Type  string `json:"variable_type"`
}

// givenVariables returns the row of the variables of one type.
func givenVariables(name, doc, ofType string) Attr {
	return Typed(cty.Map(cty.String), name, doc, ReadableSecret, Detail, Field("variables"),
		Default(cty.MapValEmpty(cty.String)), Check(checkGivenVariables),
		Decode(func(raw []byte) (cty.Value, error) {
			var list []givenVariable
			if err := json.Unmarshal(raw, &list); err != nil {
				return cty.NilVal, err
			}
			return variableMap(list, ofType), nil
		}))
}

// variableMap returns the values of the variables of one type.
func variableMap(list []givenVariable, ofType string) cty.Value {
	values := map[string]cty.Value{}
	for _, v := range list {
		if v.Type == ofType {
			values[v.Key] = cty.StringVal(v.Value)
		}
	}
	if len(values) == 0 {
		return cty.MapValEmpty(cty.String)
	}
	return cty.MapVal(values)
}

func checkGivenVariables(v cty.Value) error {
	for key, value := range v.Elements() {
		switch {
		case !catalogue.IsVariableKey(key.AsString()) || len(key.AsString()) > 255:
			return fmt.Errorf("%s is not a valid variable name; use up to 255 letters, digits and _", schema.Encode(key))
		case value.IsNull():
			return fmt.Errorf("%s has no value; remove it", key.AsString())
		case value.IsKnown() && len([]rune(value.AsString())) > 10_000:
			return fmt.Errorf("%s has a value of more than 10000 characters", key.AsString())
		}
	}
	return nil
}

// checkScheduleVariables rejects a variable that is of both types.
func checkScheduleVariables(o schema.Object) (wrong []schema.Problem) {
	plain, files := stringsOf(o, "variables"), stringsOf(o, "file_variables")
	for _, key := range keys(files) {
		if _, both := plain[key]; both {
			wrong = append(wrong, schema.Problem{Attr: "file_variables",
				Text: fmt.Sprintf("%s is in variables as well; remove one of the two", key)})
		}
	}
	return wrong
}

// stringsOf returns a known map of an object; of one that is not known or not stated, nothing.
func stringsOf(o schema.Object, attr string) map[string]cty.Value {
	v, _ := o.Get(attr).UnmarkDeep()
	if !v.IsKnown() || v.IsNull() {
		return nil
	}
	return v.AsValueMap()
}

// syncVariables makes the variables of a schedule be those that are wanted. It reads the present
// ones first, as a name may move from one type to the other.
func syncVariables(ctx context.Context, w *Write) error {
	if err := w.Reread(ctx); err != nil {
		return err
	}
	now, want := w.scheduleVariables(w.Now().Get), w.scheduleVariables(func(name string) cty.Value {
		if v, assigned := w.Want().Value.Get(name); assigned {
			return v // null clears them
		}
		return w.Now().Get(name)
	})
	items := w.kind.API.Item + "/variables"
	for _, key := range keys(want) {
		there, exists := now[key]
		if exists && there == want[key] {
			continue
		}
		method, path, body := http.MethodPost, items, map[string]any{"value": want[key].Value,
			"variable_type": want[key].Type}
		if exists {
			method, path = http.MethodPut, items+"/{key}"
		} else {
			body["key"] = key
		}
		if err := w.sendVariable(ctx, method, path, key, body); err != nil {
			return err
		}
	}
	for _, key := range keys(now) {
		if _, stays := want[key]; !stays {
			if err := w.sendVariable(ctx, http.MethodDelete, items+"/{key}", key, nil); err != nil {
				return err
			}
		}
	}
	return w.Reread(ctx)
}

// scheduleVariables returns the variables of both types by their names.
func (w *Write) scheduleVariables(get func(name string) cty.Value) map[string]givenVariable {
	all := map[string]givenVariable{}
	for attr, ofType := range map[string]string{"variables": envVar, "file_variables": fileVar} {
		v, _ := get(attr).UnmarkDeep()
		if v.IsNull() || !v.IsKnown() {
			continue
		}
		for key, value := range v.AsValueMap() {
			all[key] = givenVariable{key, value.AsString(), ofType}
		}
	}
	return all
}

// sendVariable makes a request about one variable. An error does not quote its value.
func (w *Write) sendVariable(ctx context.Context, method, template, key string, body any) error {
	at := client.Expand(template, func(name string) string {
		if name == "key" {
			return key
		}
		return pathVariable(w.now, name)
	})
	var err error
	switch method {
	case http.MethodPost:
		_, err = w.Client().Post(ctx, at, body, nil)
	case http.MethodPut:
		_, err = w.Client().Put(ctx, at, body, nil)
	default:
		if _, err = w.Client().Delete(ctx, at, nil, nil); client.IsNotFound(err) {
			err = nil
		}
	}
	if err != nil {
		return fmt.Errorf("variable %s: %w", key, hideSecrets(w.want, w.Explain(err)))
	}
	return nil
}

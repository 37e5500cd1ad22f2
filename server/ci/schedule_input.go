package ci

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"hew/server/ci/document"
	"hew/server/fault"
)

// ScheduleInput is a value that a schedule gives its pipelines for `spec: inputs:` of the
// definition.
type ScheduleInput struct {
	Name  string `json:"name"`
	Value any    `json:"value"` // a text, a number, a bool, or a list
}

// maxScheduleInputs is how many inputs a schedule has at most.
const maxScheduleInputs = 50

// NoInputs are the inputs of a schedule that has none.
var NoInputs = json.RawMessage("[]")

// inputs returns the inputs of a schedule.
func (s Schedule) inputs() (list []ScheduleInput, err error) {
	decoder := json.NewDecoder(bytes.NewReader(s.Inputs))
	decoder.UseNumber() // as they were given
	err = decoder.Decode(&list)
	return list, err
}

// SetInput gives a schedule a value for an input, in place of the one that it had.
func (s *Schedule) SetInput(name string, value any) error {
	switch value.(type) {
	case string, bool, json.Number, float64, []any:
	default:
		return fault.Invalid("inputs", "must be texts, numbers, booleans or arrays")
	}
	if err := checkNumbers(value); err != nil {
		return err
	}
	return s.editInputs(name, func(list []ScheduleInput, at int) []ScheduleInput {
		if at < 0 {
			return append(list, ScheduleInput{name, value})
		}
		list[at].Value = value
		return list
	})
}

// DropInput takes the value for an input from a schedule.
func (s *Schedule) DropInput(name string) error {
	return s.editInputs(name, func(list []ScheduleInput, at int) []ScheduleInput {
		if at < 0 {
			return list
		}
		return slices.Delete(list, at, at+1)
	})
}

// editInputs edits the list of inputs, in which one of a name is at a place; -1: there is none.
func (s *Schedule) editInputs(name string, edit func(list []ScheduleInput, at int) []ScheduleInput) error {
	list, err := s.inputs()
	if err != nil {
		return err
	}
	list = edit(list, slices.IndexFunc(list, func(i ScheduleInput) bool { return i.Name == name }))
	if len(list) > maxScheduleInputs {
		return fault.Invalid("inputs", fmt.Sprintf("are too many (maximum is %d)", maxScheduleInputs))
	}
	s.Inputs, err = json.Marshal(list)
	return err
}

// inputsNode returns the inputs as a definition takes them; nil if there are none.
func (s Schedule) inputsNode() (*document.Node, error) {
	list, err := s.inputs()
	if err != nil {
		return nil, err
	}
	given := make(map[string]any, len(list))
	for _, i := range list {
		given[i.Name] = i.Value
	}
	return InputsOf(given)
}

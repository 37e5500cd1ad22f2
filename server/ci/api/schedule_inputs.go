package api

import "hew/server/ci"

// scheduleInputs are the values that a request gives a schedule for the inputs of the definition.
type scheduleInputs struct {
	Inputs []struct {
		Name    string `param:"name,required,notempty"`
		Value   any    `param:"value"`
		Destroy bool   `param:"destroy"`
	} `param:"inputs,array"`
}

// into changes the inputs of a schedule. Those that the request does not name stay.
func (in scheduleInputs) into(row *ci.Schedule) error {
	for _, i := range in.Inputs {
		var err error
		if i.Destroy {
			err = row.DropInput(i.Name)
		} else {
			err = row.SetInput(i.Name, i.Value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

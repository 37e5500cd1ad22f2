package rest

import "reflect"

// Values holds parameters that a table lists, in place of fields: those that were given, by name;
// null is nil. Embed it in a struct of parameters. They are decoded like fields of their types and
// count in rules ("*").
type Values[T Table] map[string]any

// Table lists the parameters of Values. Columns is called on its zero value.
type Table interface{ Columns() []Column }

// Column is a parameter of a table.
type Column struct {
	Name  string
	Type  reflect.Type // of the value
	OneOf []string
	Comma bool // a list can also be a text with commas
}

func (Values[T]) columns() []Column {
	var table T
	return table.Columns()
}

// tableValues is a Values of any table.
type tableValues interface{ columns() []Column }

// addColumns adds the parameters of the Values at index.
func (p *plan) addColumns(list []Column, index []int) {
	for _, c := range list {
		q := param{index: index, names: []string{c.Name}, entry: c.Type, oneOf: c.OneOf}
		q.fill, q.text = fillerOf(c.Type, constraint{comma: c.Comma, oneOf: c.OneOf})
		p.params = append(p.params, q)
	}
}

// setEntry stores the value of the parameter in the map dst.
func (q *param) setEntry(dst reflect.Value, value any, at string, wrong *complaints) {
	if dst.IsNil() {
		dst.Set(reflect.MakeMap(dst.Type()))
	}
	entry := reflect.Zero(dst.Type().Elem())
	if value != nil {
		entry = reflect.New(q.entry).Elem()
		q.fill(entry, value, at, wrong)
	}
	dst.SetMapIndex(reflect.ValueOf(q.names[0]), entry)
}

package rest

import "reflect"

// Values, embedded in a struct of parameters, are parameters that a table tells of and no field: those that were given, by
// name; nil is null. They are decoded as fields of their types would be, and count in rules ("*").
type Values[T Table] map[string]any

// Table is where the parameters of Values are listed. Its zero value knows them.
type Table interface{ Columns() []Column }

// Column is one parameter of a table.
type Column struct {
	Name  string
	Type  reflect.Type // of its value
	OneOf []string
	Comma bool // a list may also come as a text with commas
}

func (Values[T]) columns() []Column {
	var table T
	return table.Columns()
}

// tabled is a Values of any table.
type tabled interface{ columns() []Column }

// entries plans the parameters of the Values at index.
func (p *plan) entries(list []Column, index []int) {
	for _, c := range list {
		q := param{index: index, names: []string{c.Name}, entry: c.Type}
		q.fill, q.text = fillerOf(c.Type, check{comma: c.Comma, oneOf: c.OneOf})
		p.params = append(p.params, q)
	}
}

// enter sets the entry of the parameter in the map dst.
func (q *param) enter(dst reflect.Value, value any, at string, wrong *problems) {
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

package expression

// Variable is a CI/CD variable. In a list of variables a later one replaces an earlier one of the
// same name, so that lists are written in the order of ascending precedence (ci §2.4).
type Variable struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	// Raw is whether references to other variables in the value are text.
	Raw bool `json:"raw,omitempty"`
	// File is whether jobs get the path of a file that holds the value.
	File bool `json:"file,omitempty"`
}

// Lookup returns the value of a variable, and reports whether there is one.
type Lookup func(name string) (value string, ok bool)

// Values returns a Lookup of the last variable of each name.
func Values(list []Variable) Lookup {
	values := make(map[string]string, len(list))
	for _, v := range list {
		values[v.Key] = v.Value
	}
	return func(name string) (string, bool) {
		value, ok := values[name]
		return value, ok
	}
}

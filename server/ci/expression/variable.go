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

// Expression is a parsed condition of rules:if.
type Expression struct{}

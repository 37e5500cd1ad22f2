package work

// SearchedTable returns the table whose size decides how the list of a filter is read.
func (f EpicFilter) SearchedTable() string { return f.where().Selective }

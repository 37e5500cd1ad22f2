package project

// Names for tests outside of the package, which can import servertest.
var (
	NameProject   = nameProject
	ProjectOrders = projectOrders
)

package project

// What tests use of the package from outside of it, where servertest can be imported.
var (
	NameProject   = nameProject
	ProjectOrders = projectOrders
)

package integration

// Names for tests of the database.
var (
	Deliver             = (*Sender).deliver
	RemoveOldDeliveries = removeOldDeliveries
)

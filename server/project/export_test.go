package project

// Orders are the orders of lists of projects.
var Orders = projectOrders

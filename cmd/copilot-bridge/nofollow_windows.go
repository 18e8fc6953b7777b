package main

// openNoFollow: making a link takes a right there that others do not have.
const openNoFollow = 0

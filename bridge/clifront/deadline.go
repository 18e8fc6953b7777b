package clifront

import "time"

var (
	aLongTimeAgo = time.Unix(1, 0) // a deadline that has passed
	noDeadline   = time.Time{}
)

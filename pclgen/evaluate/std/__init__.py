"""What the functions of the package `std` compute: they are Terraform's, and converted programs use them."""

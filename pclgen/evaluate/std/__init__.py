"""The functions of the package `std`: they are Terraform's, and converted programs use them."""

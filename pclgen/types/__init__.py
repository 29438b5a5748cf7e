"""Types: the closed union of PCL types and the algebra over it."""

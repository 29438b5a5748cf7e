"""Binding: untyped trees and package schemas in, a typed program out."""

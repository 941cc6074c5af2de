"""Families that nextpnr places and routes: what they share, and a module for each but ECP5."""

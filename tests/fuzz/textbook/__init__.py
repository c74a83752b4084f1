"""Textbook algorithms composed at random: loops, tables and moves that no analysis was written for."""

from .compose import Composed, drawn

__all__ = ["Composed", "drawn"]

"""Imported before the clients' types: what these call Iterable, pydantic reads only when somebody asks, and breaks
off where it stands among others. As lists it is looked at, to the last member. For interop tests."""
import typing

typing.Iterable = typing.List

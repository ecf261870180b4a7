"""The rows of the matrix, in the chapters of the catalogue."""

from rows import (
    aggregating, awaiting, combining, contexts, creation, errors, filtering, flattening, sharing, subjects, timing, traits, transforming, utility)

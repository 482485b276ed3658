"""The tables to copy, one for each existing model, and how to read their rows.

No table is named here. A row is a tuple of its columns' values in Python, which are the same on
both databases. Only JSON stays text, because its `null` is not the NULL of SQL.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from django.apps import apps
from django.db import connections
from django.db.models import ExpressionWrapper, F, Field, JSONField, Model, QuerySet, TextField
from django.db.models.fields import AutoFieldMixin

Row = tuple[Any, ...]


class Table:
    """One model's table, on either database."""

    def __init__(self, model: type[Model]) -> None:
        self.model = model
        self.label = model._meta.label
        self.name = model._meta.db_table
        # Columns that a database computes from others cannot be written.
        self.fields: list[Field[Any, Any]] = [
            field for field in model._meta.local_concrete_fields if not field.generated
        ]
        self.key: Field[Any, Any] = model._meta.pk
        self.key_index = self.fields.index(self.key)
        self.json_at = {
            index for index, field in enumerate(self.fields) if isinstance(field, JSONField)
        }

    def __str__(self) -> str:
        return self.label

    @property
    def numbers_itself(self) -> bool:
        """Whether the database generates the keys of new rows."""
        return isinstance(self.key, AutoFieldMixin)

    @property
    def has_natural_keys(self) -> bool:
        return hasattr(self.model, "natural_key")

    def rows_of_models(self, alias: str) -> QuerySet[Model]:
        """Return all rows as instances, bypassing managers that leave some out."""
        return QuerySet(self.model, using=alias)

    def read(self, alias: str) -> QuerySet[Model, Row]:
        """Return all rows, in the order of their keys in that database."""
        rows = self.rows_of_models(alias).order_by(self.key.attname)
        return rows.values_list(*self._expressions)

    def read_after(self, alias: str, key: Any) -> QuerySet[Model, Row]:
        """Return the rows whose key is greater than `key`; all rows if it is None."""
        rows = self.read(alias)
        return rows if key is None else rows.filter(**{f"{self.key.attname}__gt": key})

    @cached_property
    def _expressions(self) -> list[Any]:
        return [
            ExpressionWrapper(F(field.attname), output_field=TextField())
            if index in self.json_at
            else field.attname
            for index, field in enumerate(self.fields)
        ]

    @cached_property
    def references(self) -> dict[int, type[Model]]:
        """Map the index of a column to the model whose keys it holds."""
        found: dict[int, type[Model]] = {}
        for index, each in enumerate(self.fields):
            field: Any = each
            while field.is_relation:
                found[index], field = field.remote_field.model, field.target_field
            if not field.primary_key:
                found.pop(index, None)
        return found


def tables() -> list[Table]:
    """Return the tables of all models, including those of many-to-many relations."""
    models = apps.get_models(include_auto_created=True)
    return [
        Table(model)
        for model in models
        if model._meta.managed and not model._meta.proxy and not model._meta.swapped
    ]


def of_no_model(alias: str, known: list[Table]) -> Iterator[str]:
    """Yield the names of other tables with rows, except Django's table of migrations."""
    connection = connections[alias]
    names = {table.name for table in known} | {"django_migrations"}
    with connection.cursor() as cursor:
        for name in connection.introspection.table_names(cursor):
            if name not in names:
                cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(name)} LIMIT 1")  # noqa: S608
                if cursor.fetchone():
                    yield name

"""A table that stands at a number, who sits there, and what was done."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Table(models.Model):
    code = models.CharField(max_length=12, unique=True)
    seq = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return self.code


class Seat(models.Model):
    table = models.ForeignKey(Table, on_delete=models.CASCADE)
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "user"], name="one_seat_a_person")]

    def __str__(self) -> str:
        return f"{self.table_id}:{self.number}"


class Event(models.Model):
    table = models.ForeignKey(Table, on_delete=models.CASCADE)
    seq = models.PositiveIntegerField()
    data = models.JSONField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["table", "seq"], name="one_event_a_number")]

    def __str__(self) -> str:
        return f"{self.table_id}#{self.seq}"

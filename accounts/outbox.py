"""The outbox: emails are sent by a separate thread, never inside a request.

A request writes one row (`put`), whether the address is known or not, so its response reveals
nothing, and a mail server can neither delay nor fail it. `run` sends the emails that are due.
A row is claimed by a conditional UPDATE, so several processes send an email once. It is deleted
after the mail server has accepted the email; if the process is killed in between, the email is sent
again once the claim has expired. So delivery is at least once, and no email is lost.
"""

from __future__ import annotations

import logging
import smtplib
from collections.abc import Callable
from datetime import datetime, timedelta
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Final

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.core.mail import EmailMessage
from django.db import IntegrityError, transaction
from django.db.models import F
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.crypto import salted_hmac
from prometheus_client import Counter

from accounts import addresses, sign_in_codes
from accounts.letters import Letter, LetterCount
from accounts.sign_in_codes import SignInCode

if TYPE_CHECKING:
    from accounts.models import User


# How long a claim lasts: longer than a mail server can take for one email.
CLAIM: Final = timedelta(minutes=10)
# The wait before a retry doubles with each failure, up to an hour ...
FIRST_WAIT: Final = timedelta(minutes=1)
LONGEST_WAIT: Final = timedelta(hours=1)
# ... and an email is given up a day after it was requested.
LONGEST: Final = timedelta(days=1)
# Then a remaining row is deleted: its kind is one that no process sends any more.
KEPT_FOR: Final = 2 * LONGEST

# The daily limit of all strangers together, as a multiple of LETTERS_PER_DAY.
ALL_ASKERS: Final = 4
# The asker of requests from a browser in which the account has been signed in.
KNOWN: Final = "known"

# Set when an email was put into the outbox; housekeeping waits for it.
asked: Final = Event()
logger = logging.getLogger(__name__)
letters: Final = Counter(
    "perudo_letters", "Letters: sent, refused, postponed, given up, dropped.", ("kind", "result")
)


class Unsendable(Exception):
    """The email can never be sent; the text gives a reason that is safe to log."""


def has_mail() -> bool:
    """Whether emails are delivered; without EMAIL_URL they are printed on the console."""
    return settings.EMAIL_BACKEND != "django.core.mail.backends.console.EmailBackend"


def put(
    kind: Letter.Kind,
    *,
    email: str,
    site: str,
    now: datetime,
    user_id: int | None = None,
    code: SignInCode | None = None,
    asker: str = "",
) -> None:
    """Put an email to `email` into the outbox, to be sent after this transaction.

    `asker`: whose daily limit it counts against, if anyone can ask; see `attempts.asks_for`.
    `site`: origin of the request, for the links. `code`: the sign-in code to send.
    A second reset for an address changes nothing while the first one waits.
    """
    letter = Letter(
        kind=kind,
        email=email,
        user_id=user_id,
        code=code,
        asker=asker,
        site=site,
        language=translation.get_language() or settings.LANGUAGE_CODE,
        asked_at=now,
        due_at=now,
    )
    Letter.objects.bulk_create([letter], ignore_conflicts=True)
    transaction.on_commit(asked.set)


def run(now: datetime, share: float) -> bool:
    """Send the emails that are due, the longest due first; begin none after `share` seconds.

    Return whether more are due. If the mail server is unreachable, the other emails wait for the
    next run. Errors of the mail server are never raised.
    """
    until = monotonic() + share
    # During an upgrade the table may have kinds that only other processes know.
    due = Letter.objects.filter(due_at__lte=now, kind__in=_WRITERS).order_by("due_at")
    for letter in due[:100]:
        if monotonic() >= until:
            return True
        if _claim(letter, now=now) and not _handle(letter, now=now):
            return False
    return due.exists()


def sweep(now: datetime) -> int:
    """Delete rows older than KEPT_FOR and counts from before yesterday; return how many."""
    old, _by_model = Letter.objects.filter(asked_at__lt=now - KEPT_FOR).delete()
    counts, _by_model = LetterCount.objects.filter(
        day__lt=(now - timedelta(days=1)).date()
    ).delete()
    return old + counts


def recipient(email: str, asker: str = "") -> str:
    """Return a keyed hash of an address's mailbox, for counting: `ann+dice@…` counts as `ann@…`.

    With `asker`, the hash is of the mailbox and this asker.
    """
    name, _at, host = email.casefold().rpartition("@")
    mailbox = f"{name.partition('+')[0] or name}@{host} {asker}".strip()
    return salted_hmac("accounts.outbox", mailbox, algorithm="sha256").hexdigest()


def asker_at(address: str) -> str:
    """Return the asker for a client address: a keyed hash."""
    return salted_hmac("accounts.asker", address, algorithm="sha256").hexdigest()


def _claim(letter: Letter, *, now: datetime) -> bool:
    """Claim the email for this process; return False if another process has it."""
    mine = Letter.objects.filter(pk=letter.pk, due_at=letter.due_at, attempts=letter.attempts)
    return mine.update(due_at=now + CLAIM, attempts=letter.attempts + 1) == 1


def _handle(letter: Letter, *, now: datetime) -> bool:
    """Send, drop or postpone a claimed email; return False if this run should stop."""
    try:
        message = _WRITERS[letter.kind](letter)
        if message is None:
            return _end(letter, "dropped")
        # Only the first attempt counts; later ones retry the same email.
        if letter.attempts == 0 and not _may_send(message.to[0], letter, now=now):
            logger.warning("letter dropped: daily limit kind=%s", letter.kind)
            return _end(letter, "dropped")
        if letter.code is not None and not sign_in_codes.give(letter.code, now=now):
            return _end(letter, "dropped")
        _send(message)
    except Unsendable as error:
        logger.warning("letter refused kind=%s reason=%s", letter.kind, error)
        return _end(letter, "refused")
    except (OSError, smtplib.SMTPException) as error:
        _postpone(letter, error, now=now)
        # Go on if the error is of this email alone; stop if it is of the mail server.
        return isinstance(error, smtplib.SMTPRecipientsRefused | smtplib.SMTPDataError)
    return _end(letter, "sent")


def _end(letter: Letter, result: str) -> bool:
    Letter.objects.filter(pk=letter.pk).delete()
    letters.labels(letter.kind, result).inc()
    return True


def _send(message: EmailMessage) -> None:
    """Hand a message to the mail server. Raise Unsendable if a retry cannot help.

    The server's reply may quote the address, so only its code is passed on.
    """
    try:
        message.send()
    except smtplib.SMTPRecipientsRefused as error:
        codes = [int(code) for code, _text in error.recipients.values()]
        if all(code >= 500 for code in codes):
            raise Unsendable(f"recipient code={codes[0]}") from None
        raise
    except smtplib.SMTPDataError as error:
        if error.smtp_code >= 500:
            raise Unsendable(f"message code={error.smtp_code}") from None
        raise
    except (smtplib.SMTPNotSupportedError, ValueError) as error:  # an address it cannot express
        raise Unsendable(type(error).__name__) from None


def _postpone(letter: Letter, error: Exception, *, now: datetime) -> None:
    """Schedule a retry after a failure, or give up; no text of the mail server is logged."""
    reason = type(error).__name__
    if isinstance(error, smtplib.SMTPResponseException):
        reason += f" {error.smtp_code}"
    if now - letter.asked_at >= LONGEST:
        logger.error("letter given up kind=%s error=%s", letter.kind, reason)
        _end(letter, "given up")
        return
    wait = min(FIRST_WAIT * 2 ** min(letter.attempts, 10), LONGEST_WAIT)
    Letter.objects.filter(pk=letter.pk).update(due_at=now + wait)
    logger.warning("letter postponed kind=%s error=%s", letter.kind, reason)
    letters.labels(letter.kind, "postponed").inc()


def _may_send(email: str, letter: Letter, *, now: datetime) -> bool:
    """Count an email to this address; return False if its limit for today is reached.

    Each asker has a separate count, and all strangers share another one. Known browsers of the
    account have only their own count, which strangers cannot use up.
    """
    most, by = settings.LETTERS_PER_DAY, letter.asker
    if not _count(recipient(email, by), most, letter.kind, now=now):
        return False
    return by in ("", KNOWN) or _count(recipient(email), ALL_ASKERS * most, letter.kind, now=now)


def _count(counted: str, most: int, kind: str, *, now: datetime) -> bool:
    where = {"recipient": counted, "kind": kind, "day": now.date()}
    for _attempt in range(2):
        row = LetterCount.objects.filter(**where)
        if row.filter(letters__lt=most).update(letters=F("letters") + 1):
            return True
        if row.exists():
            return False
        try:
            with transaction.atomic():
                LetterCount.objects.create(**where, letters=1)
            return True
        except IntegrityError:  # another process was faster: count on its row
            continue
    return False


# --- the texts of emails -------------------------------------------------------------------------


def _reset(letter: Letter) -> EmailMessage | None:
    """Write a link to choose a new password; None if no single account has the address."""
    found = addresses.owner(letter.email)
    if found is None:
        return None
    user, address = found
    path = reverse("account_reset_password_from_key", kwargs={"uidb36": "UID", "key": "KEY"})
    key = f"{user_pk_to_url_str(user)}-{default_token_generator.make_token(user)}"
    link = letter.site + path.replace("UID-KEY", key)
    return _message(
        letter, "password_reset_key", address, user, username=user.username, password_reset_url=link
    )


def _email_changed(letter: Letter) -> EmailMessage | None:
    """Tell the previous address of an account that it was replaced or removed."""
    user = letter.user
    if user is None or user.is_deleted or user.email.casefold() == letter.email.casefold():
        return None
    link = letter.site + reverse("account")
    return _message(
        letter, "email_changed", letter.email, user, username=user.username, account_url=link
    )


def _confirm(letter: Letter) -> EmailMessage | None:
    """Write a link that confirms an address, or name the account that has it already."""
    user = letter.user
    if user is None or not user.is_active or user.email.casefold() != letter.email.casefold():
        return None
    owner = addresses.confirmed_by(letter.email)
    if owner is None:
        path = reverse("confirm-email", args=[addresses.key(user)])
        return _message(
            letter,
            "email_confirmation",
            user.email,
            user,
            username=user.username,
            confirmation_url=letter.site + path,
        )
    if owner.pk == user.pk:
        return None
    return _message(
        letter,
        "email_belongs",
        user.email,
        owner,
        username=owner.username,
        other=user.username,
        login_url=letter.site + reverse("account_login"),
    )


def _code(letter: Letter) -> EmailMessage | None:
    """Write six digits for the browser that asked; None without a confirmed address."""
    code = letter.code
    user = addresses.signs_in(letter.email)
    if code is None or user is None or not user.is_active:
        return None
    address = addresses.confirmed(user)
    if not address:
        return None
    code.user = user
    digits = sign_in_codes.digits(code, user)
    minutes = str(sign_in_codes.VALID // timedelta(minutes=1))
    return _message(
        letter, "login_code", address, user, username=user.username, code=digits, minutes=minutes
    )


def _message(
    letter: Letter, template: str, address: str, user: User, **context: str
) -> EmailMessage:
    """Render an email in its reader's language, or in that of the request."""
    words = context | {"SITE_NAME": settings.SITE_NAME, "site": letter.site.partition("://")[2]}
    with translation.override(user.language or letter.language):
        title = render_to_string(f"account/email/{template}_subject.txt", words)
        body = render_to_string(f"account/email/{template}_message.txt", words)
    subject = settings.ACCOUNT_EMAIL_SUBJECT_PREFIX + " ".join(title.split())
    return EmailMessage(subject, body.strip() + "\n", settings.DEFAULT_FROM_EMAIL, [address])


_WRITERS: Final[dict[str, Callable[[Letter], EmailMessage | None]]] = {
    Letter.Kind.RESET: _reset,
    Letter.Kind.EMAIL_CHANGED: _email_changed,
    Letter.Kind.CONFIRM: _confirm,
    Letter.Kind.CODE: _code,
}

"""The outbox: letters are sent by a thread of their own, never inside a request.

A request writes one row (`put`), whether the address is known or not, so its answer tells nothing,
and nothing a mail server does can delay or fail it. `run` sends what is due.
A row is claimed by a conditional UPDATE, so several processes send a letter once; it is deleted
after the mail server has taken the letter. A process that is killed in between sends it again once
the claim has run out: at least once, never lost.
"""

from __future__ import annotations

import logging
import smtplib
from collections.abc import Callable
from datetime import datetime, timedelta
from threading import Event
from time import monotonic
from typing import Any, Final

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

# A claim lasts longer than a mail server can take for one letter.
CLAIM: Final = timedelta(minutes=10)
# After a failure a letter waits twice as long as the time before, up to an hour ...
FIRST_WAIT: Final = timedelta(minutes=1)
LONGEST_WAIT: Final = timedelta(hours=1)
# ... and is given up when it has waited for a day.
LONGEST: Final = timedelta(days=1)
# A row that is still there then, of a kind that nobody sends any more, is deleted.
KEPT_FOR: Final = 2 * LONGEST

# Set when a letter was put into the outbox; housekeeping waits for it.
asked: Final = Event()
logger = logging.getLogger(__name__)
letters: Final = Counter(
    "perudo_letters", "Letters: sent, refused, postponed, given up, dropped.", ("kind", "result")
)


class Unsendable(Exception):
    """This letter can never be sent; the text says why in words fit for the log."""


def has_mail() -> bool:
    """Whether letters reach anybody: without EMAIL_URL they are printed on the console."""
    return settings.EMAIL_BACKEND != "django.core.mail.backends.console.EmailBackend"


def put(
    kind: Letter.Kind,
    *,
    email: str,
    site: str,
    now: datetime,
    user_id: int | None = None,
    code: SignInCode | None = None,
) -> None:
    """Have a letter sent to `email` after this transaction.

    `site` is the origin of the request that asked, for the links; `code` is the one to write about.
    A reset of an address that waits for one already changes nothing.
    """
    letter = Letter(
        kind=kind,
        email=email,
        user_id=user_id,
        code=code,
        site=site,
        language=translation.get_language() or settings.LANGUAGE_CODE,
        asked_at=now,
        due_at=now,
    )
    Letter.objects.bulk_create([letter], ignore_conflicts=True)
    transaction.on_commit(asked.set)


def run(now: datetime, share: float) -> bool:
    """Send what is due, the longest due first; begin no letter after `share` seconds.

    Returns whether more is due. When the mail server cannot be reached, the other letters wait for
    the next run. Never raises what a mail server causes.
    """
    until = monotonic() + share
    # During an upgrade there may be kinds that only other processes know.
    due = Letter.objects.filter(due_at__lte=now, kind__in=_WRITERS).order_by("due_at")
    for letter in due[:100]:
        if monotonic() >= until:
            return True
        if _claim(letter, now=now) and not _handle(letter, now=now):
            return False
    return due.exists()


def sweep(now: datetime) -> int:
    """Delete what has waited for too long, and the counts of earlier days; returns how many."""
    old, _by_model = Letter.objects.filter(asked_at__lt=now - KEPT_FOR).delete()
    counts, _by_model = LetterCount.objects.filter(
        day__lt=(now - timedelta(days=1)).date()
    ).delete()
    return old + counts


def recipient(email: str) -> str:
    """A keyed hash of the mailbox of an address, for counting: `ann+dice@…` is `ann@…` too."""
    name, _at, host = email.casefold().rpartition("@")
    mailbox = f"{name.partition('+')[0] or name}@{host}"
    return salted_hmac("accounts.outbox", mailbox, algorithm="sha256").hexdigest()


def _claim(letter: Letter, *, now: datetime) -> bool:
    """Take the letter for this process; False if another one has it."""
    mine = Letter.objects.filter(pk=letter.pk, due_at=letter.due_at, attempts=letter.attempts)
    return mine.update(due_at=now + CLAIM, attempts=letter.attempts + 1) == 1


def _handle(letter: Letter, *, now: datetime) -> bool:
    """Send a letter that was claimed, or decide what becomes of it; False: stop for now."""
    try:
        message = _WRITERS[letter.kind](letter)
        if message is None:
            return _end(letter, "dropped")
        # The first attempt counts; those after a failure are for the same letter.
        if letter.attempts == 0 and not _count(message.to[0], kind=letter.kind, now=now):
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
        # An error of this letter alone, or of the mail server?
        return isinstance(error, smtplib.SMTPRecipientsRefused | smtplib.SMTPDataError)
    return _end(letter, "sent")


def _end(letter: Letter, result: str) -> bool:
    Letter.objects.filter(pk=letter.pk).delete()
    letters.labels(letter.kind, result).inc()
    return True


def _send(message: EmailMessage) -> None:
    """Hand a message to the mail server. Raises Unsendable where trying again cannot help.

    What the server answers may quote the address, so only its code is passed on.
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
    """Let a letter wait after a failure, or give it up; no text of the mail server is logged."""
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


def _count(email: str, *, kind: str, now: datetime) -> bool:
    """Count a letter to this address; False if it had as many today as it may have."""
    where = {"recipient": recipient(email), "kind": kind, "day": now.date()}
    for _attempt in range(2):
        row = LetterCount.objects.filter(**where)
        if row.filter(letters__lt=settings.LETTERS_PER_DAY).update(letters=F("letters") + 1):
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


# --- what letters say ----------------------------------------------------------------------------


def _reset(letter: Letter) -> EmailMessage | None:
    """A link to choose a new password; None where no single account has the address."""
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
    """Tells the address that an account had before that it has another one now, or none."""
    user = letter.user
    if user is None or user.is_deleted or user.email.casefold() == letter.email.casefold():
        return None
    link = letter.site + reverse("account")
    return _message(
        letter, "email_changed", letter.email, user, username=user.username, account_url=link
    )


def _confirm(letter: Letter) -> EmailMessage | None:
    """A link to confirm the address of an account, or the account to which it belongs already."""
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
    """Six digits for the browser that asked; None where no account has confirmed an address."""
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
    letter: Letter, template: str, address: str, user: Any, **context: str
) -> EmailMessage:
    """A letter in the language of its reader, as far as that is known."""
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

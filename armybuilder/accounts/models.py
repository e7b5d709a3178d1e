"""The user model: our own from the first migration, so that it can grow without a swap."""

from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """A person with an account."""

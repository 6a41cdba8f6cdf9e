"""The Trucking Data Feed: feeds and authority events of US trucking carriers."""

from .client import TruckingDataFeed
from .connection import Answer
from .errors import TruckingDataFeedError, VersionEndedError
from .export import FeedExport
from .sync import SyncResult, digest_of
from .version import VERSION as __version__
from .webhooks import WebhookVerificationError, sign_webhook, verify_webhook

__all__ = [
    "Answer",
    "FeedExport",
    "SyncResult",
    "TruckingDataFeed",
    "TruckingDataFeedError",
    "VersionEndedError",
    "WebhookVerificationError",
    "__version__",
    "digest_of",
    "sign_webhook",
    "verify_webhook",
]
